#include "support/shop_rows.h"

#include <QtCore/QUuid>
#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlQuery>

#include <algorithm>

namespace payonce::support {

namespace {

constexpr const char* kUnreadable = "unreadable";

QList<QByteArray> firstColumn(const QSqlDatabase& database, const QString& sql)
{
    QSqlQuery query(database);
    if (!query.exec(sql))
        return {kUnreadable};
    QList<QByteArray> values;
    while (query.next())
        values.append(query.value(0).toByteArray());
    return values;
}

QList<QByteArray> readAll(const QString& file, const QString& sql)
{
    const auto name = QUuid::createUuid().toString();
    QList<QByteArray> values{kUnreadable};
    {
        auto database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), name);
        database.setDatabaseName(file);
        database.setConnectOptions(QStringLiteral("QSQLITE_OPEN_READONLY;QSQLITE_BUSY_TIMEOUT=10000"));
        if (database.open())
            values = firstColumn(database, sql);
    }
    QSqlDatabase::removeDatabase(name);
    return values;
}

} // namespace

QList<QByteArray> accountsIn(const QString& shopFile)
{
    return readAll(shopFile, QStringLiteral("SELECT email FROM accounts ORDER BY email"));
}

QList<QByteArray> mailsAskedForIn(const QString& shopFile)
{
    return readAll(shopFile, QStringLiteral("SELECT kind || ' ' || recipient FROM outbox ORDER BY kind DESC, recipient"));
}

int mailsOfKindIn(const QString& shopFile, const QByteArray& kind)
{
    const auto mails = mailsAskedForIn(shopFile);
    if (mails == QList<QByteArray>{kUnreadable})
        return -1;
    return static_cast<int>(
        std::count_if(mails.begin(), mails.end(), [&kind](const QByteArray& mail) { return mail.startsWith(kind + ' '); }));
}

} // namespace payonce::support
