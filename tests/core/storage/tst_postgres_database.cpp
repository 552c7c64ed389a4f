#include "storage/database.h"

#include "core/storage/shop_database.h"
#include "storage/binding.h"
#include "storage/database_clock.h"
#include "storage/postgres_sql.h"
#include "storage/transaction.h"
#include "support/postgres_cluster.h"

#include <QtTest/QTest>

#include <memory>
#include <set>

using namespace payonce;
using namespace payonce::storage;
using namespace std::chrono_literals;

/// PostgreSQL behind Database: what it refuses to open, and that it holds the same tables and values as SQLite.
class TestPostgresDatabase : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_cluster = std::make_unique<support::PostgresCluster>(); }
    void cleanupTestCase() { m_cluster.reset(); }
    void init();

    void stepFiles_makeTheSameTablesInBoth();
    void statement_isSaidInItsWords_data();
    void statement_isSaidInItsWords();
    void boundValues_comeBackExactly();
    void textWithNul_isRefusedNotCut();
    void schemaOfAnother_isDamagedAndLeftAlone_data();
    void schemaOfAnother_isDamagedAndLeftAlone();
    void newerVersion_isLeftAlone();
    void failingStep_leavesTheVersionBefore();
    void relaxedDurability_isTightened();
    void noServer_isLostAndSaidWithoutThePassword();
    void sqlStates_haveOneMeaning_data();
    void sqlStates_haveOneMeaning();
    void clock_isTheServersCarriedOn();

private:
    [[nodiscard]] QString step(const QByteArray& sql);
    [[nodiscard]] values::Result<std::unique_ptr<Database>, StorageError> open(const Location& place, const QStringList& steps,
                                                                               std::int32_t id = 7) const;

    QTemporaryDir m_directory;
    int m_steps = 0;
    std::unique_ptr<support::PostgresCluster> m_cluster;
};

Q_DECLARE_METATYPE(payonce::storage::StorageError)

namespace {

const QString kForeign = QStringLiteral("foreign");

std::multiset<QString> columnsOf(const Rows& rows)
{
    std::multiset<QString> names;
    for (const Row& row : rows)
        names.insert(row.at(0).toString() + QLatin1Char('.') + row.at(1).toString());
    return names;
}

} // namespace

void TestPostgresDatabase::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
}

QString TestPostgresDatabase::step(const QByteArray& sql)
{
    QFile file(m_directory.filePath(QStringLiteral("step-%1.sql").arg(++m_steps)));
    if (!file.open(QIODevice::WriteOnly) || file.write(sql) != sql.size())
        qFatal("a step file cannot be written");
    return file.fileName();
}

values::Result<std::unique_ptr<Database>, StorageError>
TestPostgresDatabase::open(const Location& place, const QStringList& steps, std::int32_t id) const
{
    return Database::open(place, {id, steps});
}

void TestPostgresDatabase::stepFiles_makeTheSameTablesInBoth()
{
    tests::ShopDatabase file;
    tests::ShopDatabase server({}, m_cluster->freshPlace());
    const auto columns = file.database().select(QStringLiteral(
        "SELECT t.name, c.name FROM sqlite_schema AS t JOIN pragma_table_info(t.name) AS c WHERE t.type = 'table' "
        "AND t.name NOT LIKE 'sqlite_%'"));
    const auto serverColumns = server.database().select(
        QStringLiteral("SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = current_schema() "
                       "AND column_name <> 'rowid' AND table_name <> 'payonce_schema'"));
    QVERIFY(columns && serverColumns && !columns->isEmpty());
    QCOMPARE(columnsOf(*serverColumns), columnsOf(*columns));

    const auto indexes = file.database().select(
        QStringLiteral("SELECT tbl_name, name FROM sqlite_schema WHERE type = 'index' AND name NOT LIKE 'sqlite_%'"));
    const auto serverIndexes = server.database().select(
        QStringLiteral("SELECT tablename, indexname FROM pg_indexes WHERE schemaname = current_schema() "
                       "AND indexname NOT LIKE '%_pkey%' AND indexname NOT LIKE '%_key' AND indexname NOT LIKE '%_key1'"));
    QVERIFY(indexes && serverIndexes);
    QCOMPARE(columnsOf(*serverIndexes), columnsOf(*indexes));

    const auto uniques = file.database().readNumber(
        QStringLiteral("SELECT count(*) FROM sqlite_schema AS t JOIN pragma_index_list(t.name) AS i WHERE t.type = 'table' "
                       "AND i.\"unique\" = 1"));
    const auto serverUniques = server.database().readNumber(
        QStringLiteral("SELECT count(*) FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indrelid WHERE i.indisunique "
                       "AND c.relnamespace = current_schema()::regnamespace"));
    QCOMPARE(serverUniques.value(), uniques.value());
}

