#include "storage/schema.h"

#include <QtCore/QFile>

#include <utility>

namespace payonce::storage {

using values::Failure;
using values::Result;

Result<QStringList, StorageError> readStep(const QString& resource)
{
    QFile file(resource);
    if (!file.open(QIODevice::ReadOnly))
        return Failure(StorageError::Failed);
    QStringList statements;
    QString current;
    const QStringList lines = QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'));
    for (const QString& line : lines) {
        const bool isEmpty = line.trimmed().isEmpty();
        if (!isEmpty && !line.startsWith(QLatin1String("--")))
            current += line + QLatin1Char('\n');
        if (isEmpty && !current.isEmpty())
            statements.append(std::exchange(current, {}));
    }
    if (!current.isEmpty())
        statements.append(current);
    return statements;
}

} // namespace payonce::storage
