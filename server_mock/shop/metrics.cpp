#include "shop/metrics.h"

#include <variant>

namespace payonce::shop {

namespace {

ClaimEnd endOf(values::RecordState state)
{
    switch (state) {
    case values::RecordState::InProgress: return ClaimEnd::InProgress;
    case values::RecordState::Unknown: return ClaimEnd::OutcomeUnknown;
    case values::RecordState::Succeeded:
    case values::RecordState::Failed: return ClaimEnd::Replayed;
    case values::RecordState::Abandoned: return ClaimEnd::Abandoned;
    }
    return ClaimEnd::Replayed;
}

template <class Decision> ClaimEnd endOfNoRun(const Decision& decision)
{
    if (std::holds_alternative<idempotency::WriteTombstone>(decision))
        return ClaimEnd::Closed;
    if (std::holds_alternative<idempotency::Mismatch>(decision))
        return ClaimEnd::Mismatch;
    if (const auto* known = std::get_if<idempotency::AnswerFrom>(&decision))
        return endOf(known->record.state);
    return ClaimEnd::Refused;
}

} // namespace

ClaimEnd claimEndOf(const idempotency::ClaimDecision& decision)
{
    return std::holds_alternative<idempotency::Execute>(decision) ? ClaimEnd::Run : endOfNoRun(decision);
}

ClaimEnd claimEndOf(const idempotency::OnceDecision& decision)
{
    return std::holds_alternative<idempotency::RunOnce>(decision) ? ClaimEnd::Run : endOfNoRun(decision);
}

bool isSuppressed(ClaimEnd end)
{
    switch (end) {
    case ClaimEnd::Replayed:
    case ClaimEnd::InProgress:
    case ClaimEnd::OutcomeUnknown:
    case ClaimEnd::Abandoned: return true;
    case ClaimEnd::Run:
    case ClaimEnd::Closed:
    case ClaimEnd::Mismatch:
    case ClaimEnd::Refused: return false;
    }
    return false;
}

} // namespace payonce::shop
