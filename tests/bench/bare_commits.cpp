#include "bench/bare_commits.h"

#include "values/check.h"

#include <QtCore/QUuid>
#include <QtCore/QVariant>
#include <QtSql/QSqlQuery>

namespace payonce::bench {

namespace {

constexpr int kRowSize = 400;

} // namespace

BareCommits::BareCommits(const QString& directory)
    : m_name(QUuid::createUuid().toString()), m_database(QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_name))
{
    m_database->setDatabaseName(directory + QStringLiteral("/bare.sqlite"));
    CHECK(m_database->open());
    QSqlQuery query(*m_database);
    CHECK(query.exec(QStringLiteral("PRAGMA journal_mode=WAL")));
    CHECK(query.exec(QStringLiteral("PRAGMA synchronous=FULL")));
    CHECK(query.exec(QStringLiteral("CREATE TABLE rows (id INTEGER PRIMARY KEY, content BLOB) STRICT")));
}

BareCommits::~BareCommits()
{
    m_database.reset();
    QSqlDatabase::removeDatabase(m_name);
}

Microseconds BareCommits::commitOne()
{
    const auto start = BenchClock::now();
    CHECK(m_database->transaction());
    QSqlQuery insert(*m_database);
    CHECK(insert.prepare(QStringLiteral("INSERT INTO rows (content) VALUES (?)")));
    insert.addBindValue(QByteArray(kRowSize, 'x'));
    CHECK(insert.exec());
    insert.finish();
    CHECK(m_database->commit());
    return since(start);
}

} // namespace payonce::bench
