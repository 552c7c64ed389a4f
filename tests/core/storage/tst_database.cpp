#include "storage/database.h"

#include "storage/binding.h"
#include "storage/transaction.h"

#include <QtCore/QFile>
#include <QtCore/QFileInfo>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <thread>

using namespace payonce::storage;
using namespace payonce::values;
using namespace std::chrono_literals;

/// How a database behaves once it is open; opening is in tst_database_opening.
class TestDatabase : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void boundValues_comeBackExactly();
    void brokenRule_isAConstraint_data();
    void brokenRule_isAConstraint();
    void unreadableStatement_isFailed();
    void transaction_isUndoneUnlessCommitted();
    void savepoint_isUndoneAlone();
    void movedSavepoint_endsOnce();
    void failingCommit_keepsNothing();
    void fullDisk_isSaidAndTheOldDataStays();
    void fullDiskInsideATransaction_losesAllOfItAndSaysSo();
    void whyUnsaved_isSaidUntilAChangeIsSaved();
    void whyUnsaved_saysNothingOfARuleOfTheSchema();
    void whyUnsaved_ofALock_isOverWithTheLock();
    void secondWriter_isLockedOutUntilTheFirstEnds();
    void eachThread_hasItsOwnConnection();
    void sqliteCodes_haveOneMeaning_data();
    void sqliteCodes_haveOneMeaning();

private:
    [[nodiscard]] QString path() const { return m_directory->filePath(QStringLiteral("test.sqlite")); }
    [[nodiscard]] std::unique_ptr<Database> open(std::chrono::milliseconds busyTime = 5s) const;
    [[nodiscard]] std::int64_t count() const;
    void leaveNoRoom();

    std::unique_ptr<QTemporaryDir> m_directory;
    std::unique_ptr<Database> m_database;
};

Q_DECLARE_METATYPE(payonce::storage::StorageError)

namespace {

const QString kInsert = QStringLiteral("INSERT INTO notes (id, text) VALUES (?, ?)");

QVariantList note(std::int64_t id, std::string_view text)
{
    return {bound(id), bound(text)};
}

} // namespace

void TestDatabase::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_directory = std::make_unique<QTemporaryDir>();
    QFile step(m_directory->filePath(QStringLiteral("step_1.sql")));
    QVERIFY(step.open(QIODevice::WriteOnly));
    step.write(
        "-- notes and what hangs on them\n\n"
        "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL, bytes BLOB, size INTEGER CHECK (size > 0)) STRICT;\n\n"
        "CREATE TABLE tags (note INTEGER NOT NULL REFERENCES notes (id) DEFERRABLE INITIALLY DEFERRED) STRICT;\n\n"
        "CREATE TABLE marks (note INTEGER NOT NULL REFERENCES notes (id)) STRICT;\n");
    step.close();
    m_database = open();
}

void TestDatabase::cleanup()
{
    m_database.reset();
    m_directory.reset();
}

std::unique_ptr<Database> TestDatabase::open(std::chrono::milliseconds busyTime) const
{
    auto database = Database::open(path(), {0x74657374, {m_directory->filePath(QStringLiteral("step_1.sql"))}}, {busyTime});
    if (!database)
        qFatal("cannot open: %d", static_cast<int>(database.error()));
    return *std::move(database);
}

std::int64_t TestDatabase::count() const
{
    const auto rows = m_database->select(QStringLiteral("SELECT count(*) FROM notes"));
    return rows ? numberOf(rows->first().first()) : -1;
}

void TestDatabase::leaveNoRoom()
{
    // SQLite never goes below what the file holds.
    QVERIFY(m_database->select(QStringLiteral("PRAGMA max_page_count=1")));
}

void TestDatabase::boundValues_comeBackExactly()
{
    constexpr auto kLargest = std::numeric_limits<std::int64_t>::max();
    const std::string bytes("a\0\xff z", 5);
    QVERIFY(m_database->change(QStringLiteral("INSERT INTO notes VALUES (?, ?, ?, ?)"),
                               {bound(std::int64_t{1}), bound(""), boundBytes(bytes), bound(kLargest)}));
    QVERIFY(m_database->change(QStringLiteral("INSERT INTO notes VALUES (?, ?, ?, ?)"),
                               {bound(std::int64_t{2}), bound("8,20 € '); DROP TABLE notes; --"), boundBytes(""), QVariant()}));

    const auto rows = m_database->select(QStringLiteral("SELECT text, bytes, size, typeof(size) FROM notes ORDER BY id"));
    QVERIFY(rows && rows->size() == 2);
    QCOMPARE(textOf(rows->at(0).at(0)), std::string());
    QCOMPARE(bytesOf(rows->at(0).at(1)), bytes);
    QCOMPARE(numberOf(rows->at(0).at(2)), kLargest);
    QCOMPARE(textOf(rows->at(0).at(3)), std::string("integer"));
    QCOMPARE(textOf(rows->at(1).at(0)), std::string("8,20 € '); DROP TABLE notes; --"));
    QVERIFY(!rows->at(1).at(1).isNull());
    QVERIFY(rows->at(1).at(2).isNull());
    QVERIFY(!optionalTimeOf(rows->at(1).at(2)));
}

