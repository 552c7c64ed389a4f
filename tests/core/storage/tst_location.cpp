#include "storage/location.h"

#include <QtTest/QTest>

using payonce::storage::Location;
using payonce::storage::PostgresParameters;

class TestLocation : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void address_isReadAsLibpqReadsIt_data();
    void address_isReadAsLibpqReadsIt();
    void anythingElse_isAFile_data();
    void anythingElse_isAFile();
    void brokenAddress_isRefused_data();
    void brokenAddress_isRefused();
    void password_isNeverDescribed_data();
    void password_isNeverDescribed();
};

namespace {

PostgresParameters parameters(const QStringList& namesAndValues)
{
    PostgresParameters result;
    for (qsizetype at = 0; at + 1 < namesAndValues.size(); at += 2)
        result.insert(namesAndValues.at(at), namesAndValues.at(at + 1));
    return result;
}

QStringList words(const char* text)
{
    return QString::fromUtf8(text).split(QLatin1Char('|'));
}

} // namespace

Q_DECLARE_METATYPE(payonce::storage::PostgresParameters)

void TestLocation::address_isReadAsLibpqReadsIt_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<PostgresParameters>("expected");
    const auto row = [](const char* name, const char* text, const char* expected) {
        QTest::newRow(name) << QString::fromUtf8(text) << parameters(words(expected));
    };
    row("whole", "postgresql://ann:s%3Bcret@db.example:5433/shop?sslmode=require",
        "user|ann|password|s;cret|host|db.example|port|5433|dbname|shop|sslmode|require");
    row("short scheme", "postgres://db.example/shop", "host|db.example|dbname|shop");
    row("nothing said", "postgresql://", "");
    row("socket directory in the query", "postgresql:///shop?host=/run/postgresql", "dbname|shop|host|/run/postgresql");
    row("socket directory as the host", "postgresql://%2Frun%2Fpostgresql/shop", "host|/run/postgresql|dbname|shop");
    row("IPv6", "postgresql://[::1]:5433/shop", "host|::1|port|5433|dbname|shop");
    row("several hosts", "postgresql://a:1,b:2/shop?target_session_attrs=read-write",
        "host|a,b|port|1,2|dbname|shop|target_session_attrs|read-write");
    row("several hosts without ports", "postgresql://a,b/shop", "host|a,b|dbname|shop");
    row("an at sign in the password", "postgresql://ann:p@ss@db/shop", "user|ann|password|p@ss|host|db|dbname|shop");
    row("key words", "host=/run/postgresql dbname=shop", "host|/run/postgresql|dbname|shop");
    row("key words with spaces", " host = 'my dir'  password='it\\'s \\\\ secret' port=5433",
        "host|my dir|password|it's \\ secret|port|5433");
    row("empty value", "host='' dbname=shop", "dbname|shop");
    row("options", "dbname=shop options='-c search_path=a'", "dbname|shop|options|-c search_path=a");
}

void TestLocation::address_isReadAsLibpqReadsIt()
{
    QFETCH(const QString, text);
    QFETCH(const PostgresParameters, expected);
    const auto read = Location::parse(text);
    QVERIFY(read && read->isPostgres());
    QCOMPARE(read->parameters(), expected);
}

void TestLocation::anythingElse_isAFile_data()
{
    QTest::addColumn<QString>("path");
    for (const char* path : {"/tmp/bank.sqlite", "bank.sqlite", "/tmp/a=b/bank.sqlite", "./host=a", "Host=a"})
        QTest::newRow(path) << QString::fromLatin1(path);
}

void TestLocation::anythingElse_isAFile()
{
    QFETCH(const QString, path);
    const auto read = Location::parse(path);
    QVERIFY(read && !read->isPostgres());
    QCOMPARE(read->file(), path);
    QCOMPARE(read->described(), path);
}

void TestLocation::brokenAddress_isRefused_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("no value") << QStringLiteral("host=a dbname");
    QTest::newRow("open quote") << QStringLiteral("host='a");
    QTest::newRow("query without value") << QStringLiteral("postgresql:///shop?host");
    QTest::newRow("semicolon in an option") << QStringLiteral("dbname=shop options='a;b'");
    QTest::newRow("NUL") << QStringLiteral("postgresql:///shop?host=a%00b");
    QTest::newRow("strange name") << QStringLiteral("postgresql:///shop?ho st=a");
}

void TestLocation::brokenAddress_isRefused()
{
    QFETCH(const QString, text);
    QVERIFY(!Location::parse(text));
}

void TestLocation::password_isNeverDescribed_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("described");
    QTest::newRow("URL") << QStringLiteral("postgresql://ann:secret@db:5433/shop")
                         << QStringLiteral("postgresql://db:5433/shop");
    QTest::newRow("query") << QStringLiteral("postgresql://db/shop?password=secret") << QStringLiteral("postgresql://db/shop");
    QTest::newRow("key words") << QStringLiteral("host=/run/a password=secret dbname=shop")
                               << QStringLiteral("postgresql:///run/a/shop");
    QTest::newRow("key of a certificate") << QStringLiteral("host=db sslpassword=secret dbname=shop")
                                          << QStringLiteral("postgresql://db/shop");
}

void TestLocation::password_isNeverDescribed()
{
    QFETCH(const QString, text);
    QFETCH(const QString, described);
    QCOMPARE(Location::parse(text).value().described(), described);
}

QTEST_GUILESS_MAIN(TestLocation)
#include "tst_location.moc"
