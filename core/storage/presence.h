// Presence: which of several processes live, by locks of the kernel's on single bytes of one file.
#pragma once

#include "storage/lockable_file.h"

#include <cstdint>
#include <memory>

namespace payonce::storage {

/// A number that no other process has, never 0. The byte at that place of the file is locked as long as the object lives, and
/// let go by the kernel when the process dies, however it dies. The file stays: nothing is ever in it.
class Presence
{
public:
    [[nodiscard]] static values::Result<std::shared_ptr<Presence>, LockRefusal> take(const QString& path);
    Presence(const Presence&) = delete;
    Presence& operator=(const Presence&) = delete;
    Presence(Presence&&) = delete;
    Presence& operator=(Presence&&) = delete;
    ~Presence();

    [[nodiscard]] std::int64_t instance() const { return m_instance; }
    /// Somebody holds that number.
    [[nodiscard]] bool isPresent(std::int64_t instance) const;
    /// Lets go, for good. True: nobody is there any more.
    bool leave();
    /// Comes back where somebody removed the file: others would not see us in the new one.
    void renew();

private:
    explicit Presence(QString path);

    [[nodiscard]] values::Result<void, LockRefusal> enter();
    void close();

    QString m_path;
    std::int64_t m_instance;
    int m_descriptor = -1;
};

} // namespace payonce::storage
