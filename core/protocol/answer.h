// The answers about an action, as the server writes them (docs/contract.md, Answers and Bodies).
#pragma once

#include "idempotency/key_record.h"
#include "idempotency/problem.h"

#include <chrono>
#include <optional>
#include <string>

namespace payonce::protocol {

inline constexpr const char* kJsonType = "application/json";
inline constexpr const char* kProblemType = "application/problem+json";

/// A problem (RFC 9457). Status, title and retry come from the code's rule.
struct Problem
{
    idempotency::ProblemCode code = idempotency::ProblemCode::BodyInvalid;
    std::string detail;
    std::optional<values::ActionId> actionId{};         ///< once the key was parsed
    std::optional<std::chrono::seconds> retryAfter{};   ///< also sent as Retry-After
    std::optional<idempotency::RecordState> state{};    ///< where the answer comes from a record
    std::optional<idempotency::AbandonReason> reason{}; ///< of an abandoned record
    std::string heldBy{};                               ///< of `cart-taken`
    std::string instance{};                             ///< the path asked for; with an action ID, its own path is used
};

/// What goes out for a request: status, type and exact body; Retry-After where there is one.
struct Answer
{
    int status = 200;
    std::string contentType;
    std::string body;
    std::optional<std::chrono::seconds> retryAfter{};
};

[[nodiscard]] Answer answerOf(const Problem& problem);

/// The answer that is kept and replayed: 201 of a Succeeded record, 402 of a Failed one. An idempotency::AnswerRenderer.
[[nodiscard]] idempotency::StoredAnswer renderStored(const idempotency::KeyRecord& record);

/// The answer to a POST, from the record as it stands: the stored answer, or the problem of its state (409 in-progress
/// and outcome-unknown with `retryAfter`, 409 cart-taken, 410 action-abandoned and action-expired).
[[nodiscard]] Answer answerToPost(const idempotency::KeyRecord& record, std::chrono::seconds retryAfter);

/// The 200 of GET /v1/actions/{id}, in every state.
[[nodiscard]] Answer answerToStatus(const idempotency::KeyRecord& record, std::chrono::seconds retryAfter);

} // namespace payonce::protocol
