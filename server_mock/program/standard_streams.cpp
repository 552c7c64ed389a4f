#include "program/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <initializer_list>

namespace payonce::program {

bool openStandardStreams()
{
    for (const int wanted : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        // A C interface. NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
        const bool isOpen = ::fcntl(wanted, F_GETFD) >= 0 || errno != EBADF;
        // The lowest number that is free is this one. NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
        if (!isOpen && ::open("/dev/null", O_RDWR) != wanted)
            return false;
    }
    return true;
}

} // namespace payonce::program
