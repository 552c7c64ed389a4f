// Files that somebody named: read whole or refused at once.
#include "storage/plain_file.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <sys/stat.h>

using namespace payonce::storage;

class TestPlainFile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void regularFile_isReadUpToTheBound()
    {
        const QTemporaryDir dir;
        QFile file(dir.filePath(QStringLiteral("a")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("0123456789");
        file.close();
        QCOMPARE(readPlainFile(file.fileName(), 100).value(), QByteArray("0123456789"));
        QCOMPARE(readPlainFile(file.fileName(), 4).value(), QByteArray("0123"));
        QVERIFY(isPlainOrAbsent(file.fileName()));
    }

    void pipeWithoutWriter_isRefusedAtOnce()
    {
        const QTemporaryDir dir;
        const QString pipe = dir.filePath(QStringLiteral("pipe"));
        QCOMPARE(::mkfifo(QFile::encodeName(pipe).constData(), 0600), 0);
        const auto read = readPlainFile(pipe, 100);
        QVERIFY(!read);
        QCOMPARE(read.error().error, PlainFileError::NotRegular);
        QVERIFY(!isPlainOrAbsent(pipe));
    }

    void directoryAndDevice_areRefused()
    {
        for (const char* path : {"/", "/dev/null", "/dev/zero"}) {
            const auto read = readPlainFile(QLatin1String(path), 100);
            QVERIFY2(!read && read.error().error == PlainFileError::NotRegular, path);
            QVERIFY2(!isPlainOrAbsent(QLatin1String(path)), path);
        }
    }

    void missingFile_isRefusedWithTheSystemsWords()
    {
        const auto read = readPlainFile(QStringLiteral("/nowhere/at/all"), 100);
        QVERIFY(!read);
        QCOMPARE(read.error().error, PlainFileError::NotOpened);
        QCOMPARE(read.error().words, QStringLiteral("No such file or directory"));
        QVERIFY(isPlainOrAbsent(QStringLiteral("/nowhere/at/all")));
    }
};

QTEST_APPLESS_MAIN(TestPlainFile)
#include "tst_plain_file.moc"
