#include "storage/lockable_file.h"

#include <QtCore/QFile>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace payonce::storage {

using values::Failure;
using values::Result;

LockRefusal notLockable(int error)
{
    return {LockError::NotLockable, QString::fromStdString(std::generic_category().message(error))};
}

Result<int, LockRefusal> openLockable(const QString& path)
{
    constexpr mode_t kOwnerOnly = 0600;
    // O_NONBLOCK: a pipe is not waited for. Closed in every program that this one starts: the lock is not theirs.
    // A C interface. NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
    const int descriptor = ::open(QFile::encodeName(path).constData(),
                                  O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, kOwnerOnly);
    if (descriptor < 0)
        return Failure(notLockable(errno));
    struct ::stat status = {};
    if (::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode))
        return descriptor;
    ::close(descriptor);
    return Failure(LockRefusal{LockError::NotLockable, QStringLiteral("not a file")});
}

bool isAt(const QString& path, int descriptor)
{
    struct ::stat held = {};
    struct ::stat named = {};
    return ::fstat(descriptor, &held) == 0 && ::lstat(QFile::encodeName(path).constData(), &named) == 0 &&
           held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

} // namespace payonce::storage
