// A file that processes lock, and why it cannot be locked.
#pragma once

#include "values/result.h"

#include <QtCore/QString>

namespace payonce::storage {

enum class LockError {
    Taken,      ///< another process holds it
    NotLockable ///< there can be no such file here
};

/// `words` say who has it (`process 12 (payonce)`), or why not, for a person and without the file's name.
struct LockRefusal
{
    LockError error = LockError::NotLockable;
    QString words;
};

/// In the system's words for `error` (errno).
[[nodiscard]] LockRefusal notLockable(int error);

/// A descriptor of the plain file `path`, made (mode 0600) where it is missing; closed in every program that this one starts.
/// Nobody is waited for.
[[nodiscard]] values::Result<int, LockRefusal> openLockable(const QString& path);

/// `descriptor` is of the file that the next process will find under this name.
[[nodiscard]] bool isAt(const QString& path, int descriptor);

} // namespace payonce::storage