void TestPostgresDatabase::statement_isSaidInItsWords_data()
{
    QTest::addColumn<QString>("said");
    QTest::addColumn<QString>("expected");
    const auto table = [](const char* name, const char* sqlite, const char* expected) {
        QTest::newRow(name) << postgresDefinition(QString::fromLatin1(sqlite)) << QString::fromLatin1(expected);
    };
    table("table", "CREATE TABLE a (n INTEGER, b BLOB, t TEXT NOT NULL) STRICT;\n",
          "CREATE TABLE a (n BIGINT, b BYTEA, t TEXT COLLATE \"C\" NOT NULL, rowid BIGINT NOT NULL GENERATED ALWAYS AS "
          "IDENTITY)");
    table("without rowid", "CREATE TABLE a (n INTEGER PRIMARY KEY) STRICT, WITHOUT ROWID;",
          "CREATE TABLE a (n BIGINT PRIMARY KEY)");
    table("column", "ALTER TABLE a ADD COLUMN n INTEGER", "ALTER TABLE a ADD COLUMN n BIGINT");
    table("index", "CREATE INDEX a ON b (c) WHERE d = 'TEXT'", "CREATE INDEX a ON b (c) WHERE d = 'TEXT'");
    table("rows", "INSERT INTO a VALUES ('INTEGER')", "INSERT INTO a VALUES ('INTEGER')");
    QTest::newRow("places") << postgresStatement(QStringLiteral("SELECT a FROM b WHERE c = ? AND d > ?"))
                            << QStringLiteral("SELECT a FROM b WHERE c = $1 AND d > $2");
    QTest::newRow("hint") << postgresStatement(QStringLiteral("SELECT 1 FROM b INDEXED BY c_d WHERE e = ?"))
                          << QStringLiteral("SELECT 1 FROM b WHERE e = $1");
}

void TestPostgresDatabase::statement_isSaidInItsWords()
{
    QFETCH(const QString, said);
    QFETCH(const QString, expected);
    QCOMPARE(said, expected);
}

void TestPostgresDatabase::boundValues_comeBackExactly()
{
    const auto database =
        open(m_cluster->freshPlace(), {step("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT, bytes BLOB) STRICT;")});
    QVERIFY(database);
    constexpr auto kLargest = std::numeric_limits<std::int64_t>::max();
    const std::string bytes("a\0\xff'\\ z", 7);
    const std::string text("8,20 € '); DROP TABLE notes; -- \\ $1 ? \n");
    for (const std::int64_t id : {kLargest, std::int64_t{-1}})
        QVERIFY((*database)->change(QStringLiteral("INSERT INTO notes (id, text, bytes) VALUES (?, ?, ?)"),
                                    {bound(id), bound(text), boundBytes(bytes)}));
    QVERIFY((*database)->change(QStringLiteral("INSERT INTO notes (id, text, bytes) VALUES (?, ?, ?)"),
                                {bound(std::int64_t{0}), bound(""), QVariant()}));
    const auto rows = (*database)->select(QStringLiteral("SELECT id, text, bytes FROM notes ORDER BY id"));
    QVERIFY(rows && rows->size() == 3);
    QCOMPARE(numberOf(rows->at(0).at(0)), -1);
    QCOMPARE(numberOf(rows->at(2).at(0)), kLargest);
    QCOMPARE(textOf(rows->at(2).at(1)), text);
    QCOMPARE(bytesOf(rows->at(2).at(2)), bytes);
    QVERIFY(!rows->at(1).at(1).isNull() && rows->at(1).at(2).isNull());
}

void TestPostgresDatabase::textWithNul_isRefusedNotCut()
{
    const auto database = open(m_cluster->freshPlace(), {step("CREATE TABLE notes (text TEXT) STRICT;")});
    QVERIFY(database);
    const auto refused =
        (*database)->change(QStringLiteral("INSERT INTO notes (text) VALUES (?)"), {bound(std::string_view("a\0b", 3))});
    QCOMPARE(refused.error(), StorageError::Constraint);
    QCOMPARE((*database)->readNumber(QStringLiteral("SELECT count(*) FROM notes")).value(), 0);
}

void TestPostgresDatabase::schemaOfAnother_isDamagedAndLeftAlone_data()
{
    QTest::addColumn<QString>("whose");
    QTest::newRow("another program's") << kForeign;
    QTest::newRow("the bank's") << QStringLiteral("bank");
}

void TestPostgresDatabase::schemaOfAnother_isDamagedAndLeftAlone()
{
    QFETCH(const QString, whose);
    const auto place = m_cluster->freshPlace();
    const QString first = step("CREATE TABLE theirs (n INTEGER) STRICT;");
    if (whose == kForeign)
        m_cluster->execute(QStringLiteral("CREATE TABLE %1.theirs (n BIGINT)").arg(support::PostgresCluster::schemaOf(place)));
    else
        QVERIFY(open(place, {first}, 8));
    QCOMPARE(open(place, {first}, 7).error(), StorageError::Damaged);
}

