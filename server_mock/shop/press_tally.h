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
    PressTally() = default;
    PressTally(const PressTally&) = delete;
    PressTally& operator=(const PressTally&) = delete;
    PressTally(PressTally&&) = delete;
    PressTally& operator=(PressTally&&) = delete;
    ~PressTally() = default;

    /// How much `total` is above what was told before under this name; 0 where it is not.
    [[nodiscard]] int increase(const std::string& name, int total);

private:
    std::unordered_map<std::string, int> m_totals;
    std::deque<const std::string*> m_order; // keys of m_totals, the oldest first
};

} // namespace payonce::shop
