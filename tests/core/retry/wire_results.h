// Ends of requests, as the transport would report them.
#pragma once

#include "retry/wire_result.h"

namespace payonce::retry_tests {

[[nodiscard]] values::ActionId anId();
[[nodiscard]] values::ActionId anotherId();
/// 42.00 EUR.
[[nodiscard]] values::Money anAmount();

/// No byte of the body was taken.
[[nodiscard]] retry::WireResult notSent(retry::TransportError error = retry::TransportError::ConnectionRefused);
/// The body was taken, and then the connection was gone.
[[nodiscard]] retry::WireResult lost(retry::TransportError error = retry::TransportError::RemoteClosed);
/// What abortPost leads to.
[[nodiscard]] retry::WireResult aborted(retry::EndReason reason);

/// An authentic answer about `anId()`.
[[nodiscard]] retry::WireResult answer(int status, const retry::AnswerBody& body = {});
[[nodiscard]] retry::WireResult problem(int status, const std::string& code);
[[nodiscard]] retry::WireResult paid();
[[nodiscard]] retry::WireResult declined();
/// A probe's 200.
[[nodiscard]] retry::WireResult found(values::RecordState state);
[[nodiscard]] retry::WireResult notFound();
[[nodiscard]] retry::WireResult withRetryAfter(retry::WireResult result, std::chrono::milliseconds delay);

} // namespace payonce::retry_tests
