#include "core/storage/journal_samples.h"

#include <QtCore/QFile>
#include <QtCore/QRegularExpression>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <sys/fsuid.h>
#include <unistd.h>

using namespace payonce;
using namespace payonce::samples;
using retry::AttemptBegun;
using retry::JournalError;
using storage::ClientJournal;
using storage::Database;
using storage::StorageError;
using values::Result;

class ClientJournalErrorsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void fullDisk_isSaidAndLosesNothing();
    void fullDisk_refusesSaveOne();
    void rowThatTakesTheTransactionDown_leavesNeitherOfBoth();
    void readOnlyDirectory_isSaid();
    void lockedFile_isSaid();
    void garbage_isDamaged();
    void newerVersion_isLeftAlone();
    void damagedRow_data();
    void damagedRow();
    void failedOpening_isTriedAgain();

private:
    [[nodiscard]] QString path() const { return m_directory->filePath(QStringLiteral("client.sqlite")); }
    [[nodiscard]] ClientJournal journal() const { return ClientJournal(ClientJournal::fileAt(path())); }
    void tamper(const char* sql) const;

    std::unique_ptr<QTemporaryDir> m_directory;
};

void ClientJournalErrorsTest::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_directory = std::make_unique<QTemporaryDir>();
}

void ClientJournalErrorsTest::tamper(const char* sql) const
{
    const auto database = ClientJournal::fileAt(path())();
    QVERIFY(database);
    QVERIFY((*database)->execute(QString::fromLatin1(sql)));
}

namespace {

/// Root may write anywhere: while it lives, this thread opens files as nobody.
class AsNobody
{
public:
    AsNobody() : m_before(::geteuid() == 0 ? ::setfsuid(kNobody) : -1) {}
    AsNobody(const AsNobody&) = delete;
    AsNobody& operator=(const AsNobody&) = delete;
    AsNobody(AsNobody&&) = delete;
    AsNobody& operator=(AsNobody&&) = delete;
    ~AsNobody()
    {
        if (m_before >= 0)
            ::setfsuid(static_cast<uid_t>(m_before));
    }

private:
    static constexpr uid_t kNobody = 65534;
    int m_before;
};

/// A database that has room for what is in it and no page more.
Result<std::unique_ptr<Database>, StorageError> withoutRoom(const QString& path)
{
    auto database = ClientJournal::fileAt(path)();
    if (database) {
        (void)(*database)->select(QStringLiteral("PRAGMA max_page_count=1"));
    }
    return database;
}

} // namespace

