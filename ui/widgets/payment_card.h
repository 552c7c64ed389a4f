// PaymentCard: the form, which gives way to the status in the same place; below it the one place for a button, and the quiet
// way out where there is one.
#pragma once

#include "viewmodels/checkout_view_model.h"
#include "widgets/state_mark.h"

#include <QtCore/QTimer>
#include <QtWidgets/QFrame>
#include <QtWidgets/QLabel>

class QStackedLayout;

namespace payonce::widgets {

class CalmButton;
class PaymentForm;
class StatusPanel;

/// `theme` and `viewModel` must outlive it. The frame keeps its size and the button its place in every state.
class PaymentCard : public QFrame
{
    Q_OBJECT

public:
    PaymentCard(const Theme& theme, viewmodels::CheckoutViewModel& viewModel, Animations animations, QWidget* parent);

    /// Shows what the view model says now, in this event.
    void refresh();
    /// Puts the keyboard focus where the person goes on: an unfinished field, the next button, or the status.
    void focusNextStep();

private:
    enum class Face { Form, Status };

    void build();
    void wire();
    void showButtons();
    void showPlace();
    void showCountdown();
    void copyForSupport(const QString& text);
    [[nodiscard]] bool hasFocusInside() const;

    viewmodels::CheckoutViewModel& m_viewModel;
    QStackedLayout* m_faces;
    QStackedLayout* m_place;
    QStackedLayout* m_footer;
    PaymentForm* m_form;
    StatusPanel* m_status;
    CalmButton* m_pay;
    CalmButton* m_next;
    QWidget* m_wayOut;
    CalmButton* m_cancel;
    QLabel* m_countdown;
    QLabel* m_idle;
    QLabel* m_note;
    QTimer m_seconds;
};

} // namespace payonce::widgets
