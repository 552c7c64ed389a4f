#include "viewmodels/checkout_view_model.h"

#include "values/check.h"
#include "viewmodels/money_text.h"
#include "viewmodels/state_json.h"

#include <QtCore/QJsonDocument>

namespace payonce::viewmodels {

using retry::State;

namespace {

QJsonValue buttonJson(const std::optional<ButtonFacts>& button)
{
    if (!button)
        return QJsonValue::Null;
    return QJsonObject{{QStringLiteral("name"), button->name},
                       {QStringLiteral("text"), button->text},
                       {QStringLiteral("enabled"), button->enabled}};
}

} // namespace

CheckoutViewModel::CheckoutViewModel(PaymentControl& control, QObject* parent)
    : QObject(parent), m_control(control), m_form([&control] { return control.now().wall; })
{
    connect(&control, &PaymentControl::snapshotChanged, this, &CheckoutViewModel::refresh);
    connect(&control, &PaymentControl::ready, this, [this] {
        m_ready = true;
        refresh();
    });
    connect(&control, &PaymentControl::journalFailed, this, [this](retry::JournalError error) {
        m_journalError = error;
        refresh();
    });
    connect(&m_form, &CardForm::changed, this, &CheckoutViewModel::refresh);
    refresh();
}

void CheckoutViewModel::showCart(const Cart& cart)
{
    if (!isPayable(cart)) {
        showCartProblem(CartProblem::BadAnswer);
        return;
    }
    m_cart = cart;
    m_cartStatus = CartStatus::Loaded;
    refresh();
}

void CheckoutViewModel::showCartProblem(CartProblem problem)
{
    m_cart.reset();
    m_cartProblem = problem;
    m_cartStatus = CartStatus::Failed;
    refresh();
}

void CheckoutViewModel::showCartLoading()
{
    m_cart.reset();
    m_cartStatus = CartStatus::Loading;
    refresh();
}

QString CheckoutViewModel::cartMessage() const
{
    switch (m_cartStatus) {
    case CartStatus::Loading: return tr("Loading your order…");
    case CartStatus::Loaded: return {};
    case CartStatus::Failed: break;
    }
    switch (m_cartProblem) {
    case CartProblem::ShopUnreachable: return tr("The shop cannot be reached, so your order is not here yet.");
    case CartProblem::ShopNotTrusted:
        return tr("The shop could not prove who it is, so nothing is sent to it. Its certificate is not trusted here.");
    case CartProblem::SignInRefused: return tr("The shop did not accept this sign-in, so your order cannot be shown.");
    case CartProblem::BadAnswer: return tr("The shop's answer was not an order that can be paid.");
    }
    return {};
}

bool CheckoutViewModel::isEditing() const
{
    return snapshot().state == State::Editing && !m_journalError;
}

QString CheckoutViewModel::heading() const
{
    return isEditing() ? tr("Pay by card") : headingFor(snapshot());
}

QString CheckoutViewModel::stateName() const
{
    return QString::fromLatin1(retry::nameOf(snapshot().state));
}

QString CheckoutViewModel::countdownText() const
{
    return m_countdown;
}

QString CheckoutViewModel::payText() const
{
    if (!isEditing())
        return tr("Processing…");
    const auto toPay = amount();
    return toPay ? tr("Pay %1").arg(moneyText(*toPay)) : tr("Pay");
}

bool CheckoutViewModel::isPayEnabled() const
{
    return isEditing() && m_ready && m_cart && m_form.isValid();
}

bool CheckoutViewModel::isPayVisible() const
{
    return isEditing() || snapshot().state == State::Saving || snapshot().state == State::Sending;
}

QString CheckoutViewModel::nextText() const
{
    return isEditing() ? QString() : m_words.nextText;
}

std::optional<ButtonFacts> CheckoutViewModel::primary() const
{
    if (isEditing())
        return ButtonFacts{QStringLiteral("checkout.pay"), payText(), isPayEnabled()};
    if (nextText().isEmpty())
        return {};
    return ButtonFacts{QStringLiteral("checkout.next"), nextText(), true};
}

std::vector<Step> CheckoutViewModel::steps() const
{
    return snapshot().state == State::Editing ? std::vector<Step>() : stepsFor(snapshot());
}

std::optional<values::Money> CheckoutViewModel::amount() const
{
    if (snapshot().state != State::Editing && snapshot().action)
        return amountOf(snapshot());
    return m_cart ? std::optional(m_cart->total) : std::nullopt;
}

QString CheckoutViewModel::amountText() const
{
    const auto known = amount();
    return known ? moneyText(*known) : QString();
}

QString CheckoutViewModel::attemptText() const
{
    const State state = snapshot().state;
    if (snapshot().attempt < 1 || retry::isOver(state) || state == State::Fencing) // there is no next one
        return {};
    // A person's "Check again" may send once more than the machine does by itself.
    if (snapshot().attempt > snapshot().attemptsMax)
        return QString::number(snapshot().attempt);
    return tr("%1 of %2").arg(snapshot().attempt).arg(snapshot().attemptsMax);
}

QString CheckoutViewModel::reference() const
{
    if (snapshot().state == State::Editing || !snapshot().action)
        return {};
    return QString::fromStdString(values::reference(snapshot().action->id));
}

QString CheckoutViewModel::orderNumber() const
{
    return snapshot().state == State::Paid ? QString::fromStdString(snapshot().answer.orderNumber) : QString();
}

QString CheckoutViewModel::stateJson() const
{
    QJsonObject state = facts();
    state.insert(QStringLiteral("revision"), m_revision);
    state.insert(QStringLiteral("next_try_ms"), nextTryOf(snapshot(), m_control.now().mono));
    return QString::fromUtf8(QJsonDocument(state).toJson(QJsonDocument::Compact));
}

QJsonObject CheckoutViewModel::facts() const
{
    QJsonObject facts = stateFacts(snapshot(), m_cart ? std::optional(m_cart->total) : std::nullopt);
    facts.insert(QStringLiteral("primary"), buttonJson(primary()));
    const QString out = cancelText();
    const auto cancelButton = ButtonFacts{QStringLiteral("checkout.cancel"), out, true};
    facts.insert(QStringLiteral("cancel"), out.isEmpty() ? QJsonValue::Null : buttonJson(cancelButton));
    facts.insert(QStringLiteral("sentence"), m_words.key);
    return facts;
}

void CheckoutViewModel::pay()
{
    if (!isPayEnabled())
        return;
    const auto card = m_form.card();
    CHECK(card.has_value());
    m_control.pay({m_cart->id.toStdString(), m_cart->total, m_form.email().trimmed().toStdString()}, *card);
    m_form.forgetCard();
}

void CheckoutViewModel::next()
{
    if (isEditing() || !m_words.next)
        return;
    switch (*m_words.next) {
    case NextStep::TryAgain: m_control.tryAgain(); return;
    case NextStep::CheckAgain: m_control.checkAgain(); return;
    case NextStep::StartOver: m_control.startOver(); return;
    case NextStep::CopyForSupport:
        m_control.acknowledge();
        Q_EMIT copyWanted(supportText());
        return;
    case NextStep::Finish: Q_EMIT done(); return;
    }
}

void CheckoutViewModel::cancel()
{
    if (isCancelOffered())
        m_control.cancel();
}

bool CheckoutViewModel::isCancelOffered() const
{
    return !cancelText().isEmpty();
}

QString CheckoutViewModel::cancelText() const
{
    return m_journalError ? QString() : cancelWordsFor(snapshot());
}

QString CheckoutViewModel::idleText() const
{
    return m_words.next || snapshot().state == State::Editing ? QString() : idleWordsFor(snapshot());
}

QString CheckoutViewModel::supportText() const
{
    if (!snapshot().action)
        return {};
    return tr("PayOnce payment %1\nAction ID: %2\nState: %3\n%4")
        .arg(reference(), QString::fromStdString(snapshot().action->id.toString()), sentenceKey(), sentence());
}

void CheckoutViewModel::reloadCart()
{
    showCartLoading();
    Q_EMIT cartWanted();
}

void CheckoutViewModel::refreshCountdown()
{
    const QString countdown = countdownFor(snapshot(), m_control.now());
    if (countdown == m_countdown)
        return;
    m_countdown = countdown;
    Q_EMIT countdownChanged();
}

void CheckoutViewModel::refresh()
{
    const bool journalCounts = m_journalError && snapshot().state == State::Editing;
    m_words = journalCounts ? wordsFor(*m_journalError) : wordsFor(snapshot());
    const QByteArray now = QJsonDocument(facts()).toJson(QJsonDocument::Compact);
    const bool stateMoved = now != m_stateFacts;
    if (stateMoved) {
        m_stateFacts = now;
        ++m_revision;
    }
    refreshCountdown();
    Q_EMIT changed();
    if (stateMoved)
        Q_EMIT stateJsonChanged();
}

} // namespace payonce::viewmodels
