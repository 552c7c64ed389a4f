// Everything the shop's database knows of an action, read in one job on the writer thread.
#pragma once

#include "console/support_search.h"
#include "shop/shop_store.h"

#include <optional>
#include <string>
#include <vector>

namespace payonce::shop {

/// Actions of one answer, and how near a neighbour is.
inline constexpr int kActionsToldMost = 50;
inline constexpr int kNeighboursToldMost = 20;
inline constexpr std::chrono::hours kNeighbourSpan{1};

struct FoundAction
{
    storage::SupportRow row;
    std::vector<std::string> othersKeys;    ///< bank keys of the same action ID under other accounts
    std::vector<std::string> othersCharges; ///< their charges, as far as the shop knows them
};

struct FoundActions
{
    std::vector<FoundAction> actions;
    bool hasMore = false;
};

struct Material
{
    std::string account;
    std::optional<FoundAction> action;
    bool isOthers = false;                       ///< the account that was named has never used the ID, another one has
    std::optional<values::ActionId> otherHolder; ///< of the cart
    std::vector<storage::SupportMail> mails;
    std::vector<storage::AuditRow> deeds;
    std::vector<std::string> reports;
    std::vector<storage::SupportEvent> events;
    std::vector<FoundAction> neighbours;
};

/// Newest first, at most kActionsToldMost. A charge is no term here.
[[nodiscard]] Outcome<FoundActions> findActions(ShopStore& store, const std::vector<console::SearchTerm>& terms);
/// The action of this account; where `account` is empty, the newest of that ID.
[[nodiscard]] Outcome<std::optional<FoundAction>> findAction(ShopStore& store, const values::ActionId& id,
                                                             const std::string& account);
/// Has an account other than this one used the ID? Only asked where findAction() found nothing.
[[nodiscard]] Outcome<bool> isOfAnother(ShopStore& store, const values::ActionId& id, const std::string& account);
/// `said`: the account that was named, or empty. `came`: that of the first arrival, for an action without a record.
[[nodiscard]] Outcome<Material> gatherMaterial(ShopStore& store, const values::ActionId& id, const std::string& said,
                                               const std::string& came);

} // namespace payonce::shop
