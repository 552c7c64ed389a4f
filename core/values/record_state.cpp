#include "values/record_state.h"

namespace payonce::values {

bool isTerminal(RecordState state)
{
    return state != RecordState::InProgress && state != RecordState::Unknown;
}

const char* nameOf(RecordState state)
{
    switch (state) {
    case RecordState::InProgress: return "in_progress";
    case RecordState::Unknown: return "unknown";
    case RecordState::Succeeded: return "succeeded";
    case RecordState::Failed: return "failed";
    case RecordState::Abandoned: return "abandoned";
    }
    return "";
}

std::optional<RecordState> recordStateOf(std::string_view name)
{
    for (const auto state :
         {RecordState::InProgress, RecordState::Unknown, RecordState::Succeeded, RecordState::Failed, RecordState::Abandoned})
        if (name == nameOf(state))
            return state;
    return {};
}

} // namespace payonce::values
