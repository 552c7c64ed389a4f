#include "storage/database.h"

#include "storage/binding.h"

#include <QtCore/QFile>
#include <QtCore/QFileInfo>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <sys/stat.h>
#include <unistd.h>

using namespace payonce::storage;

/// Opening never harms a file, whatever it is.
class TestDatabaseOpening : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void newFile_isPrivateDurableAndMarked();
    void emptyFile_isANewDatabase();
    void newStep_isAddedAndOldRowsStay();
    void failingStep_leavesTheVersionBefore();
    void missingStep_isFailed();
    void newerVersion_isLeftAlone();
    void foreignFile_isDamagedAndLeftAlone_data();
    void foreignFile_isDamagedAndLeftAlone();
    void missingDirectory_isFailed();
    void directoryInItsPlace_isFailed();
    void unwritablePlace_isReadOnly_data();
    void unwritablePlace_isReadOnly();
    void anothersWriteLock_isLocked();

private:
    [[nodiscard]] QString in(const char* name) const { return m_directory->filePath(QString::fromLatin1(name)); }
    [[nodiscard]] QString path() const { return in("test.sqlite"); }
    [[nodiscard]] payonce::values::Result<std::unique_ptr<Database>, StorageError> open(int steps,
                                                                                        std::int32_t id = 0x74657374) const;
    void writeFile(const QString& name, const QByteArray& bytes) const;
    [[nodiscard]] QByteArray bytes() const;
    /// A database of one step with enough rows that its tables fill several pages.
    void makeDatabase() const;

    std::unique_ptr<QTemporaryDir> m_directory;
};

namespace {

/// While it lives, the process has no right to pass by file permissions.
class WithoutRoot
{
public:
    WithoutRoot() : m_before(::geteuid())
    {
        constexpr uid_t kNobody = 65534;
        if (m_before == 0 && ::seteuid(kNobody) != 0)
            qFatal("seteuid");
    }
    WithoutRoot(const WithoutRoot&) = delete;
    WithoutRoot& operator=(const WithoutRoot&) = delete;
    WithoutRoot(WithoutRoot&&) = delete;
    WithoutRoot& operator=(WithoutRoot&&) = delete;
    ~WithoutRoot()
    {
        if (::seteuid(m_before) != 0)
            qFatal("seteuid");
    }

private:
    uid_t m_before;
};

std::int64_t numberFrom(Database& database, const char* sql)
{
    const auto rows = database.select(QString::fromLatin1(sql));
    return rows && !rows->isEmpty() ? numberOf(rows->first().first()) : -1;
}

} // namespace

void TestDatabaseOpening::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_directory = std::make_unique<QTemporaryDir>();
    writeFile(in("step_1.sql"),
              "-- the first\nCREATE TABLE notes (text TEXT NOT NULL) STRICT;\n\nCREATE INDEX by_text ON notes (text);\n");
    writeFile(in("step_2.sql"), "ALTER TABLE notes ADD COLUMN size INTEGER NOT NULL DEFAULT 7;\n");
    writeFile(in("step_3.sql"), "CREATE TABLE more (id INTEGER PRIMARY KEY) STRICT;\n\nCREATE NONSENSE;\n");
}

void TestDatabaseOpening::cleanup()
{
    m_directory.reset();
}

payonce::values::Result<std::unique_ptr<Database>, StorageError> TestDatabaseOpening::open(int steps, std::int32_t id) const
{
    Schema schema{id, {}};
    for (int step = 1; step <= steps; ++step)
        schema.steps.append(m_directory->filePath(QStringLiteral("step_%1.sql").arg(step)));
    return Database::open(path(), schema, {std::chrono::milliseconds(1)});
}

void TestDatabaseOpening::writeFile(const QString& name, const QByteArray& bytes) const
{
    QFile file(name);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
}

