// Environment: where the runner gets time and randomness from.
#pragma once

#include "values/time.h"

#include <cstdint>

namespace payonce::runner {

class Environment
{
public:
    Environment() = default;
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;
    Environment(Environment&&) = delete;
    Environment& operator=(Environment&&) = delete;
    virtual ~Environment() = default;

    /// Local wall clock and monotonic clock, read together.
    [[nodiscard]] virtual values::Now now() = 0;
    /// 64 fresh random bits.
    [[nodiscard]] virtual std::uint64_t draw() = 0;
};

} // namespace payonce::runner
