// One request of a judged client, as the shop's end of the wire saw it.
#pragma once

#include "console/fault_point.h"
#include "values/time.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace payonce::console {

/// How it ended, as far as the shop can tell.
enum class SightingEnd {
    Open,   ///< not answered yet
    Told,   ///< the whole answer was handed to the connection
    Lost,   ///< the shop's side ended the connection before the whole answer had left
    Silent, ///< no answer will come, and the connection stays open
    Left,   ///< the client was gone first
};

/// What a told answer says about the payment.
enum class Said {
    Nothing,    ///< it may or may not have been charged
    Refused,    ///< this request did nothing; of earlier ones it says nothing
    NotCharged, ///< this key is not charged, now or later
    Charged,
};

struct Sighting
{
    std::uint64_t number = 0; ///< counted over all requests of the client, from 1
    std::uint64_t connection = 0;
    std::string account;
    std::string key;      ///< as the client sent it, or the ID in the path; empty: none that is well-formed
    std::string actionId; ///< as the shop's records know it
    std::string attempt;  ///< the number in `Action-Attempt`, or empty
    Operation operation = Operation::Pay;
    std::string cartId; ///< these three of a payment, as far as they are there
    std::string email;
    std::string amount; ///< `42.00 EUR`
    values::Now at{};
    std::optional<values::MonotonicTime> endedAt{};
    SightingEnd end = SightingEnd::Open;
    int status = 0; ///< of Told, and where the client was gone before an answer
    Said said = Said::Nothing;
    std::optional<std::chrono::seconds> retryAfter{}; ///< of Told
    std::vector<std::string> paidActions{};           ///< of orders that were told as paid
    bool isHeadOnly = false;                          ///< it ended before its body was read
};

/// An approved row of the bank.
struct SightedCharge
{
    std::string id;
    std::string account{}; ///< empty where the shop has not settled it
    std::string actionId;
};

} // namespace payonce::console
