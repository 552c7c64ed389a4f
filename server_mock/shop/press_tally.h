// Clients tell how often was pressed so far; this keeps what was told last, so that only the increase is counted.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <unordered_map>

namespace payonce::shop {

/// Totals remembered; the oldest is forgotten first.
inline constexpr std::size_t kTotalsMost = 4096;

class PressTally
{
public:
    /// How much `total` is above what was told before under this name; 0 where it is not.
    [[nodiscard]] int increase(const std::string& name, int total);

private:
    using Hash = std::size_t; // of a name: two of a few thousand are never the same, and a press too few would harm nobody

    std::unordered_map<Hash, int> m_totals;
    std::deque<Hash> m_order; // keys of m_totals, the oldest first
};

} // namespace payonce::shop
