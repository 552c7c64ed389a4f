// StatusPanel: where the payment stands, in words, on a line of steps, and as facts.
#pragma once

#include "viewmodels/checkout_view_model.h"
#include "widgets/state_mark.h"

#include <QtWidgets/QLabel>
#include <QtWidgets/QWidget>

namespace payonce::widgets {

class CalmButton;
class ProgressLine;

/// `theme` and `viewModel` must outlive it. It can hold the keyboard focus while there is nothing to press.
class StatusPanel : public QWidget
{
    Q_OBJECT

public:
    StatusPanel(const Theme& theme, const viewmodels::CheckoutViewModel& viewModel, Animations animations, QWidget* parent);

    /// Shows what the view model says now.
    void refresh();

private:
    struct Row
    {
        QWidget* box;
        QLabel* value;
    };

    [[nodiscard]] Row makeRow(const QString& title, QLatin1String name);
    void build();
    void copyReference();

    const viewmodels::CheckoutViewModel& m_viewModel;
    StateMark* m_mark;
    QLabel* m_title;
    QLabel* m_sentence;
    QLabel* m_assurance;
    ProgressLine* m_progress;
    Row m_amount;
    Row m_attempt;
    Row m_order;
    Row m_reference;
    CalmButton* m_copy;
};

} // namespace payonce::widgets
