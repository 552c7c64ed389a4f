#include "protocol/client_report.h"

#include "protocol/fields.h"
#include "protocol/json_text.h"
#include "values/check.h"
#include "values/time.h"

namespace payonce::protocol {

namespace {

/// Far more than the machine ever makes; keeps the report below the shop's bound.
constexpr std::size_t kMostTold = 64;

/// Answers that are remembered.
bool isFinal(const retry::AttemptEnd& end)
{
    return end.error == retry::TransportError::None &&
           (end.status == 200 || end.status == 201 || end.status == 402 || end.status == 410);
}

OrderedJson attemptJson(const retry::Attempt& attempt)
{
    OrderedJson json = {{"n", attempt.number}, {"at", values::toRfc3339(attempt.startedAt)}};
    if (!attempt.end) {
        json["outcome"] = "unknown"; // the process died before it was known
        return json;
    }
    json["bytes_taken"] = attempt.end->bytesTaken;
    json["status"] = attempt.end->status ? OrderedJson(*attempt.end->status) : OrderedJson();
    json["outcome"] = isFinal(*attempt.end) ? "final" : attempt.end->bytesTaken == 0 ? "not_sent" : "unknown";
    json["error"] = retry::nameOf(attempt.end->error);
    json["reason"] = retry::nameOf(attempt.end->reason);
    return json;
}

} // namespace

std::string buildReport(const retry::Snapshot& snapshot, std::chrono::milliseconds clockOffset)
{
    CHECK(snapshot.action.has_value());
    OrderedJson json;
    json["clock_offset_ms"] = clockOffset.count();
    json["attempts"] = OrderedJson::array();
    const auto& attempts = snapshot.action->attempts;
    const std::size_t first = attempts.size() > kMostTold ? attempts.size() - kMostTold : 0;
    for (std::size_t index = first; index < attempts.size(); ++index)
        json["attempts"].push_back(attemptJson(attempts[index]));
    json["presses"] = OrderedJson::object();
    for (std::size_t index = 0; index < snapshot.pressesIn.size(); ++index)
        if (const int presses = snapshot.pressesIn.at(index); presses > 0)
            json["presses"][std::string(protocol::nameOf(static_cast<retry::State>(index)))] = presses;
    json["last_state"] = retry::nameOf(snapshot.state);
    return textOf(json);
}

} // namespace payonce::protocol
