// What the tester calls each request: its cart or its e-mail. Random rules draw by it (docs/faults.md, Scenario file).
#pragma once

#include "faults/by_action.h"
#include "faults/fault_points.h"

#include <cstddef>
#include <map>
#include <string>

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
    ByAction<std::string, kMostStreams> m_streams;
    std::map<console::Operation, int> m_unnamed;
};

} // namespace payonce::faults
