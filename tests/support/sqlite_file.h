// A database file of SQLite, read and changed from outside, as another program would.
#pragma once

#include <QtCore/QList>
#include <QtCore/QString>
#include <QtCore/QStringList>
#include <QtCore/QVariant>

#include <optional>

namespace payonce::support {

/// All rows of a query, on a connection of its own that cannot write. Empty: the file cannot be read, or has no such table.
[[nodiscard]] std::optional<QList<QVariantList>> readRows(const QString& file, const QString& sql);
/// The same where it must be readable: if not, the test program ends.
[[nodiscard]] QList<QVariantList> rowsIn(const QString& file, const QString& sql);
/// The first column of the first row. There must be one.
[[nodiscard]] QVariant valueIn(const QString& file, const QString& sql);
/// Each statement a transaction of its own; one that fails ends the test program.
void changeFile(const QString& file, const QStringList& statements);

} // namespace payonce::support
