#include "storage/lock_file.h"

#include "storage/plain_file.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QFile>

#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <utility>

namespace payonce::storage {

namespace {

using values::Failure;
using values::Result;

/// How often a file that its holder removes meanwhile is opened anew.
constexpr int kMostOpenings = 100;
constexpr qint64 kMostRead = 256;

QString holderOf(const QString& path)
{
    const auto content = readPlainFile(path, kMostRead);
    const auto lines = content.value_or(QByteArray()).split('\n');
    const qint64 pid = lines.first().toLongLong();
    if (pid <= 0)
        return QStringLiteral("another process");
    const QString program = lines.size() > 1 ? QString::fromUtf8(lines.at(1)).trimmed() : QString();
    return QStringLiteral("process %1 (%2)").arg(QString::number(pid), program);
}

/// A full disk must not keep a process out that holds the lock.
void introduceOurselves(int descriptor)
{
    const QByteArray text = QByteArray::number(::getpid()) + '\n' + QCoreApplication::applicationName().toUtf8() + '\n';
    const auto size = static_cast<std::size_t>(text.size());
    if (::pwrite(descriptor, text.constData(), size, 0) == static_cast<ssize_t>(size)) [[maybe_unused]]
        const int cut = ::ftruncate(descriptor, static_cast<off_t>(size));
}

/// A descriptor that holds the lock; none where its last holder removed the file before it was locked.
Result<std::optional<int>, LockRefusal> lockedOnce(const QString& path)
{
    const auto opened = openLockable(path);
    if (!opened)
        return Failure(opened.error());
    const int descriptor = *opened;
    Result<std::optional<int>, LockRefusal> locked{std::nullopt};
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        locked = isAt(path, descriptor) ? std::optional(descriptor) : std::nullopt;
    else if (errno == EWOULDBLOCK)
        locked = Failure(LockRefusal{LockError::Taken, holderOf(path)});
    else
        locked = Failure(notLockable(errno));
    if (!locked || !*locked)
        ::close(descriptor);
    return locked;
}

} // namespace

Result<std::unique_ptr<LockFile>, LockRefusal> LockFile::take(const QString& path)
{
    for (int opening = 0; opening < kMostOpenings; ++opening) {
        const auto locked = lockedOnce(path);
        if (!locked)
            return Failure(locked.error());
        if (*locked) {
            introduceOurselves(**locked);
            return std::unique_ptr<LockFile>(new LockFile(path, **locked)); // NOLINT: the constructor is private
        }
    }
    return Failure(LockRefusal{LockError::Taken, holderOf(path)});
}

LockFile::~LockFile()
{
    if (isAt(m_path, m_descriptor)) // another one's is left alone
        QFile::remove(m_path);
    ::close(m_descriptor);
}

} // namespace payonce::storage
