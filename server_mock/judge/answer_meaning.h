// What an answer of the shop tells its client about a payment.
#pragma once

#include "console/sighting.h"
#include "http/message.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace payonce::judge {

struct AnswerMeaning
{
    console::Said said = console::Said::Nothing;
    std::optional<std::chrono::seconds> retryAfter{};
    std::vector<std::string> paidActions{}; ///< of orders that it tells as paid
};

/// Also of an answer that a fault made up or exchanged: read by its status and its members, as a client would. One that names
/// another action than `actionId` settles nothing.
[[nodiscard]] AnswerMeaning meaningOf(const http::Response& response, const std::string& actionId, values::WallTime now);

} // namespace payonce::judge
