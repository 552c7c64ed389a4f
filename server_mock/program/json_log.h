// The log on stderr: one JSON object a line. Never a body, a card or a token.
#pragma once

#include "shop/shop_parts.h"

namespace payonce::program {

/// Qt's own messages become lines too; debug and info ones are left out.
void installJsonLog();
/// A shop::Warn.
void logWarning(const shop::LogEvent& event);

} // namespace payonce::program