QByteArray TestDatabaseOpening::bytes() const
{
    QFile file(path());
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void TestDatabaseOpening::makeDatabase() const
{
    const auto database = open(1);
    QVERIFY(database && (*database)->begin());
    for (int row = 0; row < 100; ++row)
        QVERIFY((*database)->change(QStringLiteral("INSERT INTO notes (text) VALUES (?)"),
                                    {bound(std::to_string(row) + std::string(500, 'x'))}));
    QVERIFY((*database)->commit());
}

void TestDatabaseOpening::newFile_isPrivateDurableAndMarked()
{
    const auto database = open(1);
    QVERIFY(database);
    for (const char* name : {"test.sqlite", "test.sqlite-wal", "test.sqlite-shm"}) {
        struct stat status = {};
        QCOMPARE(::stat(QFile::encodeName(in(name)).constData(), &status), 0);
        QCOMPARE(status.st_mode & 0777U, 0600U);
    }
    QCOMPARE(numberFrom(**database, "PRAGMA synchronous"), 2);
    QCOMPARE(numberFrom(**database, "PRAGMA foreign_keys"), 1);
    QCOMPARE(numberFrom(**database, "PRAGMA application_id"), 0x74657374);
    QCOMPARE(numberFrom(**database, "PRAGMA user_version"), 1);
    QCOMPARE((*database)->select(QStringLiteral("PRAGMA journal_mode"))->first().first().toString(), QStringLiteral("wal"));
}

void TestDatabaseOpening::emptyFile_isANewDatabase()
{
    writeFile(path(), {});
    QVERIFY(open(1));
    const auto again = open(1);
    QVERIFY(again);
    QCOMPARE(numberFrom(**again, "SELECT count(*) FROM notes"), 0);
}

void TestDatabaseOpening::newStep_isAddedAndOldRowsStay()
{
    makeDatabase();
    const auto database = open(2);
    QVERIFY(database);
    QCOMPARE(numberFrom(**database, "SELECT sum(size) FROM notes"), 700);
    QCOMPARE(numberFrom(**database, "PRAGMA user_version"), 2);
}

void TestDatabaseOpening::failingStep_leavesTheVersionBefore()
{
    makeDatabase();
    const auto failed = open(3);
    QVERIFY(!failed);
    QCOMPARE(failed.error(), StorageError::Failed);
    const auto database = open(2);
    QVERIFY(database);
    QCOMPARE(numberFrom(**database, "PRAGMA user_version"), 2);
    QCOMPARE(numberFrom(**database, "SELECT count(*) FROM sqlite_schema WHERE name = 'more'"), 0);
    QCOMPARE(numberFrom(**database, "SELECT count(*) FROM notes"), 100);
}

void TestDatabaseOpening::missingStep_isFailed()
{
    QVERIFY(QFile::remove(in("step_1.sql")));
    QCOMPARE(open(1).error(), StorageError::Failed);
}

void TestDatabaseOpening::newerVersion_isLeftAlone()
{
    QVERIFY(open(2));
    const QByteArray before = bytes();
    const auto refused = open(1);
    QVERIFY(!refused);
    QCOMPARE(refused.error(), StorageError::NewerVersion);
    QCOMPARE(bytes(), before);
}

void TestDatabaseOpening::foreignFile_isDamagedAndLeftAlone_data()
{
    QTest::addColumn<QString>("kind");
    QTest::newRow("text") << QStringLiteral("text");
    QTest::newRow("zeros") << QStringLiteral("zeros");
    QTest::newRow("cut in the middle") << QStringLiteral("cut");
    QTest::newRow("a page overwritten") << QStringLiteral("page");
    QTest::newRow("an index that misses rows") << QStringLiteral("index");
    QTest::newRow("another program's database") << QStringLiteral("id");
    QTest::newRow("ours, but without a version") << QStringLiteral("version");
}

void TestDatabaseOpening::foreignFile_isDamagedAndLeftAlone()
{
    QFETCH(const QString, kind);
    makeDatabase();
    QByteArray file = bytes();
    if (kind == QLatin1String("text"))
        file = QByteArray("Dear diary, ").repeated(1000);
    if (kind == QLatin1String("zeros"))
        file.fill('\0');
    if (kind == QLatin1String("cut"))
        file.truncate(file.size() / 2);
    if (kind == QLatin1String("page"))
        file.replace(4096, 4096, QByteArray(4096, 'z'));
    if (kind == QLatin1String("index"))
        file.replace(2 * 4096LL, 4096, QByteArray(4096, 'z'));
    constexpr qsizetype kVersionAt = 60; // user_version, https://www.sqlite.org/fileformat2.html#the_database_header
    if (kind == QLatin1String("version"))
        file.replace(kVersionAt, 4, QByteArray(4, '\0'));
    writeFile(path(), file);

    const auto refused = open(1, kind == QLatin1String("id") ? 0x6f746872 : 0x74657374);
    QVERIFY(!refused);
    QCOMPARE(refused.error(), StorageError::Damaged);
    QCOMPARE(bytes(), file);
}

void TestDatabaseOpening::missingDirectory_isFailed()
{
    const auto failed = Database::open(in("nowhere/test.sqlite"), {1, {in("step_1.sql")}});
    QVERIFY(!failed);
    QCOMPARE(failed.error(), StorageError::Failed);
    QVERIFY(!QFileInfo::exists(in("nowhere")));
}

void TestDatabaseOpening::directoryInItsPlace_isFailed()
{
    const auto failed = Database::open(m_directory->path(), {1, {in("step_1.sql")}});
    QVERIFY(!failed);
    QCOMPARE(failed.error(), StorageError::Failed);
}

void TestDatabaseOpening::unwritablePlace_isReadOnly_data()
{
    QTest::addColumn<bool>("fileIsThere");
    QTest::addColumn<mode_t>("fileMode");
    QTest::addColumn<mode_t>("directoryMode");
    QTest::newRow("new file, read-only directory") << false << mode_t{0} << mode_t{0555};
    QTest::newRow("file there, read-only directory") << true << mode_t{0666} << mode_t{0555};
    QTest::newRow("read-only file") << true << mode_t{0444} << mode_t{0777};
}

void TestDatabaseOpening::unwritablePlace_isReadOnly()
{
    QFETCH(const bool, fileIsThere);
    QFETCH(const mode_t, fileMode);
    QFETCH(const mode_t, directoryMode);
    if (fileIsThere)
        makeDatabase();
    const QByteArray before = bytes();
    if (fileIsThere)
        QCOMPARE(::chmod(QFile::encodeName(path()).constData(), fileMode), 0);
    const QByteArray directory = QFile::encodeName(m_directory->path());
    QCOMPARE(::chmod(directory.constData(), directoryMode), 0);
    {
        const WithoutRoot plainUser;
        const auto refused = open(1);
        QVERIFY(!refused);
        QCOMPARE(refused.error(), StorageError::ReadOnly);
    }
    QCOMPARE(::chmod(directory.constData(), 0700), 0);
    QCOMPARE(bytes(), before);
    QCOMPARE(QFileInfo::exists(path()), fileIsThere);
}

void TestDatabaseOpening::anothersWriteLock_isLocked()
{
    const auto first = open(1);
    QVERIFY(first);
    QVERIFY((*first)->begin());
    const auto second = open(2); // it has a step to write
    QVERIFY(!second);
    QCOMPARE(second.error(), StorageError::Locked);
    QVERIFY((*first)->commit());
    QVERIFY(open(2));
}

QTEST_GUILESS_MAIN(TestDatabaseOpening)
#include "tst_database_opening.moc"
