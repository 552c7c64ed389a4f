// An event of the bank as the body of its webhook (docs/contract.md, Webhooks and mails).
#pragma once

#include "idempotency/event_rules.h"
#include "protocol/body_problem.h"
#include "values/result.h"

namespace payonce::protocol {

/// Without its id, which travels in a header.
[[nodiscard]] std::string renderBankEvent(const idempotency::BankEvent& event);
/// `id`: as in its header. Members it does not know are left alone.
[[nodiscard]] values::Result<idempotency::BankEvent, BodyProblem> parseBankEvent(std::string_view id, std::string_view body);

} // namespace payonce::protocol
