// The faults a client may be asked for: PAYONCE_FAULT, and what `payonce --points` tells.
#pragma once

#include "console/fault_rule.h"
#include "values/result.h"

#include <QtCore/QString>

#include <vector>

namespace payonce::points {

/// `sent:1=crash`, several joined by commas. `POINT[:NTH]=ACTION[:MS]`; without NTH it is done every time. The error is a
/// sentence.
[[nodiscard]] values::Result<std::vector<console::Rule>, QString> rulesIn(const QString& variable);
/// The rules that this program carries out.
[[nodiscard]] std::vector<console::Rule> clientRules(const std::vector<console::Rule>& rules);
/// One line a point: its name, and what can be done there.
[[nodiscard]] QString pointsText();

} // namespace payonce::points
