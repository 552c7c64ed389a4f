// stdin, stdout and stderr of a program that may be started without them.
#pragma once

namespace payonce::program {

/// Opens /dev/null in the place of each that is closed; otherwise the next file or socket would get its number, and be written
/// to as if it were it. Before anything else is opened. False: /dev/null cannot be opened.
[[nodiscard]] bool openStandardStreams();

} // namespace payonce::program
