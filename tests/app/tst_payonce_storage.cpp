// The real payonce on a journal that it cannot use, or that an older one wrote: said in words, nothing lost, nothing sent.
#include "automation/app_process.h"
#include "automation/commands.h"
#include "automation/shop_control.h"
#include "storage/client_journal.h"
#include "support/bank_rows.h"
#include "support/sqlite_file.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QProcess>
#include <QtCore/QRegularExpression>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <linux/capability.h>
#include <sys/prctl.h>

#include <memory>

namespace {

using payonce::storage::ClientJournal;
using payonce::storage::Database;
using payonce::support::AppProcess;
using payonce::support::changeFile;
using payonce::support::isOk;
using payonce::support::on;
using payonce::support::rowsIn;
using payonce::support::ShopControl;
using payonce::support::text;
using payonce::support::valueIn;
using payonce::support::waitFor;

enum class Trouble { Damaged, Newer, Locked };

constexpr int kPatience = 60'000;
constexpr auto kActions =
    "SELECT id, reference, cart_id, amount, currency, valid_until, body, final_state FROM actions ORDER BY id";
constexpr auto kAttempts =
    "SELECT action_id, number, started_at, bytes_taken, status, error, reason FROM attempts ORDER BY action_id";

QByteArray bytesOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

struct Ended
{
    int status = -1;
    QByteArray errors;
};

/// Root is asked for its rights like everybody else: what may not be written is not written.
Ended runWithoutPrivilege(const QStringList& arguments)
{
    QProcess process;
    process.setChildProcessModifier([] { ::prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0); });
    process.start(QStringLiteral(PAYONCE_PROGRAM), arguments);
    if (!process.waitForFinished(kPatience)) {
        process.kill();
        process.waitForFinished(kPatience);
        return {};
    }
    return {process.exitCode(), process.readAllStandardError()};
}

} // namespace

class PayonceStorageTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void journalThatCannotBeUsed_isSaidInTheWindowAndPayIsNotOffered_data();
    void journalThatCannotBeUsed_isSaidInTheWindowAndPayIsNotOffered();
    void journalThatCannotBeUsed_endsARunWithoutAPerson_data();
    void journalThatCannotBeUsed_endsARunWithoutAPerson();
    void journalThatMayNotBeWritten_isLeftAsItIs();
    void directoryThatMayNotBeWritten_isSaidAndLeftAsItIs();
    void olderJournal_isTakenOverWithItsPayments();

private:
    void addTroubles() const;
    void prepare(Trouble trouble);
    void copyOldJournal() const;
    [[nodiscard]] QString journal() const { return m_dir->filePath(QStringLiteral("client.sqlite")); }
    [[nodiscard]] QStringList headless() const
    {
        return {QStringLiteral("--headless"), QStringLiteral("--data-dir"), m_dir->path()};
    }

    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<AppProcess> m_app;
    std::unique_ptr<Database> m_holder; ///< of the lock
};

void PayonceStorageTest::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_dir = std::make_unique<QTemporaryDir>();
    m_app = std::make_unique<AppProcess>(m_dir->filePath(QStringLiteral("socket")),
                                         QStringList{QStringLiteral("--data-dir"), m_dir->path()});
}

void PayonceStorageTest::cleanup()
{
    m_app.reset();
    m_holder.reset();
    ShopControl(m_dir->path()).endServer();
}

void PayonceStorageTest::copyOldJournal() const
{
    QVERIFY(QFile::copy(QStringLiteral(PAYONCE_FIXTURES "/journals/version_1.sqlite"), journal()));
    QVERIFY(QFile::setPermissions(journal(), QFile::ReadOwner | QFile::WriteOwner));
}

void PayonceStorageTest::prepare(Trouble trouble)
{
    QFile file(journal());
    switch (trouble) {
    case Trouble::Damaged:
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray(8192, 'x'));
        break;
    case Trouble::Newer:
        copyOldJournal();
        changeFile(journal(), {QStringLiteral("PRAGMA user_version = 99")});
        break;
    case Trouble::Locked: {
        QVERIFY(ClientJournal::fileAt(journal())()); // made and closed: nothing is left in its log
        auto opened = ClientJournal::fileAt(journal())();
        QVERIFY(opened && (*opened)->begin());
        m_holder = *std::move(opened);
        break;
    }
    }
}

void PayonceStorageTest::addTroubles() const
{
    QTest::addColumn<Trouble>("trouble");
    QTest::addColumn<QString>("words");
    QTest::addColumn<int>("status");

    QTest::newRow("damaged") << Trouble::Damaged << QStringLiteral("Its file is damaged.") << 74;
    QTest::newRow("newer") << Trouble::Newer << QStringLiteral("was written by a newer PayOnce.") << 74;
    QTest::newRow("locked") << Trouble::Locked << QStringLiteral("Another program holds its file.") << 75;
}

