#include "storage/plain_file.h"

#include <QtCore/QFile>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace payonce::storage {

values::Result<QByteArray, PlainFileRefusal> readPlainFile(const QString& path, qint64 most)
{
    // O_NONBLOCK: a pipe without a writer opens at once; it means nothing for a regular file.
    // A C interface. NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
    const int descriptor = ::open(QFile::encodeName(path).constData(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (descriptor < 0)
        return values::Failure(
            PlainFileRefusal{PlainFileError::NotOpened, QString::fromStdString(std::generic_category().message(errno))});
    QFile file;
    struct ::stat status = {};
    if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode) ||
        !file.open(descriptor, QIODevice::ReadOnly, QFileDevice::AutoCloseHandle)) {
        ::close(descriptor);
        return values::Failure(PlainFileRefusal{PlainFileError::NotRegular, QStringLiteral("not a file")});
    }
    return file.read(most);
}

bool isPlainOrAbsent(const QString& path)
{
    struct ::stat status = {};
    return ::stat(QFile::encodeName(path).constData(), &status) != 0 || S_ISREG(status.st_mode);
}

} // namespace payonce::storage
