// The kernel decides who holds a lock, never the text in its file.
#include "storage/lock_file.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <sys/stat.h>

using payonce::storage::LockError;
using payonce::storage::LockFile;

class TestLockFile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_dir = std::make_unique<QTemporaryDir>();
    }
    void cleanup() { m_dir.reset(); }

    void secondHolder_isRefusedAndToldWhoHasIt()
    {
        const auto first = LockFile::take(path());
        QVERIFY(first);
        const auto second = LockFile::take(path());
        QVERIFY(!second);
        QCOMPARE(second.error().error, LockError::Taken);
        QVERIFY2(second.error().words.contains(QString::number(QCoreApplication::applicationPid())),
                 qPrintable(second.error().words));
        QVERIFY(!LockFile::take(path())); // the refused one took nothing away
    }

    void lockLetGo_leavesNoFileAndCanBeTakenAgain()
    {
        QVERIFY(LockFile::take(path()));
        QVERIFY(!QFile::exists(path()));
        QVERIFY(LockFile::take(path()));
    }

    void textInTheFile_decidesNothing_data()
    {
        QTest::addColumn<QByteArray>("text");
        const QByteArray ourselves = QByteArray::number(QCoreApplication::applicationPid());
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("garbage") << QByteArray("\0\xff garbage", 10);
        QTest::newRow("a process that lives: this one") << ourselves + "\ntst_lock_file\nhost\n";
        QTest::newRow("a dead process") << QByteArray("999999999\npayonce\n");
        QTest::newRow("longer than ours") << QByteArray(5000, '1');
    }
    void textInTheFile_decidesNothing()
    {
        QFETCH(QByteArray, text);
        write(text);
        const auto lock = LockFile::take(path());
        QVERIFY(lock);
        QFile file(path());
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readLine().trimmed(), QByteArray::number(QCoreApplication::applicationPid()));
        QCOMPARE(file.readAll().count('\n'), 1); // nothing of the old text is left
    }

    void unreadableHolder_isAnotherProcess()
    {
        const auto first = LockFile::take(path());
        QVERIFY(first);
        write("x");
        const auto second = LockFile::take(path());
        QVERIFY(!second);
        QCOMPARE(second.error().error, LockError::Taken);
        QCOMPARE(second.error().words, QStringLiteral("another process"));
    }

    void whatIsNoFile_cannotBeLocked_data()
    {
        QTest::addColumn<QString>("kind");
        for (const char* kind : {"directory", "pipe", "link", "no directory"})
            QTest::newRow(kind) << QString::fromLatin1(kind);
    }
    void whatIsNoFile_cannotBeLocked()
    {
        QFETCH(QString, kind);
        QString name = path();
        const QByteArray bytes = QFile::encodeName(name);
        if (kind == QLatin1String("directory"))
            QCOMPARE(::mkdir(bytes.constData(), 0700), 0);
        else if (kind == QLatin1String("pipe"))
            QCOMPARE(::mkfifo(bytes.constData(), 0600), 0);
        else if (kind == QLatin1String("link"))
            QVERIFY(QFile::link(m_dir->filePath(QStringLiteral("elsewhere")), name));
        else
            name = m_dir->filePath(QStringLiteral("none/lock"));
        const auto lock = LockFile::take(name);
        QVERIFY(!lock);
        QCOMPARE(lock.error().error, LockError::NotLockable);
        QVERIFY(!lock.error().words.isEmpty());
    }

    // Somebody removed our file and another process made its own: that one stays.
    void fileOfAnotherHolder_isNotRemoved()
    {
        auto first = LockFile::take(path());
        QVERIFY(first);
        QVERIFY(QFile::remove(path()));
        const auto second = LockFile::take(path());
        QVERIFY(second);
        first->reset();
        QVERIFY(QFile::exists(path()));
        QVERIFY(!LockFile::take(path()));
    }

private:
    [[nodiscard]] QString path() const { return m_dir->filePath(QStringLiteral("lock")); }
    void write(const QByteArray& text) const
    {
        QFile file(path());
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        QCOMPARE(file.write(text), text.size());
    }

    std::unique_ptr<QTemporaryDir> m_dir;
};

QTEST_GUILESS_MAIN(TestLockFile)
#include "tst_lock_file.moc"
