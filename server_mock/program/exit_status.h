// How the program ends, and why in words (docs/contract.md, the list of exit statuses).
#pragma once

#include <QtCore/QString>

namespace payonce::program {

enum class ExitStatus { Fine = 0, DoesNotHold = 1, Usage = 2, Storage = 74, Locked = 75, Configuration = 78 };

/// An end before the server was ready.
struct Ending
{
    ExitStatus status = ExitStatus::Fine;
    QString words; ///< of Fine: for stdout; else for stderr, without the program's name
};

} // namespace payonce::program
