// What came back over the wire, as facts, before anybody decides what it means.
#pragma once

#include "retry/action.h"
#include "values/record_state.h"

#include <chrono>
#include <optional>
#include <string>

namespace payonce::retry {

/// What a problem says about sending again (docs/contract.md, Answers).
enum class RetryAdvice { None, Never, SameKey, AfterCheck, NewKey };

/// The members of an answer that decide something. Filled by the transport from JSON; absent members stay empty.
struct AnswerBody
{
    std::optional<values::ActionId> actionId;
    std::optional<values::RecordState> state;
    std::string code;   ///< problem code, e.g. `card-declined`; empty where the answer is no problem
    std::string detail; ///< a sentence for people, from the server
    std::string reason; ///< of an abandoned record: cancelled, expired, cart-taken
    std::string heldBy; ///< of `cart-taken`
    std::optional<values::Money> amount;
    std::string orderNumber;
    std::string chargeId;
    std::string declineCode;
    RetryAdvice retry = RetryAdvice::None;
    bool discrepancy = false; ///< the server's own records contradict each other
    std::string json;         ///< the answer itself; of a status answer the kept one inside it, where it has one
    friend bool operator==(const AnswerBody&, const AnswerBody&) = default;
};

/// The end of one request. "bytesTaken == 0" proves that nothing of the body ever left (docs/client.md, invariant 4).
struct WireResult
{
    std::int64_t bytesTaken = 0;
    std::optional<int> status;
    TransportError error = TransportError::None;
    EndReason reason = EndReason::Finished;
    bool complete = false;          ///< as long as its Content-Length, which was there
    bool digestMatches = false;     ///< Content-Digest (RFC 9530) was there and is right
    bool encoded = false;           ///< a Content-Encoding was there
    std::optional<AnswerBody> body; ///< present if it was JSON of a known form
    /// Retry-After (RFC 9110, 10.2.3), seconds or date, already made a delay. Never negative.
    std::optional<std::chrono::milliseconds> retryAfter;
    std::optional<values::WallTime> serverTime; ///< `Date`
};

} // namespace payonce::retry
