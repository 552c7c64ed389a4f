// What support sees: a page of found actions, and one action with its verdict, story and permissions.
#pragma once

#include "console/support_rules.h"
#include "console/timeline.h"
#include "console/verdict.h"
#include "values/uuid.h"

#include <optional>
#include <string>
#include <vector>

namespace payonce::console {

/// An action in a list.
struct SupportHit
{
    values::ActionId id;
    std::string account{};
    std::string kind{};                         ///< `payment`, `account`
    std::optional<values::RecordState> state{}; ///< none: the shop has never seen it
    VerdictCode code = VerdictCode::NotCharged;
    std::optional<values::Money> amount{};
    std::string email{}; ///< masked
    std::string lastFour{};
    std::string orderNumber{};
    values::WallTime at{}; ///< first seen
};

/// Newest first.
struct SupportPage
{
    std::vector<SupportHit> hits{};
    bool hasMore = false;
    bool isBankSilent = false; ///< it does not answer now: of no payment here is known whether it is charged
};

/// Everything about one action, but its story.
struct SupportAction
{
    SupportHit hit;
    bool isPurged = false; ///< only the order is kept
    bool cancelRequested = false;
    bool hasDiscrepancy = false; ///< an event of the bank says otherwise than the record
    std::string reason{};        ///< of an abandoned one: `cancelled`, `expired`, `cart-taken`
    std::string heldBy{};
    std::string cartId{};
    OrderStanding order = OrderStanding::None;
    std::string orderId{};
    std::string paymentId{};
    std::string chargeId{}; ///< that the shop knows
    std::string declineCode{};
    std::string bankKey{};
    int charges = 0; ///< that the bank has
    std::optional<values::WallTime> settledAt{};
    std::optional<values::WallTime> validUntil{};
};

struct SupportView
{
    SupportAction action;
    std::string customerSentence{};
    values::WallTime asOf{};
    bool isBankSilent = false; ///< it does not answer now; the rest is what the shop knows
    std::vector<TimelineRow> timeline{};
    std::vector<SupportHit> neighbours{};
    std::vector<Permission> allowed{};
};

} // namespace payonce::console
