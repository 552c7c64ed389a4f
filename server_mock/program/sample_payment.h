// The body of a payment that a judged client may send as it is, so that a shell and curl are client enough.
#pragma once

#include "bank/bank.h"
#include "shop/records.h"

#include <QtCore/QString>

#include <string>

namespace payonce::program {

/// Exchanges a test card for `account` and writes the body to `path` (0600), a moment later. It can be paid for 23 hours.
/// Both outlive the work. What cannot be written is warned of; `done` is called in any case.
void writeSamplePayment(bank::Bank& bank, shop::Records& records, const std::string& account, const QString& path,
                        std::function<void()> done);

} // namespace payonce::program
