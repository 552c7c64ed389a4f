// How many requests of one account are let in each second (`--rate-limit N`).
#pragma once

#include "shop/records.h"

#include <cstdint>
#include <map>
#include <string>

namespace payonce::shop {

class RateLimit
{
public:
    /// `most`: requests an account and second; 0: no limit.
    RateLimit(int most, Uptime uptime) : m_most(most), m_uptime(std::move(uptime)) {}

    /// Counts this request; false: it is one too many.
    [[nodiscard]] bool admits(const std::string& account);

private:
    struct Second
    {
        std::int64_t number = 0;
        int requests = 0;
    };

    int m_most;
    Uptime m_uptime;
    std::map<std::string, Second> m_newest; // one an account
};

} // namespace payonce::shop
