// WireBench: one POST or probe of an HttpTransport, waited for.
#pragma once

#include "core/retry/wire_results.h"
#include "transport/http_transport.h"

#include <QtCore/QByteArray>

#include <optional>

namespace payonce::wiretest {

inline constexpr int kPatience = 20'000;

/// The payment of retry_tests::anId().
[[nodiscard]] retry::PostRequest aPost();
/// What the shop says when that payment was made: our ID, our amount.
[[nodiscard]] QByteArray paidBody();

/// The end of one attempt; empty if it never came.
[[nodiscard]] std::optional<retry::WireResult> postOnce(transport::HttpTransport& transport);
[[nodiscard]] std::optional<retry::WireResult> probeOnce(transport::HttpTransport& transport);

} // namespace payonce::wiretest
