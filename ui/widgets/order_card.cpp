#include "widgets/order_card.h"

#include "viewmodels/money_text.h"
#include "widgets/elided_label.h"
#include "widgets/object_names.h"
#include "widgets/parts.h"
#include "widgets/skeleton.h"

#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QVBoxLayout>

namespace payonce::widgets {

namespace {

constexpr int kLineGap = 2;

QString quantityText(const viewmodels::CartLine& line)
{
    // The price of one is told only where it is exact.
    if (line.amount.minorUnits % line.quantity != 0)
        return QStringLiteral("× %1").arg(line.quantity);
    const values::Money one{line.amount.minorUnits / line.quantity, line.amount.currency};
    return QStringLiteral("%1 × %2").arg(QString::number(line.quantity), viewmodels::moneyText(one));
}

QWidget* makeLine(const viewmodels::CartLine& line, QWidget* parent)
{
    auto* box = new QWidget(parent);
    auto* words = new QVBoxLayout;
    words->setSpacing(kLineGap);
    words->addWidget(new ElidedLabel(line.name, TextRole::Body, box));
    words->addWidget(makeLabel(quantityText(line), TextRole::Small, Tone::Quiet, box));
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kGrid * 2);
    row->addLayout(words, 1);
    row->addWidget(makeLabel(viewmodels::moneyText(line.amount), TextRole::Body, Tone::Plain, box), 0, Qt::AlignTop);
    return box;
}

QHBoxLayout* makeSum(QLabel* title, QLabel* amount)
{
    auto* row = new QHBoxLayout;
    row->addWidget(title);
    row->addStretch();
    row->addWidget(amount);
    return row;
}

QString fingerprintOf(const viewmodels::Cart& cart)
{
    QString text = cart.id + viewmodels::moneyText(cart.tax) + viewmodels::moneyText(cart.total);
    for (const auto& line : cart.lines)
        text += line.name + QString::number(line.quantity) + viewmodels::moneyText(line.amount);
    return text;
}

} // namespace

OrderCard::OrderCard(const Theme& theme, viewmodels::CheckoutViewModel& viewModel, QWidget* parent)
    : QFrame(parent),
      m_viewModel(viewModel),
      m_order(new QWidget(this)),
      m_lines(new QVBoxLayout),
      m_tax(makeLabel({}, TextRole::Body, Tone::Quiet, m_order)),
      m_total(makeLabel({}, TextRole::Total, Tone::Plain, m_order)),
      m_skeleton(new Skeleton(theme, this)),
      m_message(makeParagraph({}, TextRole::Body, Tone::Quiet, this)),
      m_reload(new CalmButton(Look::Second, names::kReload, this))
{
    setProperty("part", QStringLiteral("card"));
    m_total->setObjectName(names::kTotal);
    m_message->setObjectName(names::kCartState);
    m_reload->setWords(tr("Try again"));
    connect(m_reload, &QPushButton::clicked, &m_viewModel, &viewmodels::CheckoutViewModel::reloadCart);
    build();
    refresh();
}

void OrderCard::build()
{
    m_lines->setSpacing(kGrid * 2);
    auto* order = new QVBoxLayout(m_order);
    order->setContentsMargins(0, 0, 0, 0);
    order->setSpacing(kGrid * 2);
    order->addLayout(m_lines);
    order->addSpacing(kGrid / 2);
    order->addWidget(makeRule(m_order));
    order->addSpacing(kGrid / 2);
    order->addLayout(makeSum(makeLabel(tr("Tax"), TextRole::Body, Tone::Quiet, m_order), m_tax));
    order->addLayout(makeSum(makeLabel(tr("Total"), TextRole::Total, Tone::Plain, m_order), m_total));

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kCardPadding, kCardPadding, kCardPadding, kCardPadding);
    column->setSpacing(kGrid * 2);
    column->addWidget(m_order);
    column->addWidget(m_message);
    column->addWidget(m_skeleton);
    column->addWidget(m_reload, 0, Qt::AlignLeft);
}

void OrderCard::refresh()
{
    const auto status = m_viewModel.cartStatus();
    m_order->setVisible(status == viewmodels::CartStatus::Loaded);
    m_message->setText(m_viewModel.cartMessage());
    m_message->setVisible(status != viewmodels::CartStatus::Loaded);
    m_skeleton->setVisible(status == viewmodels::CartStatus::Loading);
    m_reload->setVisible(status == viewmodels::CartStatus::Failed);
    if (m_viewModel.cart())
        showLines(*m_viewModel.cart());
}

void OrderCard::showLines(const viewmodels::Cart& cart)
{
    const QString fingerprint = fingerprintOf(cart);
    if (fingerprint == m_shownCart)
        return;
    m_shownCart = fingerprint;
    while (QLayoutItem* item = m_lines->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const auto& line : cart.lines)
        m_lines->addWidget(makeLine(line, m_order));
    m_tax->setText(viewmodels::moneyText(cart.tax));
    m_total->setText(viewmodels::moneyText(cart.total));
}

} // namespace payonce::widgets
