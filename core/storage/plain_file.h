// Reads a file that somebody named: a pipe, a device or a directory is refused at once and never waited for.
#pragma once

#include "values/result.h"

#include <QtCore/QByteArray>
#include <QtCore/QString>

namespace payonce::storage {

enum class PlainFileError { NotOpened, NotRegular };

/// `words` say why, for a person, without the file's name.
struct PlainFileRefusal
{
    PlainFileError error = PlainFileError::NotOpened;
    QString words;
};

/// At most `most` bytes from the start.
[[nodiscard]] values::Result<QByteArray, PlainFileRefusal> readPlainFile(const QString& path, qint64 most);

/// There is nothing at `path`, or a regular file: writing there cannot hang on a reader that never comes.
[[nodiscard]] bool isPlainOrAbsent(const QString& path);

} // namespace payonce::storage
