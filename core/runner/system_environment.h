// SystemEnvironment: the real clocks and random bits.
#pragma once

#include "runner/environment.h"

#include <optional>
#include <random>

namespace payonce::runner {

class SystemEnvironment : public Environment
{
public:
    /// With a seed the draws repeat from run to run (IDs too: never use one outside a fresh data directory).
    explicit SystemEnvironment(std::optional<std::uint64_t> seed = std::nullopt);

    [[nodiscard]] values::Now now() override;
    [[nodiscard]] std::uint64_t draw() override;

private:
    std::optional<std::mt19937_64> m_seeded;
};

} // namespace payonce::runner
