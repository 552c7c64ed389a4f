// Where support reads what is not in the shop's database. Both outlive the shop.
#pragma once

#include "bank/evidence.h"
#include "console/timeline.h"

#include <functional>
#include <string>
#include <vector>

namespace payonce::shop {

/// What arrived about an action, oldest first.
struct Arrivals
{
    std::string account; ///< of the first one that names one
    std::vector<console::ArrivalFact> facts;
};

/// Arrivals told of one action, the newest ones.
inline constexpr std::size_t kArrivalsToldMost = 500;

struct SupportSources
{
    /// Of one account, or of the first that comes where `account` is empty.
    std::function<Arrivals(const values::ActionId& id, const std::string& account)> arrivals;
    bank::Evidence* evidence = nullptr;
};

} // namespace payonce::shop
