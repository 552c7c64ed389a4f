// Answers of the contract as HTTP responses: the echo of the action, Retry-After and the replay's mark.
#pragma once

#include "http/message.h"
#include "idempotency/once_rules.h"
#include "protocol/answer.h"
#include "shop/incoming.h"

#include <optional>

namespace payonce::shop {

[[nodiscard]] http::Response responseOf(const protocol::Answer& answer, const std::optional<values::ActionId>& echo);
[[nodiscard]] http::Response responseOf(const protocol::Problem& problem);
/// 200 with this JSON.
[[nodiscard]] http::Response okResponse(const std::string& body, const std::optional<values::ActionId>& echo = {});

enum class Telling { First, Replay };
/// The answer to a POST from the record as it stands. `Idempotent-Replayed` only on a stored answer that is told again.
[[nodiscard]] http::Response postResponse(const idempotency::KeyRecord& record, Telling telling,
                                          std::chrono::milliseconds retryAfter);
/// What a repeat of the request gets that was answered so, from a stored answer.
[[nodiscard]] http::Response asReplay(http::Response first);
/// The 200 of GET /v1/actions/{id}.
[[nodiscard]] http::Response statusResponse(const idempotency::KeyRecord& record, std::chrono::milliseconds retryAfter);
/// 410: older than what is kept, and the caller did not say of what kind it is.
[[nodiscard]] http::Response keyTooOld(const values::ActionId& action);
/// 422: the same key with other content, or for something else.
[[nodiscard]] http::Response keyReused(const values::ActionId& action);
/// A rule that can change refused it; Retry-After where the same request may come again.
[[nodiscard]] http::Response refusalResponse(const idempotency::RefuseClaim& refusal, const values::ActionId& action,
                                             std::chrono::milliseconds retryAfter);
/// The answer to the POST of a kind without a bank.
[[nodiscard]] http::Response onceResponse(const idempotency::OnceDecision& decision, const values::ActionId& action,
                                          std::chrono::milliseconds retryAfter);
/// 503: the store cannot answer; nothing was done.
[[nodiscard]] http::Response storeUnavailable(const std::optional<values::ActionId>& echo,
                                              std::chrono::milliseconds retryAfter);
/// The same to a request that need not be about an action.
[[nodiscard]] http::Response storeUnavailable(const Incoming& incoming, std::chrono::milliseconds retryAfter);

} // namespace payonce::shop
