#include "program/private_file.h"

#include <QtCore/QSaveFile>

namespace payonce::program {

QString writePrivately(const QString& path, const QByteArray& content)
{
    QSaveFile file(path);
    // Flushed before the commit, which renames whatever a full disk has left of it.
    const bool isWritten = file.open(QIODevice::WriteOnly) &&
                           file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner) &&
                           file.write(content) == content.size() && file.flush() && file.commit();
    return isWritten ? QString() : QStringLiteral("cannot be written: %1").arg(file.errorString());
}

} // namespace payonce::program