void ClientJournalErrorsTest::fullDisk_isSaidAndLosesNothing()
{
    auto before = journal();
    const auto id = anAction().id;
    QVERIFY(before.saveAction(anAction()));
    ClientJournal full([this] { return withoutRoom(path()); });

    const auto saved = full.saveReady(id, 1, aRequest(std::string(100'000, 'x')), aRow());

    QVERIFY(!saved && saved.error() == JournalError::DiskFull);
    const auto found = journal().read(id);
    QVERIFY(found && *found && !(*found)->ready);
}

void ClientJournalErrorsTest::fullDisk_refusesSaveOne()
{
    ClientJournal full([this] { return withoutRoom(path()); });
    auto action = anAction();
    action.purchase.email = std::string(10'000, 'x');

    const auto saved = full.saveAction(action);

    QVERIFY(!saved && saved.error() == JournalError::DiskFull);
    const auto absent = journal().read(action.id);
    QVERIFY(absent && !*absent);
}

void ClientJournalErrorsTest::rowThatTakesTheTransactionDown_leavesNeitherOfBoth()
{
    auto writer = journal();
    QVERIFY(writer.saveAction(anAction()));
    tamper("CREATE TRIGGER full BEFORE INSERT ON attempts BEGIN SELECT RAISE(ROLLBACK, 'as a full disk does'); END");

    const auto saved = writer.saveReady(anAction().id, 1, aRequest(), aRow());

    QVERIFY(!saved);
    const auto found = *writer.read(anAction().id);
    QVERIFY(!found->ready && found->attempts.empty());
    tamper("DROP TRIGGER full");
    QVERIFY(writer.saveReady(anAction().id, 1, aRequest(), aRow()) == AttemptBegun::Inserted);
}

void ClientJournalErrorsTest::readOnlyDirectory_isSaid()
{
    const QString closed = m_directory->path();
    const QFile::Permissions readable = QFile::ReadOwner | QFile::ExeOwner | QFile::ReadOther | QFile::ExeOther;
    QVERIFY(QFile::setPermissions(closed, readable));
    {
        const AsNobody nobody;
        ClientJournal refused(ClientJournal::fileAt(closed + QStringLiteral("/client.sqlite")));

        const auto saved = refused.saveAction(anAction());

        QVERIFY(!saved && saved.error() == JournalError::ReadOnly);
        QVERIFY(refused.takeOverOpen().error() == JournalError::ReadOnly);
        QVERIFY(refused.read(anAction().id).error() == JournalError::ReadOnly);
    }
    QVERIFY(QFile::setPermissions(closed, readable | QFile::WriteOwner));
}

void ClientJournalErrorsTest::lockedFile_isSaid()
{
    ClientJournal hurried(ClientJournal::fileAt(path(), {.busyTime = std::chrono::milliseconds(10)}));
    QVERIFY(hurried.saveAction(anAction()));
    const auto other = ClientJournal::fileAt(path())();
    QVERIFY(other && (*other)->begin());

    QVERIFY(hurried.saveReady(anAction().id, 1, aRequest(), aRow()).error() == JournalError::Locked);
    QVERIFY(hurried.takeOverOpen().error() == JournalError::Locked);

    (*other)->rollback();
    QVERIFY(hurried.saveReady(anAction().id, 1, aRequest(), aRow()) == AttemptBegun::Inserted);
}

void ClientJournalErrorsTest::garbage_isDamaged()
{
    QFile file(path());
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray(8192, 'x'));
    file.close();

    QVERIFY(journal().takeOverOpen().error() == JournalError::Damaged);
    QVERIFY(journal().saveAction(anAction()).error() == JournalError::Damaged);
}

void ClientJournalErrorsTest::newerVersion_isLeftAlone()
{
    QVERIFY(journal().saveAction(anAction()));
    tamper("PRAGMA user_version=99");

    QVERIFY(journal().takeOverOpen().error() == JournalError::NewerVersion);
}

void ClientJournalErrorsTest::damagedRow_data()
{
    QTest::addColumn<QByteArray>("sql");

    QTest::newRow("body") << QByteArray("UPDATE actions SET body = x'7b7d'");
    QTest::newRow("final state of no meaning")
        << QByteArray("UPDATE actions SET final_state = 'Paid', final_cause = 'no_such_cause'");
    QTest::newRow("currency") << QByteArray("UPDATE actions SET currency = 'XXQ'");
    QTest::newRow("error name") << QByteArray("UPDATE attempts SET error = 'no_such_error'");
    QTest::newRow("reason name") << QByteArray("UPDATE attempts SET reason = 'no_such_reason'");
}

void ClientJournalErrorsTest::damagedRow()
{
    QFETCH(const QByteArray, sql);
    auto writer = journal();
    QCOMPARE(makeReady(writer, anAction()), 1);
    QVERIFY(writer.endAttempt(anAction().id, 1, 1, anEnd()));

    tamper(sql.constData());

    QVERIFY(writer.read(anAction().id).error() == JournalError::Damaged);
    const auto open = journal().takeOverOpen();
    QVERIFY(open ? open->empty() : open.error() == JournalError::Damaged);
}

void ClientJournalErrorsTest::failedOpening_isTriedAgain()
{
    bool isBroken = true;
    ClientJournal flaky([this, &isBroken]() -> Result<std::unique_ptr<Database>, StorageError> {
        if (isBroken) {
            return values::Failure(StorageError::Locked);
        }
        return ClientJournal::fileAt(path())();
    });
    QVERIFY(flaky.saveAction(anAction()).error() == JournalError::Locked);

    isBroken = false;

    QVERIFY(flaky.saveAction(anAction()) == 1);
}

QTEST_GUILESS_MAIN(ClientJournalErrorsTest)
#include "tst_client_journal_errors.moc"
