// Presence: who lives among the processes of one directory.
#include "storage/presence.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QProcess>
#include <QtCore/QRegularExpression>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <sys/stat.h>

using payonce::storage::LockError;
using payonce::storage::Presence;

class TestPresence : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_directory = std::make_unique<QTemporaryDir>();
    }

    void everyInstance_isAnotherAndNeverNobody()
    {
        const auto first = enter();
        const auto second = enter();

        QVERIFY(first->instance() > 0 && second->instance() > 0);
        QVERIFY(first->instance() != second->instance());
    }

    void present_isWhoHasNotLeft()
    {
        const auto first = enter();
        auto second = enter();
        const auto number = second->instance();
        QVERIFY(first->isPresent(number));
        QVERIFY(first->isPresent(first->instance()));
        QVERIFY(!first->isPresent(number == 1 ? 2 : number - 1)); // one place beside it

        second.reset();

        QVERIFY(!first->isPresent(number));
    }

    void last_isWhoLeavesNobodyBehind()
    {
        const auto first = enter();
        const auto second = enter();

        QVERIFY(!first->leave());
        QVERIFY(second->leave());
    }

    void childProgram_doesNotKeepItsParentPresent()
    {
        const auto watcher = enter();
        auto parent = enter();
        const auto number = parent->instance();
        QProcess child;
        child.start(QStringLiteral("cat"), QStringList());
        QVERIFY(child.waitForStarted());

        parent.reset();

        QVERIFY(!watcher->isPresent(number));
        child.closeWriteChannel();
        QVERIFY(child.waitForFinished());
    }

    void removedFile_isMadeAgainAndFoundByAll()
    {
        const auto first = enter();
        QVERIFY(QFile::remove(path()));
        const auto second = enter();
        QVERIFY(!second->isPresent(first->instance()));

        first->renew();

        QVERIFY(second->isPresent(first->instance()));
        QVERIFY(first->isPresent(second->instance()));
    }

    void whatCannotBeLocked_isToldInWords_data()
    {
        QTest::addColumn<QString>("what");

        QTest::newRow("a pipe") << QStringLiteral("pipe");
        QTest::newRow("a directory") << QStringLiteral("directory");
        QTest::newRow("in a directory that is missing") << QStringLiteral("missing");
    }

    void whatCannotBeLocked_isToldInWords()
    {
        QFETCH(const QString, what);
        QString file = path();
        if (what == QLatin1String("pipe"))
            QCOMPARE(::mkfifo(QFile::encodeName(file).constData(), 0600), 0);
        else if (what == QLatin1String("directory"))
            QVERIFY(QDir().mkdir(file));
        else
            file = m_directory->filePath(QStringLiteral("nowhere/payonce.lock"));

        const auto refused = Presence::take(file);

        QVERIFY(!refused && refused.error().error == LockError::NotLockable);
        QVERIFY(!refused.error().words.isEmpty());
    }

private:
    [[nodiscard]] QString path() const { return m_directory->filePath(QStringLiteral("payonce.lock")); }
    [[nodiscard]] std::shared_ptr<Presence> enter() const { return Presence::take(path()).value(); }

    std::unique_ptr<QTemporaryDir> m_directory;
};

QTEST_GUILESS_MAIN(TestPresence)
#include "tst_presence.moc"
