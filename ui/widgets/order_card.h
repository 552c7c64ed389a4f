// OrderCard: the lines of the order with tax and total, or why they are not here.
#pragma once

#include "viewmodels/checkout_view_model.h"
#include "widgets/theme.h"

#include <QtWidgets/QFrame>
#include <QtWidgets/QLabel>

class QVBoxLayout;

namespace payonce::widgets {

class CalmButton;

/// `theme` and `viewModel` must outlive it.
class OrderCard : public QFrame
{
    Q_OBJECT

public:
    OrderCard(const Theme& theme, viewmodels::CheckoutViewModel& viewModel, QWidget* parent);

    /// Shows what the view model says now.
    void refresh();

private:
    void build();
    void showLines(const viewmodels::Cart& cart);

    viewmodels::CheckoutViewModel& m_viewModel;
    QWidget* m_order;
    QVBoxLayout* m_lines;
    QLabel* m_tax;
    QLabel* m_total;
    QWidget* m_skeleton;
    QLabel* m_message;
    CalmButton* m_reload;
    QString m_shownCart;
};

} // namespace payonce::widgets
