#include "storage/presence.h"

#include <QtCore/QRandomGenerator>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace payonce::storage {

using values::Failure;
using values::Result;

namespace {

/// `length` 0: up to the end of all files. Locks of an open file, not of a process (fcntl(2)): a second one in this process
/// counts.
struct ::flock region(std::int64_t start, std::int64_t length)
{
    struct ::flock region = {};
    region.l_type = F_WRLCK;
    region.l_whence = SEEK_SET;
    region.l_start = start;
    region.l_len = length;
    return region;
}

/// Somebody else holds a lock in it. What cannot be told counts as held.
bool isHeld(int descriptor, std::int64_t start, std::int64_t length)
{
    auto asked = region(start, length);
    // A C interface. NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
    return ::fcntl(descriptor, F_OFD_GETLK, &asked) != 0 || asked.l_type != F_UNLCK;
}

/// In the lower half, so that places and lengths stay within what a file can have.
std::int64_t drawInstance()
{
    constexpr int kUnusedBits = 2;
    return static_cast<std::int64_t>(QRandomGenerator::system()->generate64() >> kUnusedBits) + 1;
}

} // namespace

Presence::Presence(QString path) : m_path(std::move(path)), m_instance(drawInstance()) {}

Result<std::shared_ptr<Presence>, LockRefusal> Presence::take(const QString& path)
{
    std::shared_ptr<Presence> presence(new Presence(path)); // NOLINT: the constructor is private
    if (auto entered = presence->enter(); !entered)
        return Failure(std::move(entered.error()));
    return presence;
}

Presence::~Presence()
{
    close();
}

Result<void, LockRefusal> Presence::enter()
{
    const auto opened = openLockable(m_path);
    if (!opened)
        return Failure(opened.error());
    auto own = region(m_instance, 1);
    // A C interface. NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
    if (::fcntl(*opened, F_OFD_SETLK, &own) != 0) {
        const int error = errno;
        ::close(*opened);
        return Failure(notLockable(error));
    }
    close();
    m_descriptor = *opened;
    return {};
}

bool Presence::isPresent(std::int64_t instance) const
{
    return m_descriptor < 0 || instance == m_instance || isHeld(m_descriptor, instance, 1);
}

bool Presence::leave()
{
    close();
    const auto opened = openLockable(m_path);
    const bool isEmpty = opened && !isHeld(*opened, 0, 0);
    if (opened)
        ::close(*opened);
    return isEmpty;
}

void Presence::close()
{
    if (m_descriptor >= 0)
        ::close(std::exchange(m_descriptor, -1));
}

void Presence::renew()
{
    if (m_descriptor >= 0 && !isAt(m_path, m_descriptor))
        static_cast<void>(enter());
}

} // namespace payonce::storage
