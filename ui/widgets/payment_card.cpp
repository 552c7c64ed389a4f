#include "widgets/payment_card.h"

#include "widgets/object_names.h"
#include "widgets/parts.h"
#include "widgets/payment_form.h"
#include "widgets/status_panel.h"

#include <QtGui/QClipboard>
#include <QtWidgets/QApplication>
#include <QtWidgets/QStackedLayout>
#include <QtWidgets/QVBoxLayout>

namespace payonce::widgets {

namespace {

/// The countdown is read this often; it only repaints when its words change.
constexpr std::chrono::milliseconds kCountdownTick(100);

} // namespace

PaymentCard::PaymentCard(const Theme& theme, viewmodels::CheckoutViewModel& viewModel, Animations animations, QWidget* parent)
    : QFrame(parent),
      m_viewModel(viewModel),
      m_faces(new QStackedLayout),
      m_place(new QStackedLayout),
      m_footer(new QStackedLayout),
      m_form(new PaymentForm(theme, viewModel.form(), this)),
      m_status(new StatusPanel(theme, viewModel, animations, this)),
      m_pay(new CalmButton(Look::Primary, names::kPay, this)),
      m_next(new CalmButton(Look::Primary, names::kNext, this)),
      m_wayOut(new QWidget(this)),
      m_cancel(new CalmButton(Look::Link, names::kCancel, m_wayOut)),
      m_countdown(makeLabel({}, TextRole::Body, Tone::Quiet, this)),
      m_idle(makeLabel({}, TextRole::Body, Tone::Quiet, this)),
      m_note(makeLabel({}, TextRole::Small, Tone::Quiet, this))
{
    setProperty("part", QStringLiteral("card"));
    m_countdown->setObjectName(names::kCountdown);
    m_countdown->setAlignment(Qt::AlignCenter);
    m_idle->setAlignment(Qt::AlignCenter);
    m_note->setAlignment(Qt::AlignCenter);
    m_seconds.setInterval(kCountdownTick);
    build();
    wire();
    refresh();
}

void PaymentCard::build()
{
    m_faces->addWidget(m_form);
    m_faces->addWidget(m_status);
    m_place->addWidget(m_pay);
    m_place->addWidget(m_next);
    m_place->addWidget(m_countdown);
    m_place->addWidget(m_idle);
    m_footer->addWidget(m_note);
    m_footer->addWidget(m_wayOut);
    auto* middle = new QHBoxLayout(m_wayOut); // beside the words nothing is pressed
    middle->setContentsMargins(0, 0, 0, 0);
    middle->addWidget(m_cancel, 0, Qt::AlignCenter);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kCardPadding, kCardPadding, kCardPadding, kGrid * 3 / 2);
    column->setSpacing(0);
    column->addLayout(m_faces, 1);
    column->addSpacing(kGrid * 2);
    column->addLayout(m_place);
    column->addSpacing(kGrid / 2);
    column->addLayout(m_footer);
}

void PaymentCard::wire()
{
    connect(m_pay, &QPushButton::clicked, &m_viewModel, &viewmodels::CheckoutViewModel::pay);
    connect(m_form, &PaymentForm::submitted, &m_viewModel, &viewmodels::CheckoutViewModel::pay);
    connect(m_next, &QPushButton::clicked, &m_viewModel, &viewmodels::CheckoutViewModel::next);
    connect(m_cancel, &QPushButton::clicked, &m_viewModel, &viewmodels::CheckoutViewModel::cancel);
    connect(&m_viewModel, &viewmodels::CheckoutViewModel::copyWanted, this, &PaymentCard::copyForSupport);
    connect(&m_viewModel, &viewmodels::CheckoutViewModel::countdownChanged, this, &PaymentCard::showCountdown);
    connect(&m_seconds, &QTimer::timeout, &m_viewModel, &viewmodels::CheckoutViewModel::refreshCountdown);
}

void PaymentCard::refresh()
{
    const bool hadFocus = hasFocusInside();
    const auto face = static_cast<int>(m_viewModel.isEditing() ? Face::Form : Face::Status);
    const bool turned = m_faces->currentIndex() != face;
    const bool hadCancel = m_cancel->hasFocus();
    const QWidget* placeBefore = m_place->currentWidget();
    m_faces->setCurrentIndex(face);
    m_status->refresh();
    showButtons();
    showCountdown();
    const bool moved = placeBefore != m_place->currentWidget() || (hadCancel && m_viewModel.cancelText().isEmpty());
    if (turned || (hadFocus && moved))
        focusNextStep();
}

void PaymentCard::showButtons()
{
    m_pay->setWords(m_viewModel.payText());
    m_pay->setEnabled(m_viewModel.isPayEnabled());
    m_next->setWords(m_viewModel.nextText());
    m_cancel->setWords(m_viewModel.cancelText(), Mnemonic::First);
    showPlace();
    m_footer->setCurrentWidget(m_viewModel.cancelText().isEmpty() ? static_cast<QWidget*>(m_note) : m_wayOut);
    m_idle->setText(m_viewModel.idleText());
    m_note->setText(m_viewModel.isEditing() ? tr("Pressing twice is harmless: one order is charged once.")
                                            : tr("Closing this window is safe."));
}

void PaymentCard::showPlace()
{
    if (m_viewModel.isPayVisible())
        m_place->setCurrentWidget(m_pay);
    else if (!m_viewModel.nextText().isEmpty())
        m_place->setCurrentWidget(m_next);
    else
        m_place->setCurrentWidget(m_viewModel.countdownText().isEmpty() ? m_idle : m_countdown);
}

void PaymentCard::showCountdown()
{
    const QString countdown = m_viewModel.countdownText();
    m_countdown->setText(countdown);
    if (countdown.isEmpty())
        m_seconds.stop();
    else if (!m_seconds.isActive())
        m_seconds.start();
}

void PaymentCard::copyForSupport(const QString& text)
{
    QApplication::clipboard()->setText(text);
    m_next->sayBriefly(tr("Copied"));
}

bool PaymentCard::hasFocusInside() const
{
    const QWidget* focused = QApplication::focusWidget();
    return focused && (focused == this || isAncestorOf(focused));
}

void PaymentCard::focusNextStep()
{
    if (m_viewModel.isEditing()) {
        if (!m_form->focusFirstUnfinished())
            m_pay->setFocus(Qt::OtherFocusReason);
    } else if (m_place->currentWidget() == m_next) {
        m_next->setFocus(Qt::OtherFocusReason);
    } else {
        m_status->setFocus(Qt::OtherFocusReason);
    }
}

} // namespace payonce::widgets
