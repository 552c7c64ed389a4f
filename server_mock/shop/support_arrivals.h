// The journal of arrivals as support reads it.
#pragma once

#include "faults/arrival_journal.h"
#include "shop/support_sources.h"

namespace payonce::shop {

/// As SupportSources::arrivals. Support's own requests are not told.
[[nodiscard]] Arrivals arrivalsOf(const faults::ArrivalJournal& journal, const values::ActionId& id, std::string account);

} // namespace payonce::shop