void PayonceStorageTest::journalThatCannotBeUsed_isSaidInTheWindowAndPayIsNotOffered_data()
{
    addTroubles();
}

void PayonceStorageTest::journalThatCannotBeUsed_isSaidInTheWindowAndPayIsNotOffered()
{
    QFETCH(const Trouble, trouble);
    QFETCH(const QString, words);
    prepare(trouble);
    const auto before = bytesOf(journal());
    QVERIFY(!before.isEmpty());

    QVERIFY2(m_app->start(), m_app->output());

    QTRY_COMPARE_WITH_TIMEOUT(text(m_app->state(), "sentence"), QStringLiteral("journal_failed"), kPatience);
    const auto detail = m_app->ask(on("get", "checkout.detail")).value(QLatin1String("widget")).toObject();
    QVERIFY(detail.value(QLatin1String("visible")).toBool());
    QVERIFY2(text(detail, "text").contains(words), qPrintable(text(detail, "text")));
    QVERIFY(m_app->state().value(QLatin1String("primary")).isNull());
    QCOMPARE(text(m_app->ask(on("click", "checkout.pay")), "error"), QStringLiteral("hidden"));
    QVERIFY(m_app->quit());
    QCOMPARE(bytesOf(journal()), before);
    QCOMPARE(payonce::support::chargesIn(m_dir->path()), 0);
}

void PayonceStorageTest::journalThatCannotBeUsed_endsARunWithoutAPerson_data()
{
    addTroubles();
}

void PayonceStorageTest::journalThatCannotBeUsed_endsARunWithoutAPerson()
{
    QFETCH(const Trouble, trouble);
    QFETCH(const QString, words);
    QFETCH(const int, status);
    prepare(trouble);
    const auto before = bytesOf(journal());

    const auto ended = runWithoutPrivilege(headless());

    QVERIFY2(ended.status == status, ended.errors);
    QVERIFY2(ended.errors.contains(journal().toUtf8()) && ended.errors.contains(words.toUtf8()), ended.errors);
    QCOMPARE(bytesOf(journal()), before);
}

void PayonceStorageTest::journalThatMayNotBeWritten_isLeftAsItIs()
{
    copyOldJournal();
    QVERIFY(QFile::setPermissions(journal(), QFile::ReadOwner));
    const auto before = bytesOf(journal());

    const auto ended = runWithoutPrivilege(headless());

    QVERIFY2(ended.status == 74, ended.errors);
    QVERIFY2(ended.errors.contains("client.sqlite") && ended.errors.contains("cannot be written"), ended.errors);
    QCOMPARE(bytesOf(journal()), before);
}

void PayonceStorageTest::directoryThatMayNotBeWritten_isSaidAndLeftAsItIs()
{
    copyOldJournal();
    const auto before = bytesOf(journal());
    QVERIFY(QFile::setPermissions(m_dir->path(), QFile::ReadOwner | QFile::ExeOwner));

    const auto ended = runWithoutPrivilege(headless());

    QVERIFY(QFile::setPermissions(m_dir->path(), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    QVERIFY2(ended.status == 74, ended.errors);
    QVERIFY2(ended.errors.contains("--data-dir") && ended.errors.contains(m_dir->path().toUtf8()), ended.errors);
    QCOMPARE(bytesOf(journal()), before);
    QCOMPARE(QDir(m_dir->path()).entryList(QDir::Files), QStringList{QStringLiteral("client.sqlite")});
}

/// Its open payment is another shop's: shown, never asked about here, and no cart is paid beside it unseen.
void PayonceStorageTest::olderJournal_isTakenOverWithItsPayments()
{
    copyOldJournal();
    const auto actions = rowsIn(journal(), QLatin1String(kActions));
    const auto attempts = rowsIn(journal(), QLatin1String(kAttempts));

    QVERIFY2(m_app->start(), m_app->output());

    QVERIFY2(isOk(m_app->ask(waitFor("Unresolved"))), m_app->output());
    QCOMPARE(text(m_app->state(), "action_id"), QStringLiteral("01a22fb2-db2c-72dd-a9b6-47e4703f0f13"));
    QCOMPARE(text(m_app->state(), "reference"), QStringLiteral("703F-0F13"));
    QCOMPARE(text(m_app->ask(on("click", "checkout.pay")), "error"), QStringLiteral("hidden"));
    QVERIFY(m_app->quit());
    QVERIFY(valueIn(journal(), QStringLiteral("PRAGMA user_version")).toInt() > 1);
    QCOMPARE(rowsIn(journal(), QLatin1String(kActions)), actions);
    QCOMPARE(rowsIn(journal(), QLatin1String(kAttempts)), attempts);
    QCOMPARE(payonce::support::chargesIn(m_dir->path()), 0);
}

QTEST_GUILESS_MAIN(PayonceStorageTest)
#include "tst_payonce_storage.moc"
