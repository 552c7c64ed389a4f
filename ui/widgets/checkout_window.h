// CheckoutWindow: the order on the left; the card form, then the status of the payment, on the right.
#pragma once

#include "viewmodels/checkout_view_model.h"
#include "widgets/state_mark.h"

#include <QtWidgets/QWidget>

class QBoxLayout;
class QFrame;
class QLabel;
class QScrollArea;
class QVBoxLayout;

namespace payonce::widgets {

class OrderCard;
class PaymentCard;
class Theme;

struct CheckoutOptions
{
    /// What the form starts with, e.g. a test card.
    viewmodels::CardFields fields;
    /// A quiet line in the header, e.g. which scenario the simulator plays.
    QString note;
    Animations animations = Animations::On;
};

/// A top-level window; object name `checkout`. It closes itself when the person presses "Done".
/// Closing is safe in every state: the client goes on, now or at the next start.
class CheckoutWindow : public QWidget
{
    Q_OBJECT
    Q_PROPERTY(QString stateJson READ stateJson NOTIFY stateJsonChanged)

public:
    /// `viewModel` must outlive the window.
    CheckoutWindow(viewmodels::CheckoutViewModel& viewModel, const CheckoutOptions& options, QWidget* parent = nullptr);

    /// For machines: docs/automation.md.
    [[nodiscard]] QString stateJson() const;

Q_SIGNALS:
    void stateJsonChanged();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void build();
    [[nodiscard]] QFrame* makeHeader();
    [[nodiscard]] QVBoxLayout* makeOrderColumn();
    [[nodiscard]] QVBoxLayout* makePaymentColumn();
    void fitNote();
    void refresh();

    viewmodels::CheckoutViewModel& m_viewModel;
    Theme* m_theme;
    QLabel* m_brand;
    QLabel* m_note;
    QString m_noteText;
    QScrollArea* m_scroll;
    OrderCard* m_order;
    PaymentCard* m_payment;
    QLabel* m_heading;
    QBoxLayout* m_columns;
};

} // namespace payonce::widgets
