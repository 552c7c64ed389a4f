#include "ui/samples.h"

#include "values/check.h"

namespace payonce::tests {

namespace {

using retry::Cause;
using retry::State;

constexpr std::chrono::milliseconds kClick(1'796'029'200'000); // 2026-11-30T09:00:00Z
constexpr std::chrono::minutes kValidFor(15);

retry::StoredAction sampleAction()
{
    const auto id = values::ActionId::parse("0198c0de-7a11-7c3e-9f00-6b1f0a2c4d5e");
    CHECK(id.has_value());
    const values::WallTime click(kClick);
    return {
        *id, {"acct_1", "srv_1"}, {"cart_1", money(4200, "EUR"), "you@example.com"}, click, click + kValidFor, 1, false, {}, {},
        {}};
}

bool isBeforeSending(State state)
{
    return state == State::Saving || state == State::NotStarted;
}

bool isProvenUnsent(State state, Cause cause)
{
    return isBeforeSending(state) || state == State::Offline || (state == State::Cancelled && cause == Cause::NeverSent);
}

} // namespace

values::Money money(std::int64_t minorUnits, std::string_view currency)
{
    const auto known = values::Currency::fromCode(currency);
    CHECK(known.has_value());
    return {minorUnits, *known};
}

viewmodels::Cart sampleCart()
{
    return {QStringLiteral("cart_1"),
            {{QStringLiteral("Field notebook, dotted"), 2, money(2500, "EUR")},
             {QStringLiteral("Fountain pen ink, 30 ml"), 1, money(1029, "EUR")}},
            money(671, "EUR"),
            money(4200, "EUR")};
}

viewmodels::Cart cartOf(const values::Money& total)
{
    return {QStringLiteral("cart_1"), {{QStringLiteral("Notebook"), 1, total}}, {0, total.currency}, total};
}

viewmodels::CardFields goodFields()
{
    return {QStringLiteral("you@example.com"), QStringLiteral("4242424242424242"), QStringLiteral("12 / 31"),
            QStringLiteral("123")};
}

retry::Snapshot sampleSnapshot(State state, Cause cause)
{
    retry::Snapshot snapshot;
    snapshot.state = state;
    snapshot.cause = cause;
    if (state == State::Editing)
        return snapshot;
    snapshot.action = sampleAction();
    snapshot.attempt = isBeforeSending(state) ? 0 : 1;
    snapshot.posts = snapshot.attempt;
    snapshot.anyByteTaken = !isProvenUnsent(state, cause);
    snapshot.presses = 1;
    if (state == State::RetryWait || state == State::Offline)
        snapshot.nextTry = values::MonotonicTime(std::chrono::milliseconds(1800));
    if (state == State::Paid)
        snapshot.answer = {State::Paid, Cause::None, "1001", "ch_1", {}, money(4200, "EUR")};
    if (state == State::Declined)
        snapshot.answer = {State::Declined, Cause::None, {}, {}, "insufficient_funds"};
    if (state == State::NotCharged)
        snapshot.answer = {State::NotCharged, cause, {}, {}, {}, {}, "The e-mail address is not one that mail can reach."};
    if (state == State::Cancelled)
        snapshot.answer = {State::Cancelled, cause, {}, {}, {}};
    return snapshot;
}

std::vector<StateAndCause> everyStateAndCause()
{
    return {{State::Saving, Cause::None},
            {State::NotStarted, Cause::DiskRefused},
            {State::NotStarted, Cause::ShopUnreachable},
            {State::NotStarted, Cause::CardRefused},
            {State::NotStarted, Cause::CartHeld},
            {State::NotStarted, Cause::LeftUnsent},
            {State::Sending, Cause::None},
            {State::Confirming, Cause::None},
            {State::ServerWorking, Cause::None},
            {State::RetryWait, Cause::None},
            {State::Offline, Cause::None},
            {State::OfflineUnknown, Cause::None},
            {State::Paid, Cause::None},
            {State::Declined, Cause::None},
            {State::NotCharged, Cause::Refused},
            {State::Fencing, Cause::ByPerson},
            {State::Fencing, Cause::Refused},
            {State::Fencing, Cause::Expired},
            {State::Fencing, Cause::SignInNeeded},
            {State::Cancelled, Cause::Expired},
            {State::Cancelled, Cause::ClockWrong},
            {State::Cancelled, Cause::Closed},
            {State::Cancelled, Cause::NeverSent},
            {State::Cancelled, Cause::CartTaken},
            {State::Unresolved, Cause::DiskRefused},
            {State::Unresolved, Cause::AttemptsSpent},
            {State::Unresolved, Cause::Late},
            {State::Unresolved, Cause::PastValidity},
            {State::Unresolved, Cause::SignInNeeded},
            {State::Unresolved, Cause::CartTaken},
            {State::Unresolved, Cause::OtherServer},
            {State::Unresolved, Cause::OtherOwner},
            {State::Conflict, Cause::KeyReused},
            {State::Conflict, Cause::WrongAmount},
            {State::Conflict, Cause::ContraryAnswer},
            {State::Conflict, Cause::Discrepancy},
            {State::Conflict, Cause::TooOld}};
}

} // namespace payonce::tests
