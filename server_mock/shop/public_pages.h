// The pages for everybody: liveness, problems explained, the contract as OpenAPI. No token, and no fault hits them.
#pragma once

#include "http/message.h"
#include "shop/routes.h"

#include <string>

namespace payonce::shop {

/// Does this endpoint answer without a token?
[[nodiscard]] bool isPublic(Endpoint endpoint);

/// Answered by Shop::handle() before it returns.
[[nodiscard]] bool isForEverybody(const http::Request& request);

/// In the text format of Prometheus.
[[nodiscard]] http::Response metricsPage(const std::string& text);
/// resources/openapi.yaml.
[[nodiscard]] http::Response openApiPage();

} // namespace payonce::shop
