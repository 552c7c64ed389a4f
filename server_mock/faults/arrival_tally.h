// What is counted over the arrivals, so that it is right even where their rows are gone.
#pragma once

#include "faults/arrival_row.h"

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace payonce::faults {

/// At most this many (account, action, operation) are counted; then the half that was quiet the longest goes.
inline constexpr std::size_t kMostCounted = 50'000;
/// At most this many heads of one of them wait for the rest of their request.
inline constexpr std::size_t kMostHeadsCounted = 64;
/// At most this many attempt numbers of one of them are told apart.
inline constexpr std::size_t kMostAttempts = 64;

class ArrivalTally
{
public:
    struct Key
    {
        std::string account;
        std::string actionId;
        console::Operation operation = console::Operation::Pay;
        friend bool operator==(const Key&, const Key&) = default;
    };
    struct HashOfKey
    {
        [[nodiscard]] std::size_t operator()(const Key& key) const;
    };
    struct Count
    {
        int arrivals = 0;
        int sinceScenario = 0;               ///< of these, since the present scenario was loaded
        std::map<std::string, int> attempts; ///< arrivals by attempt number, where the client sent one
        std::int64_t lastSeq = 0;
        std::set<std::uint64_t> heads{}; ///< connections whose request was counted at its head and has not arrived yet
    };
    using Counts = std::unordered_map<Key, Count, HashOfKey>;

    /// An arrival counts where isArrival() says so, a hit wherever a rule fired. For nth a request counts where it was seen
    /// first: at its head, where heads are written down.
    void count(const ArrivalRow& row);
    /// Rules count from zero again; arrivals stay.
    void startScenario();
    void forgetRule(const std::string& id) { m_hits.erase(id); }

    /// What Match::nth is compared with, for the arrival that comes next.
    [[nodiscard]] int nextNth(const Key& key) const;
    [[nodiscard]] int hitsOf(const std::string& rule) const;
    /// In no order.
    [[nodiscard]] const Counts& counts() const { return m_counts; }

    /// JSON on one line.
    void appendTo(std::string& text) const;
    /// Throws nlohmann::json::exception on what appendTo() does not make.
    [[nodiscard]] static ArrivalTally fromJson(const nlohmann::json& json);

private:
    static void countArrival(const ArrivalRow& row, Count& count);
    static void countHead(const ArrivalRow& row, Count& count);
    void dropQuietHalf();

    Counts m_counts;
    std::map<std::string, int> m_hits;
};

} // namespace payonce::faults