void TestDatabase::brokenRule_isAConstraint_data()
{
    QTest::addColumn<QString>("sql");
    QTest::newRow("same key") << QStringLiteral("INSERT INTO notes (id, text) VALUES (1, 'again')");
    QTest::newRow("missing text") << QStringLiteral("INSERT INTO notes (id, text) VALUES (2, NULL)");
    QTest::newRow("check") << QStringLiteral("INSERT INTO notes (id, text, size) VALUES (2, '', 0)");
    QTest::newRow("text in a number's place") << QStringLiteral("INSERT INTO notes (id, text, size) VALUES (2, '', 'large')");
    QTest::newRow("mark on nothing") << QStringLiteral("INSERT INTO marks (note) VALUES (7)");
}

void TestDatabase::brokenRule_isAConstraint()
{
    QFETCH(const QString, sql);
    QVERIFY(m_database->change(kInsert, note(1, "first")));
    const auto refused = m_database->change(sql);
    QVERIFY(!refused);
    QCOMPARE(refused.error(), StorageError::Constraint);
    QCOMPARE(count(), 1);
}

void TestDatabase::unreadableStatement_isFailed()
{
    QCOMPARE(m_database->select(QStringLiteral("SELECT nothing FROM nowhere")).error(), StorageError::Failed);
    QCOMPARE(m_database->execute(QStringLiteral("CREATE NONSENSE")).error(), StorageError::Failed);
}

void TestDatabase::transaction_isUndoneUnlessCommitted()
{
    {
        const auto transaction = Transaction::begin(*m_database);
        QVERIFY(transaction && m_database->inTransaction());
        QVERIFY(m_database->change(kInsert, note(1, "lost")));
    }
    QVERIFY(!m_database->inTransaction());
    QCOMPARE(count(), 0);
    auto transaction = Transaction::begin(*m_database);
    QVERIFY(transaction);
    QVERIFY(m_database->change(kInsert, note(1, "kept")));
    QVERIFY(transaction->commit());
    m_database = open();
    QCOMPARE(count(), 1);
}

void TestDatabase::savepoint_isUndoneAlone()
{
    auto transaction = Transaction::begin(*m_database);
    QVERIFY(transaction);
    QVERIFY(m_database->change(kInsert, note(1, "kept")));
    {
        const auto part = Savepoint::begin(*m_database);
        QVERIFY(part);
        QVERIFY(m_database->change(kInsert, note(2, "undone")));
        QVERIFY(!m_database->change(kInsert, note(1, "a second one")));
    }
    QVERIFY(m_database->change(kInsert, note(3, "kept")));
    QVERIFY(transaction->commit());
    QCOMPARE(count(), 2);
}

void TestDatabase::movedSavepoint_endsOnce()
{
    auto transaction = Transaction::begin(*m_database);
    QVERIFY(transaction);
    auto part = Savepoint::begin(*m_database);
    QVERIFY(part);
    {
        Savepoint moved = *std::move(part);
        QVERIFY(m_database->change(kInsert, note(1, "kept")));
        QVERIFY(moved.release());
    }
    Transaction movedTransaction = *std::move(transaction);
    QVERIFY(movedTransaction.commit());
    QCOMPARE(count(), 1);
}

void TestDatabase::failingCommit_keepsNothing()
{
    auto transaction = Transaction::begin(*m_database);
    QVERIFY(transaction);
    QVERIFY(m_database->change(kInsert, note(1, "lost")));
    // A deferred foreign key is checked by COMMIT itself.
    QVERIFY(m_database->change(QStringLiteral("INSERT INTO tags (note) VALUES (7)")));
    QCOMPARE(transaction->commit().error(), StorageError::Constraint);
    QVERIFY(!m_database->inTransaction());
    QCOMPARE(count(), 0);
    QVERIFY(m_database->change(kInsert, note(1, "a new start")));
}

