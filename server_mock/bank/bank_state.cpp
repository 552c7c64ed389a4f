#include "bank/bank_state.h"

namespace payonce::bank {

using idempotency::BankState;

const char* nameOf(BankState state)
{
    switch (state) {
    case BankState::Approved: return "approved";
    case BankState::Declined: return "declined";
    case BankState::Fenced: return "fenced";
    case BankState::Running:
    case BankState::NeverSeen: break;
    }
    return "";
}

std::optional<BankState> stateOf(std::string_view name)
{
    for (const auto state : {BankState::Approved, BankState::Declined, BankState::Fenced})
        if (name == nameOf(state))
            return state;
    return {};
}

} // namespace payonce::bank
