// LockFile: one process at a time, by a lock of the kernel's on an open file (flock(2)).
#pragma once

#include "storage/lockable_file.h"

#include <QtCore/QString>

#include <memory>

namespace payonce::storage {

/// Held as long as the object lives, and let go by the kernel when the process dies, however it dies. So what is written in the
/// file decides nothing: it is the process ID and the program's name, a line each, for the words alone. The file goes with the
/// object.
class LockFile
{
public:
    /// At once: nobody is waited for.
    [[nodiscard]] static values::Result<std::unique_ptr<LockFile>, LockRefusal> take(const QString& path);
    LockFile(const LockFile&) = delete;
    LockFile& operator=(const LockFile&) = delete;
    LockFile(LockFile&&) = delete;
    LockFile& operator=(LockFile&&) = delete;
    ~LockFile();

private:
    LockFile(QString path, int descriptor) : m_path(std::move(path)), m_descriptor(descriptor) {}

    QString m_path;
    int m_descriptor;
};

} // namespace payonce::storage
