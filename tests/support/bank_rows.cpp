#include "support/bank_rows.h"

#include <QtCore/QDir>
#include <QtCore/QUuid>
#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlQuery>

namespace payonce::support {

namespace {

constexpr QLatin1String kApproved("approved");

std::optional<QList<BankRow>> readRows(const QSqlDatabase& database)
{
    QSqlQuery query(database);
    if (!query.exec(QStringLiteral("SELECT state, action_id, amount, currency FROM charges")))
        return {};
    QList<BankRow> rows;
    while (query.next())
        rows.append(
            {query.value(0).toString(), query.value(1).toString(), query.value(2).toLongLong(), query.value(3).toString()});
    return rows;
}

} // namespace

std::optional<QList<BankRow>> readBank(const QString& dataDir)
{
    const auto name = QUuid::createUuid().toString();
    std::optional<QList<BankRow>> rows;
    {
        auto database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), name);
        database.setDatabaseName(QDir(dataDir).filePath(QStringLiteral("bank.sqlite")));
        database.setConnectOptions(QStringLiteral("QSQLITE_OPEN_READONLY;QSQLITE_BUSY_TIMEOUT=10000"));
        if (database.open())
            rows = readRows(database);
    }
    QSqlDatabase::removeDatabase(name);
    return rows;
}

int chargesIn(const QString& dataDir)
{
    return readBank(dataDir) ? static_cast<int>(amountsCharged(dataDir).size()) : -1;
}

QList<QByteArray> amountsCharged(const QString& dataDir)
{
    QList<QByteArray> amounts;
    for (const auto& row : readBank(dataDir).value_or(QList<BankRow>()))
        if (row.state == kApproved)
            amounts.append(QByteArray::number(row.amount) + ' ' + row.currency.toLatin1());
    return amounts;
}

QSet<QString> actionsIn(const QString& dataDir)
{
    QSet<QString> actions;
    for (const auto& row : readBank(dataDir).value_or(QList<BankRow>()))
        if (!row.actionId.isEmpty())
            actions.insert(row.actionId);
    return actions;
}

} // namespace payonce::support
