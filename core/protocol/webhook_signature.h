// Signatures of webhooks: Standard Webhooks 1.0, symmetric (`v1`), HMAC-SHA256 over `id.timestamp.body`.
#pragma once

#include "values/result.h"
#include "values/time.h"

#include <chrono>
#include <string>
#include <string_view>

namespace payonce::protocol {

/// The three headers, as sent.
struct WebhookHead
{
    std::string id;        ///< `webhook-id`
    std::string timestamp; ///< `webhook-timestamp`: seconds since 1970
    std::string signature; ///< `webhook-signature`: one or more of `v1,BASE64`, with spaces between
};

/// How far the two clocks may be apart, in either direction.
inline constexpr std::chrono::minutes kWebhookWindow{5};
/// Longer ids and lists of signatures are refused unread.
inline constexpr std::size_t kLongestWebhookId = 255;
inline constexpr std::size_t kLongestWebhookSignature = 4096;

/// `secret`: `whsec_` and base64, as the standard writes it, or else the key's own bytes.
[[nodiscard]] WebhookHead signWebhook(std::string_view secret, std::string_view id, values::WallTime now,
                                      std::string_view body);

/// Empty, or why it is refused, in words for whoever sent it; never says anything about the secret. Takes the same time
/// wherever a wrong signature differs.
[[nodiscard]] values::Result<void, std::string> verifyWebhook(std::string_view secret, const WebhookHead& head,
                                                              std::string_view body, values::WallTime now);

} // namespace payonce::protocol
