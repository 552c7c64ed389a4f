// One row of the journal of arrivals: what reached which point, and what the simulator did there (docs/contract.md).
// Never a body, a card number or a token.
#pragma once

#include "console/scenario.h"
#include "faults/json_text.h"
#include "values/time.h"

#include <cstdint>
#include <optional>
#include <string>

namespace payonce::faults {

/// Longer texts are cut: nothing a client sends makes a row large.
inline constexpr std::size_t kLongestField = 255;

/// The first point of a request, or of a try to send a mail; what arrives is counted there.
[[nodiscard]] inline bool isArrival(console::Point point)
{
    return point == console::Point::Received || point == console::Point::OutboxBefore;
}

/// How the connection ends by what the row describes.
enum class RowEnd { None, Fin, Rst, Silence, Answer, Crash, Closed };

struct ArrivalRow
{
    std::int64_t seq = 0; ///< counted since the file began, without gaps
    int epoch = 0;
    values::Now time{}; ///< monotonic since the machine's start, so that it goes on over a restart of the server
    std::uint64_t connection = 0;
    std::uint64_t request = 0;
    std::string account;
    std::string actionId; ///< empty: the request names none
    std::string attempt;  ///< empty: the client sent no number
    console::Operation operation = console::Operation::Pay;
    console::Point point = console::Point::Received;
    std::int64_t offset = 0; ///< of the two reply points
    std::string rule;        ///< empty: no rule fired
    std::int64_t bytesIn = 0;
    std::int64_t bytesOut = 0;
    RowEnd end = RowEnd::None; ///< ended by the client if Closed, else by the server
    std::string refusal{};     ///< the request is refused with this problem, whatever its action has; empty: it is not
};

/// The members seq, epoch, mono_us, at, connection, request, account, action_id, attempt, op, point, rule, bytes_in,
/// bytes_out, end, end_by (and refusal, if there is one); null where there is nothing to say. On one line.
void appendLine(std::string& text, const ArrivalRow& row);
/// The same as a value.
[[nodiscard]] OrderedJson toJson(const ArrivalRow& row);
/// Empty if it is not what toJson() makes.
[[nodiscard]] std::optional<ArrivalRow> rowOf(const nlohmann::json& json);

} // namespace payonce::faults
