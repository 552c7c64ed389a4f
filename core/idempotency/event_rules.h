// What an event of the bank does to a record (docs/contract.md, Webhooks and mails). Pure.
#pragma once

#include "idempotency/key_record.h"

namespace payonce::idempotency {

/// What the bank says by itself, at least once, in any order.
struct BankEvent
{
    std::string id; ///< of the delivery's content; the same fact may come under another one
    values::BankKey bankKey;
    BankRow row;               ///< Approved or Declined
    std::int64_t sequence = 0; ///< counts the transitions of one bank key
    values::Money amount;
    values::WallTime at;
};

/// `charge.succeeded` or `charge.declined`. Bank key, transition, charge and amount are the business fact that an effect is
/// keyed by: a second charge or another amount is another fact.
[[nodiscard]] const char* transitionOf(const BankEvent& event);
/// Approved or Declined; empty for any other text.
[[nodiscard]] std::optional<BankState> stateOfTransition(std::string_view transition);

enum class EventOutcome {
    Applied,       ///< the record was open and is settled by it
    Agrees,        ///< the record ended so already
    SameFact,      ///< the fact is known from an event of another id
    Late,          ///< a newer transition of this payment is known
    Parked,        ///< nothing here has this bank key yet
    Contradiction, ///< changes nothing; people must look
    Duplicate,     ///< this very event is known
};

/// `applied`, `agrees`, `same_fact`, `late`, `parked`, `contradiction`, `duplicate`.
[[nodiscard]] const char* nameOf(EventOutcome outcome);

struct EventFacts
{
    std::optional<KeyRecord> record;            ///< the one with the event's bank key
    bool isFactKnown = false;                   ///< from an event of another id, which was not parked
    std::optional<std::int64_t> newestSequence; ///< of the facts known of this bank key
};

/// For an event whose id is new; so never Duplicate. An open record of another amount is not settled by the event: the
/// reconciler asks the bank itself. A charge that the record does not know and another amount are contradictions in whatever
/// order the events come.
[[nodiscard]] EventOutcome decideEvent(const BankEvent& event, const EventFacts& facts);

} // namespace payonce::idempotency
