// From rows of the shop and the bank to what support is shown. Pure.
#pragma once

#include "bank/evidence.h"
#include "console/support_view.h"
#include "shop/support_evidence.h"
#include "shop/support_material.h"
#include "shop/support_sources.h"

namespace payonce::shop {

/// Of the bank; empty: it does not answer.
using KnownRows = std::optional<EvidenceRows>;

/// What the bank is to be asked for, about these actions.
[[nodiscard]] bank::EvidenceQuery evidenceQueryFor(const std::vector<FoundAction>& actions);

/// What the rules look at. `action` empty: the shop has never seen `id`.
[[nodiscard]] console::Standing standingOf(const values::ActionId& id, const std::optional<FoundAction>& action,
                                           const KnownRows& evidence, const std::optional<values::ActionId>& otherHolder);
/// The charge an order can be finished from; empty if there is none.
[[nodiscard]] std::string chargeFor(const FoundAction& action, const EvidenceRows& evidence);

[[nodiscard]] console::SupportHit hitOf(const FoundAction& action, const KnownRows& evidence);

struct ViewParts
{
    values::ActionId id;
    Material material;
    KnownRows evidence;
    Arrivals arrivals;
    values::WallTime asOf;
};
[[nodiscard]] console::SupportView viewOf(const ViewParts& parts);

} // namespace payonce::shop