void TestDatabase::fullDisk_isSaidAndTheOldDataStays()
{
    QVERIFY(m_database->change(kInsert, note(1, "old")));
    leaveNoRoom();
    QCOMPARE(m_database->change(kInsert, note(2, std::string(100'000, 'x'))).error(), StorageError::DiskFull);
    QCOMPARE(count(), 1);
    m_database = open();
    QCOMPARE(count(), 1);
    QVERIFY(m_database->change(kInsert, note(2, std::string(100'000, 'x'))));
}

void TestDatabase::fullDiskInsideATransaction_losesAllOfItAndSaysSo()
{
    leaveNoRoom();
    auto transaction = Transaction::begin(*m_database);
    QVERIFY(transaction);
    QVERIFY(m_database->change(kInsert, note(1, "in the same transaction")));
    {
        const auto part = Savepoint::begin(*m_database);
        QVERIFY(part);
        QCOMPARE(m_database->change(kInsert, note(2, std::string(100'000, 'x'))).error(), StorageError::DiskFull);
    }
    // SQLite has rolled back by itself; without the mark this row would be committed at once, alone.
    QCOMPARE(m_database->change(kInsert, note(3, "later")).error(), StorageError::DiskFull);
    QCOMPARE(m_database->execute(QStringLiteral("DELETE FROM notes")).error(), StorageError::DiskFull);
    QCOMPARE(transaction->commit().error(), StorageError::DiskFull);
    QCOMPARE(count(), 0);
    QVERIFY(m_database->change(kInsert, note(4, "after it")));
    QCOMPARE(count(), 1);
}

void TestDatabase::whyUnsaved_isSaidUntilAChangeIsSaved()
{
    const auto save = [this](int id, std::size_t size) {
        auto transaction = Transaction::begin(*m_database);
        QVERIFY(transaction);
        static_cast<void>(m_database->change(kInsert, note(id, std::string(size, 'x'))));
        static_cast<void>(transaction->commit());
    };
    save(1, 1);
    QVERIFY(!m_database->whyUnsaved());
    leaveNoRoom();
    save(2, 100'000);
    QVERIFY(m_database->whyUnsaved() == StorageError::DiskFull);
    // A transaction that only reads goes well on a full disk, too
    auto reading = Transaction::begin(*m_database);
    QVERIFY(reading && m_database->select(QStringLiteral("SELECT * FROM notes")) && reading->commit());
    QVERIFY(m_database->whyUnsaved() == StorageError::DiskFull);
    save(3, 1); // there was room for so little
    QVERIFY(!m_database->whyUnsaved());
}

void TestDatabase::whyUnsaved_saysNothingOfARuleOfTheSchema()
{
    auto transaction = Transaction::begin(*m_database);
    QVERIFY(transaction);
    QVERIFY(m_database->change(kInsert, note(1, "")));
    QCOMPARE(m_database->change(kInsert, note(1, "")).error(), StorageError::Constraint);
    QVERIFY(transaction->commit());
    QVERIFY(!m_database->whyUnsaved());
}

void TestDatabase::whyUnsaved_ofALock_isOverWithTheLock()
{
    const auto second = open(1ms);
    auto first = Transaction::begin(*m_database);
    QVERIFY(first && !second->begin());
    QVERIFY(second->whyUnsaved() == StorageError::Locked);
    QVERIFY(first->commit());
    QVERIFY(second->begin() && second->commit());
    QVERIFY(!second->whyUnsaved());
}

void TestDatabase::secondWriter_isLockedOutUntilTheFirstEnds()
{
    const auto second = open(1ms);
    auto first = Transaction::begin(*m_database);
    QVERIFY(first);
    const auto locked = second->begin();
    QVERIFY(!locked);
    QCOMPARE(locked.error(), StorageError::Locked);
    QCOMPARE(second->change(kInsert, note(1, "")).error(), StorageError::Locked);
    QVERIFY(second->select(QStringLiteral("SELECT * FROM notes")));
    QVERIFY(first->commit());
    QVERIFY(second->begin());
    QVERIFY(second->commit());
}

void TestDatabase::eachThread_hasItsOwnConnection()
{
    std::vector<std::thread> threads;
    std::atomic<int> saved = 0;
    for (std::int64_t id = 0; id < 4; ++id)
        threads.emplace_back([this, id, &saved] {
            const auto database = open();
            if (database->change(kInsert, note(id, "from a thread")))
                ++saved;
        });
    for (std::thread& thread : threads)
        thread.join();
    QCOMPARE(saved.load(), 4);
    QCOMPARE(count(), 4);
}

void TestDatabase::sqliteCodes_haveOneMeaning_data()
{
    QTest::addColumn<int>("code");
    QTest::addColumn<StorageError>("error");
    QTest::newRow("SQLITE_BUSY") << 5 << StorageError::Locked;
    QTest::newRow("SQLITE_BUSY_SNAPSHOT") << 517 << StorageError::Locked;
    QTest::newRow("SQLITE_LOCKED") << 6 << StorageError::Locked;
    QTest::newRow("SQLITE_PERM") << 3 << StorageError::ReadOnly;
    QTest::newRow("SQLITE_READONLY") << 8 << StorageError::ReadOnly;
    QTest::newRow("SQLITE_READONLY_DIRECTORY") << 1544 << StorageError::ReadOnly;
    QTest::newRow("SQLITE_CORRUPT") << 11 << StorageError::Damaged;
    QTest::newRow("SQLITE_NOTADB") << 26 << StorageError::Damaged;
    QTest::newRow("SQLITE_FULL") << 13 << StorageError::DiskFull;
    QTest::newRow("SQLITE_CONSTRAINT_UNIQUE") << 2067 << StorageError::Constraint;
    QTest::newRow("SQLITE_IOERR_FSYNC") << 1034 << StorageError::Failed;
    QTest::newRow("SQLITE_CANTOPEN") << 14 << StorageError::Failed;
    QTest::newRow("SQLITE_ERROR") << 1 << StorageError::Failed;
}

void TestDatabase::sqliteCodes_haveOneMeaning()
{
    QFETCH(const int, code);
    QFETCH(const StorageError, error);
    QCOMPARE(errorFromSqlite(code), error);
}

QTEST_GUILESS_MAIN(TestDatabase)
#include "tst_database.moc"
