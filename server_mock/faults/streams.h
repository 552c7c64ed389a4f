// What the tester calls each request: its cart or its e-mail. Random rules draw by it (docs/faults.md, Scenario file).
#pragma once

#include "faults/fault_points.h"

#include <cstddef>
#include <deque>
#include <map>
#include <string>
#include <utility>

namespace payonce::faults {

/// Actions whose stream is known at once; beyond, the oldest is forgotten.
inline constexpr std::size_t kMostStreams = 50'000;

class Streams
{
public:
    /// Fills in `stream` and `drawNth` of an arrival whose `nth` is known. Of a payment or a sign-up the body is read; what
    /// follows it is known by its action. Requests without a name share one stream, in the order in which they come.
    void name(Arrival& arrival);
    void forget();

private:
    using Action = std::pair<std::string, std::string>; // account and ID

    void remember(const Action& action, const std::string& stream);

    std::map<Action, std::string> m_streams;
    std::deque<Action> m_order;
    std::map<console::Operation, int> m_unnamed;
};

} // namespace payonce::faults
