#include "support/sqlite_file.h"

#include <QtCore/QUuid>
#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlError>
#include <QtSql/QSqlQuery>
#include <QtSql/QSqlRecord>

namespace payonce::support {

namespace {

/// Opened while this lives.
class Connection
{
public:
    Connection(const QString& file, const QString& options) : m_name(QUuid::createUuid().toString())
    {
        m_database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_name);
        m_database.setDatabaseName(file);
        m_database.setConnectOptions(options);
        m_isOpen = m_database.open();
    }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    Connection(Connection&&) = delete;
    Connection& operator=(Connection&&) = delete;
    ~Connection()
    {
        m_database = QSqlDatabase();
        QSqlDatabase::removeDatabase(m_name);
    }

    [[nodiscard]] bool isOpen() const { return m_isOpen; }
    [[nodiscard]] QSqlQuery query() const { return QSqlQuery(m_database); }

private:
    QString m_name;
    QSqlDatabase m_database;
    bool m_isOpen = false;
};

std::optional<QList<QVariantList>> readRows(const QString& file, const QString& sql, QString& error)
{
    const Connection connection(file, QStringLiteral("QSQLITE_OPEN_READONLY;QSQLITE_BUSY_TIMEOUT=10000"));
    QSqlQuery query = connection.query();
    if (!connection.isOpen() || !query.exec(sql)) {
        error = query.lastError().text();
        return {};
    }
    QList<QVariantList> rows;
    while (query.next()) {
        QVariantList row;
        for (int column = 0; column < query.record().count(); ++column)
            row.append(query.value(column));
        rows.append(row);
    }
    return rows;
}

} // namespace

std::optional<QList<QVariantList>> readRows(const QString& file, const QString& sql)
{
    QString error;
    return readRows(file, sql, error);
}

QList<QVariantList> rowsIn(const QString& file, const QString& sql)
{
    QString error;
    auto rows = readRows(file, sql, error);
    if (!rows)
        qFatal("%s: %s: %s", qPrintable(file), qPrintable(sql), qPrintable(error));
    return *std::move(rows);
}

QVariant valueIn(const QString& file, const QString& sql)
{
    const auto rows = rowsIn(file, sql);
    if (rows.isEmpty())
        qFatal("%s: %s: no row", qPrintable(file), qPrintable(sql));
    return rows.first().first();
}

void changeFile(const QString& file, const QStringList& statements)
{
    const Connection connection(file, QStringLiteral("QSQLITE_BUSY_TIMEOUT=10000"));
    QSqlQuery query = connection.query();
    for (const QString& statement : statements)
        if (!connection.isOpen() || !query.exec(statement))
            qFatal("%s: %s: %s", qPrintable(file), qPrintable(statement), qPrintable(query.lastError().text()));
}

} // namespace payonce::support
