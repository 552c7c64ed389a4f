// What sign-ups really made, read from the shop's database file from outside.
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QList>
#include <QtCore/QString>

namespace payonce::support {

/// Of `shopFile`: the addresses of all accounts. One entry `unreadable` if it cannot be read, so that no comparison holds by
/// accident.
[[nodiscard]] QList<QByteArray> accountsIn(const QString& shopFile);
/// The mails that facts called for, whether or not they have left: `welcome a@example.com`, sorted.
[[nodiscard]] QList<QByteArray> mailsAskedForIn(const QString& shopFile);

/// `welcome`, `already_registered`; -1 if the file cannot be read.
[[nodiscard]] int mailsOfKindIn(const QString& shopFile, const QByteArray& kind);

} // namespace payonce::support
