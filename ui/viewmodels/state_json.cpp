#include "viewmodels/state_json.h"

#include <algorithm>

namespace payonce::viewmodels {

namespace {

using retry::State;

QJsonValue amountJson(const std::optional<values::Money>& amount)
{
    if (!amount)
        return QJsonValue::Null;
    const auto code = amount->currency.code();
    return QJsonObject{{QStringLiteral("value"), static_cast<qint64>(amount->minorUnits)},
                       {QStringLiteral("currency"), QString::fromLatin1(code.data(), static_cast<qsizetype>(code.size()))}};
}

QJsonObject pendingJson(const retry::Snapshot& snapshot)
{
    return {{QStringLiteral("network"), snapshot.networkPending},
            {QStringLiteral("timers"), snapshot.nextTry ? 1 : 0},
            {QStringLiteral("saves"), snapshot.savesPending}};
}

void addAction(QJsonObject& facts, const std::optional<retry::StoredAction>& action)
{
    facts.insert(QStringLiteral("action_id"),
                 action ? QJsonValue(QString::fromStdString(action->id.toString())) : QJsonValue::Null);
    facts.insert(QStringLiteral("reference"),
                 action ? QJsonValue(QString::fromStdString(values::reference(action->id))) : QJsonValue::Null);
}

} // namespace

QString outcomeOf(const retry::Snapshot& snapshot)
{
    switch (snapshot.state) {
    case State::Editing: return QStringLiteral("none");
    case State::Saving:
    case State::NotStarted: return QStringLiteral("not_sent");
    case State::Sending:
    case State::Confirming:
    case State::ServerWorking:
    case State::OfflineUnknown:
    case State::Fencing:
    case State::Unresolved: return QStringLiteral("unknown");
    case State::Conflict: return QStringLiteral("conflict");
    case State::RetryWait:
    case State::Offline: return snapshot.anyByteTaken ? QStringLiteral("unknown") : QStringLiteral("not_sent");
    case State::Paid: return QStringLiteral("paid");
    case State::Declined: return QStringLiteral("declined");
    case State::NotCharged: return QStringLiteral("not_charged");
    case State::Cancelled: return QStringLiteral("cancelled");
    }
    return {};
}

QJsonValue nextTryOf(const retry::Snapshot& snapshot, values::MonotonicTime now)
{
    if (!snapshot.nextTry)
        return QJsonValue::Null;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*snapshot.nextTry - now).count();
    return static_cast<qint64>(std::max<std::int64_t>(left, 0));
}

std::optional<values::Money> amountOf(const retry::Snapshot& snapshot)
{
    if (!snapshot.action || snapshot.action->target.kind != retry::Kind::Payment)
        return {};
    if (snapshot.answer.charged || snapshot.action->adopted)
        return snapshot.answer.charged;
    return snapshot.action->purchase.amount;
}

QJsonObject stateFacts(const retry::Snapshot& snapshot, const std::optional<values::Money>& cartAmount)
{
    const bool hasAction = snapshot.state != State::Editing && snapshot.action.has_value();
    const auto action = hasAction ? snapshot.action : std::nullopt;
    const auto kind = action ? action->target.kind : retry::Kind::Payment;
    QJsonObject facts{{QStringLiteral("schema"), 1},
                      {QStringLiteral("window"), QStringLiteral("checkout")},
                      {QStringLiteral("state"), QString::fromLatin1(retry::nameOf(snapshot.state))},
                      {QStringLiteral("outcome"), outcomeOf(snapshot)},
                      {QStringLiteral("kind"), QString::fromLatin1(retry::nameOf(kind))},
                      {QStringLiteral("amount"), amountJson(action ? amountOf(snapshot) : cartAmount)},
                      {QStringLiteral("attempt"), snapshot.attempt},
                      {QStringLiteral("attempts_max"), snapshot.attemptsMax},
                      {QStringLiteral("posts"), snapshot.posts},
                      {QStringLiteral("probes"), snapshot.probes},
                      {QStringLiteral("owner"), !snapshot.isViewer},
                      {QStringLiteral("dialog"), QJsonValue::Null},
                      {QStringLiteral("pending"), pendingJson(snapshot)}};
    addAction(facts, action);
    return facts;
}

} // namespace payonce::viewmodels
