// The end of the action `crash`.
#pragma once

#include <unistd.h>

#include <csignal>

namespace payonce::faults {

/// As a power cut would, but for what the kernel already has. Any thread.
inline void endProcess()
{
    static_cast<void>(::kill(::getpid(), SIGKILL));
}

} // namespace payonce::faults
