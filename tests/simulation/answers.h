// Answers of the shop, as an honest network would bring them to the app.
#pragma once

#include "idempotency/key_record.h"
#include "idempotency/problem.h"
#include "retry/wire_result.h"

#include <chrono>

namespace payonce::simulation {

[[nodiscard]] retry::WireResult problem(const values::ActionId& id, idempotency::ProblemCode code,
                                        std::optional<std::chrono::milliseconds> retryAfter = {});
/// To a POST, from the record as it stands (docs/contract.md, Answers).
[[nodiscard]] retry::WireResult postAnswer(const idempotency::KeyRecord& record);
/// To `GET /v1/actions/{id}`.
[[nodiscard]] retry::WireResult probeAnswer(const idempotency::KeyRecord& record);
/// A refusal or failure before the key was looked up: nothing of it is remembered. Its advice is anybody's guess.
[[nodiscard]] retry::WireResult strangeAnswer(const values::ActionId& id, std::uint64_t draw);

} // namespace payonce::simulation
