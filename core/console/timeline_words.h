// The rows of a timeline, one kind of fact a function: their names for machines and their words. Internal to core/console.
#pragma once

#include "console/timeline.h"

namespace payonce::console {

enum class Copy { First, Later };
enum class Arrived { No, Yes };

/// `told`: what the client says of it; null if it says nothing.
[[nodiscard]] TimelineRow attemptRow(int number, const ReportedAttempt* told, Arrived arrived);
[[nodiscard]] TimelineRow arrivalRow(const ArrivalFact& fact, Copy copy);
[[nodiscard]] TimelineRow claimRow(const RecordFact& record);
[[nodiscard]] TimelineRow settledRow(const RecordFact& record);
[[nodiscard]] TimelineRow bankRow(const BankFact& fact);
[[nodiscard]] TimelineRow silentBankRow(values::WallTime at);
[[nodiscard]] TimelineRow webhookRow(const WebhookFact& fact);
[[nodiscard]] TimelineRow mailQueuedRow(const MailFact& mail);
[[nodiscard]] TimelineRow mailSentRow(const MailFact& mail);
[[nodiscard]] TimelineRow staffRow(const StaffFact& deed);

} // namespace payonce::console
