// A judgement as a person reads it on a terminal.
#pragma once

#include "judge/judgement.h"

#include <string>

namespace payonce::judge {

/// Requests that are listed of one purchase.
inline constexpr std::size_t kMostRequestsShown = 20;

[[nodiscard]] std::string wordsOf(const Findings& findings);

} // namespace payonce::judge
