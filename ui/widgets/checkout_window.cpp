#include "widgets/checkout_window.h"

#include "widgets/app_icon.h"
#include "widgets/object_names.h"
#include "widgets/order_card.h"
#include "widgets/parts.h"
#include "widgets/payment_card.h"
#include "widgets/theme.h"

#include <QtWidgets/QBoxLayout>
#include <QtWidgets/QScrollArea>

namespace payonce::widgets {

namespace {

constexpr QSize kFirstSize(1120, 680);
constexpr QSize kSmallest(420, 400);
constexpr int kHeaderHeight = 44;
constexpr int kPageWidth = 1040;
constexpr int kPageMargin = 24;
constexpr int kPageTop = 40;
/// Below this the columns stand one above the other.
constexpr int kTwoColumns = 820;
constexpr int kOrderShare = 556;
constexpr int kPaymentShare = 460;
constexpr int kHeadingGap = 16;

} // namespace

CheckoutWindow::CheckoutWindow(viewmodels::CheckoutViewModel& viewModel, const CheckoutOptions& options, QWidget* parent)
    : QWidget(parent),
      m_viewModel(viewModel),
      m_theme(new Theme(*this)),
      m_brand(makeLabel(QStringLiteral("PayOnce"), TextRole::Brand, Tone::Plain, this)),
      m_note(makeLabel({}, TextRole::Body, Tone::Quiet, this)),
      m_noteText(options.note),
      m_scroll(new QScrollArea(this)),
      m_order(new OrderCard(*m_theme, viewModel, this)),
      m_payment(new PaymentCard(*m_theme, viewModel, options.animations, this)),
      m_heading(makeLabel({}, TextRole::Title, Tone::Plain, this)),
      m_columns(new QBoxLayout(QBoxLayout::LeftToRight))
{
    setObjectName(names::kCheckout);
    setWindowTitle(tr("Checkout"));
    setWindowIcon(appIcon());
    setAttribute(Qt::WA_StyledBackground);
    setMinimumSize(kSmallest);
    resize(kFirstSize);
    viewModel.form().setFields(options.fields);
    build();
    connect(&viewModel, &viewmodels::CheckoutViewModel::changed, this, &CheckoutWindow::refresh);
    connect(&viewModel, &viewmodels::CheckoutViewModel::stateJsonChanged, this, &CheckoutWindow::stateJsonChanged);
    connect(&viewModel, &viewmodels::CheckoutViewModel::done, this, &QWidget::close);
    refresh();
    m_payment->focusNextStep();
}

QFrame* CheckoutWindow::makeHeader()
{
    auto* header = makeFrame("header", this);
    header->setFixedHeight(kHeaderHeight);
    auto* row = new QHBoxLayout(header);
    row->setContentsMargins(kPageMargin, 0, kPageMargin, 0);
    row->setSpacing(kPageMargin);
    row->addWidget(m_brand);
    row->addStretch();
    row->addWidget(m_note);
    m_note->setObjectName(names::kNote);
    m_note->setMinimumWidth(1); // it gives way before the window does
    m_note->setToolTip(m_noteText);
    return header;
}

void CheckoutWindow::fitNote()
{
    const int room = width() - (3 * kPageMargin) - m_brand->sizeHint().width();
    m_note->setText(m_note->fontMetrics().elidedText(m_noteText, Qt::ElideRight, room));
}

void CheckoutWindow::build()
{
    auto* page = new QWidget;
    auto* content = new QWidget(page);
    content->setMaximumWidth(kPageWidth);
    m_columns->setSpacing(kPageMargin);
    m_columns->addLayout(makeOrderColumn(), kOrderShare);
    m_columns->addLayout(makePaymentColumn(), kPaymentShare);
    m_columns->setContentsMargins(0, 0, 0, 0);
    content->setLayout(m_columns);
    auto* centred = new QHBoxLayout(page);
    centred->setContentsMargins(kPageMargin, kPageTop, kPageMargin, kPageMargin);
    centred->addStretch();
    centred->addWidget(content, kPageWidth);
    centred->addStretch();

    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setWidget(page);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeHeader());
    column->addWidget(m_scroll, 1);
}

QVBoxLayout* CheckoutWindow::makeOrderColumn()
{
    auto* column = new QVBoxLayout;
    column->setSpacing(kHeadingGap);
    column->addWidget(makeLabel(tr("Your order"), TextRole::Title, Tone::Plain, this));
    column->addWidget(m_order);
    column->addWidget(makeParagraph(tr("You can close this window at any time. A payment that has started is finished or "
                                       "checked when you come back."),
                                    TextRole::Small, Tone::Quiet, this));
    column->addStretch();
    return column;
}

QVBoxLayout* CheckoutWindow::makePaymentColumn()
{
    auto* column = new QVBoxLayout;
    column->setSpacing(kHeadingGap);
    column->addWidget(m_heading);
    column->addWidget(m_payment);
    column->addStretch();
    return column;
}

QString CheckoutWindow::stateJson() const
{
    return m_viewModel.stateJson();
}

void CheckoutWindow::refresh()
{
    m_heading->setText(m_viewModel.heading());
    m_order->refresh();
    m_payment->refresh();
}

void CheckoutWindow::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitNote();
    m_columns->setDirection(width() < kTwoColumns ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

} // namespace payonce::widgets
