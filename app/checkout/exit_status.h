// Exit statuses, the same for every program of the project (docs/contract.md).
#pragma once

namespace payonce::checkout {

enum class ExitStatus : int {
    Fine = 0,
    VerdictFailed = 1,
    Usage = 2,
    Storage = 74,       ///< a directory or database cannot be used
    Locked = 75,        ///< another process has the data directory
    Configuration = 78, ///< a file, a server or the display named in the options cannot be used
};

} // namespace payonce::checkout
