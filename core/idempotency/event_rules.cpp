#include "idempotency/event_rules.h"

#include "values/check.h"

namespace payonce::idempotency {

namespace {

constexpr const char* kSucceeded = "charge.succeeded";
constexpr const char* kDeclined = "charge.declined";

/// Money did not move, whatever the record calls it: a decline and a fence say the same.
bool isUncharged(RecordState state)
{
    return state == RecordState::Failed || state == RecordState::Abandoned;
}

bool agrees(const BankEvent& event, const KeyRecord& record)
{
    if (event.row.state == BankState::Declined)
        return isUncharged(record.state);
    return record.state == RecordState::Succeeded && record.chargeId == event.row.chargeId;
}

/// Money moved that the record does not know: no newer event takes that back, so its place in the sequence does not matter.
bool tellsUnknownCharge(const BankEvent& event, const KeyRecord& record)
{
    return event.row.state == BankState::Approved && values::isTerminal(record.state) && !agrees(event, record);
}

bool isOfItsAmount(const BankEvent& event, const KeyRecord& record)
{
    return record.terms && record.terms->amount == event.amount;
}

} // namespace

const char* transitionOf(const BankEvent& event)
{
    CHECK(event.row.state == BankState::Approved || event.row.state == BankState::Declined);
    return event.row.state == BankState::Approved ? kSucceeded : kDeclined;
}

std::optional<BankState> stateOfTransition(std::string_view transition)
{
    if (transition == kSucceeded)
        return BankState::Approved;
    return transition == kDeclined ? std::optional(BankState::Declined) : std::nullopt;
}

const char* nameOf(EventOutcome outcome)
{
    switch (outcome) {
    case EventOutcome::Applied: return "applied";
    case EventOutcome::Agrees: return "agrees";
    case EventOutcome::SameFact: return "same_fact";
    case EventOutcome::Late: return "late";
    case EventOutcome::Parked: return "parked";
    case EventOutcome::Contradiction: return "contradiction";
    case EventOutcome::Duplicate: return "duplicate";
    }
    return "";
}

EventOutcome decideEvent(const BankEvent& event, const EventFacts& facts)
{
    if (!facts.record)
        return EventOutcome::Parked;
    if (facts.isFactKnown)
        return EventOutcome::SameFact;
    if (!isOfItsAmount(event, *facts.record) || tellsUnknownCharge(event, *facts.record))
        return EventOutcome::Contradiction;
    if (facts.newestSequence && event.sequence < *facts.newestSequence)
        return EventOutcome::Late;
    if (!values::isTerminal(facts.record->state))
        return EventOutcome::Applied;
    return agrees(event, *facts.record) ? EventOutcome::Agrees : EventOutcome::Contradiction;
}

} // namespace payonce::idempotency
