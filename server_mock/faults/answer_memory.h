// What was answered before, for the rules that answer it again: `swap` and `stale`.
#pragma once

#include "faults/by_action.h"
#include "faults/fault_points.h"
#include "http/message.h"

#include <cstddef>
#include <deque>
#include <map>
#include <string>

namespace payonce::faults {

/// Actions whose last look-up is kept; beyond, the oldest is forgotten.
inline constexpr std::size_t kMostLookUps = 1'000;

class AnswerMemory
{
public:
    /// The answer leaves as it is.
    void keep(const Arrival& arrival, const http::Response& response);
    /// Another action's newest answer to the same operation; where there is none, `response` under another ID.
    [[nodiscard]] http::Response swapped(const Arrival& arrival, const http::Response& response) const;
    /// What the look-up before this one was answered; where there was none, that the action is unknown.
    [[nodiscard]] http::Response stale(const Arrival& arrival) const;
    void forget();

private:
    struct Kept
    {
        std::string actionId;
        http::Response response;
    };
    std::map<console::Operation, std::deque<Kept>> m_newest; // of two actions each
    ByAction<http::Response, kMostLookUps> m_lookUps;
};

} // namespace payonce::faults