void TestPostgresDatabase::newerVersion_isLeftAlone()
{
    const auto place = m_cluster->freshPlace();
    const QStringList steps{step("CREATE TABLE notes (n INTEGER) STRICT;"), step("ALTER TABLE notes ADD COLUMN text TEXT;")};
    QVERIFY(open(place, steps));
    QCOMPARE(open(place, {steps.first()}).error(), StorageError::NewerVersion);
    QVERIFY(open(place, steps));
}

void TestPostgresDatabase::failingStep_leavesTheVersionBefore()
{
    const auto place = m_cluster->freshPlace();
    const QString good = step("CREATE TABLE notes (n INTEGER) STRICT;");
    QCOMPARE(open(place, {good, step("CREATE TABLE more (n INTEGER) STRICT;\n\nCREATE NONSENSE;")}).error(),
             StorageError::Failed);
    const auto database = open(place, {good});
    QVERIFY(database);
    QVERIFY(!(*database)->select(QStringLiteral("SELECT n FROM more")));
}

void TestPostgresDatabase::relaxedDurability_isTightened()
{
    const auto place = m_cluster->freshPlace();
    PostgresParameters parameters = place.parameters();
    parameters[QStringLiteral("options")] += QStringLiteral(" -csynchronous_commit=off");
    const auto database = open(Location::postgres(parameters), {step("CREATE TABLE notes (n INTEGER) STRICT;")});
    QVERIFY(database);
    QCOMPARE((*database)->select(QStringLiteral("SELECT current_setting('synchronous_commit')"))->first().first().toString(),
             QStringLiteral("on"));
}

void TestPostgresDatabase::noServer_isLostAndSaidWithoutThePassword()
{
    QTest::ignoreMessage(QtWarningMsg, QRegularExpression(QStringLiteral("^postgresql:///nowhere/shop: ((?!secret).)*$")));
    const auto failed = open(Location::parse(QStringLiteral("host=/nowhere dbname=shop user=ann password=secret")).value(),
                             {step("CREATE TABLE notes (n INTEGER) STRICT;")});
    QCOMPARE(failed.error(), StorageError::Lost);
}

void TestPostgresDatabase::sqlStates_haveOneMeaning_data()
{
    QTest::addColumn<QString>("state");
    QTest::addColumn<StorageError>("error");
    const auto row = [](const char* name, const char* state, StorageError error) {
        QTest::newRow(name) << QString::fromLatin1(state) << error;
    };
    row("libpq itself", "", StorageError::Lost);
    row("connection_failure", "08006", StorageError::Lost);
    row("admin_shutdown", "57P01", StorageError::Lost);
    row("cannot_connect_now", "57P03", StorageError::Lost);
    row("idle_in_transaction_session_timeout", "25P03", StorageError::Lost);
    row("too_many_connections", "53300", StorageError::Lost);
    row("disk_full", "53100", StorageError::DiskFull);
    row("read_only_sql_transaction", "25006", StorageError::ReadOnly);
    row("insufficient_privilege", "42501", StorageError::ReadOnly);
    row("lock_not_available", "55P03", StorageError::Locked);
    row("query_canceled", "57014", StorageError::Locked);
    row("data_corrupted", "XX001", StorageError::Damaged);
    row("unique_violation", "23505", StorageError::Constraint);
    row("numeric_value_out_of_range", "22003", StorageError::Constraint);
    row("undefined_table", "42P01", StorageError::Failed);
    row("in_failed_sql_transaction", "25P02", StorageError::Failed);
    row("deadlock_detected", "40P01", StorageError::Failed);
}

void TestPostgresDatabase::sqlStates_haveOneMeaning()
{
    QFETCH(const QString, state);
    QFETCH(const StorageError, error);
    QCOMPARE(errorFromPostgres(state), error);
}

void TestPostgresDatabase::clock_isTheServersCarriedOn()
{
    const auto database = open(m_cluster->freshPlace(), {step("CREATE TABLE notes (n INTEGER) STRICT;")});
    QVERIFY(database);
    const auto before = DatabaseClock().now(); // this machine's
    const auto read = (*database)->readClock().value();
    QVERIFY(read && *read >= before && *read <= before + 10s);

    DatabaseClock clock;
    clock.observe(*read + 48h); // this machine is two days slow
    QVERIFY(clock.now() >= *read + 48h && clock.now() < *read + 48h + 10s);
    QTRY_VERIFY(clock.now() > *read + 48h);
    clock.observe({});
    QVERIFY(clock.now() < *read + 1h);
}

QTEST_GUILESS_MAIN(TestPostgresDatabase)
#include "tst_postgres_database.moc"
