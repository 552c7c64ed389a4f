#include "program/options.h"

#include <QtTest/QTest>

using namespace payonce::program;

class TestOptions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyFlag_isRead()
    {
        const auto read =
            readOptions({QStringLiteral("payonce-server"), QStringLiteral("--port"), QStringLiteral("8080"),
                         QStringLiteral("--control-port=65535"), QStringLiteral("--data-dir"), QStringLiteral("/tmp/x"),
                         QStringLiteral("--scenario"), QStringLiteral("s.json"), QStringLiteral("--rate-limit=20"),
                         QStringLiteral("--keys=any"), QStringLiteral("--log-level=info")});

        const auto* options = std::get_if<Options>(&read);
        QVERIFY(options);
        QCOMPARE(options->port, quint16{8080});
        QCOMPARE(options->controlPort, quint16{65535});
        QCOMPARE(options->dataDir, QStringLiteral("/tmp/x"));
        QCOMPARE(options->scenarioFile, QStringLiteral("s.json"));
        QCOMPARE(options->rateLimit, 20);
        QVERIFY(options->keys == payonce::protocol::KeyForm::Any);
        QCOMPARE(options->logLevel, LogLevel::Info);
    }

    void databaseAndBank_areAddressesOrABanksFile()
    {
        const auto read =
            readOptions({QStringLiteral("payonce-server"), QStringLiteral("--database"),
                         QStringLiteral("host=/run/postgresql dbname=shop"), QStringLiteral("--bank=/tmp/b.sqlite")});

        const auto* options = std::get_if<Options>(&read);
        QVERIFY(options);
        QVERIFY(options->database && options->database->isPostgres());
        QCOMPARE(options->bank.value().file(), QStringLiteral("/tmp/b.sqlite"));
    }

    void wrongAddress_isUsageWithoutThePassword_data()
    {
        QTest::addColumn<QString>("flag");
        QTest::newRow("a file is no shared database") << QStringLiteral("--database=/tmp/shop.sqlite?secret");
        QTest::newRow("broken key words") << QStringLiteral("--database=password=secret dbname");
        QTest::newRow("no flag") << QStringLiteral("postgresql://ann:secret@db/shop");
        QTest::newRow("no flag, and broken") << QStringLiteral("password=secret dbname");
        QTest::newRow("broken bank") << QStringLiteral("--bank=postgresql://ann:secret@db/x?y");
    }
    void wrongAddress_isUsageWithoutThePassword()
    {
        QFETCH(QString, flag);
        const auto read = readOptions({QStringLiteral("payonce-server"), flag});
        const auto* ending = std::get_if<Ending>(&read);
        QVERIFY(ending);
        QCOMPARE(ending->status, ExitStatus::Usage);
        QVERIFY2(!ending->words.contains(QLatin1String("secret")), qPrintable(ending->words));
    }

    void noFlag_hasDefaults()
    {
        const auto read = readOptions({QStringLiteral("payonce-server")});

        const auto* options = std::get_if<Options>(&read);
        QVERIFY(options);
        QCOMPARE(options->port, quint16{0});
        QCOMPARE(options->controlPort, quint16{0});
        QVERIFY(!options->dataDir.isEmpty());
        QVERIFY(options->scenarioFile.isEmpty());
        QCOMPARE(options->rateLimit, 0);
        QVERIFY(options->keys == payonce::protocol::KeyForm::UuidV7);
        QCOMPARE(options->logLevel, LogLevel::Warning);
        QVERIFY(!options->database && !options->bank);
        QVERIFY(!options->judge);
    }

    void judge_takesAnyKeyAndADirectoryOfItsOwn()
    {
        const auto read = readOptions({QStringLiteral("payonce-server"), QStringLiteral("--judge")});

        const auto* options = std::get_if<Options>(&read);
        QVERIFY(options && options->judge);
        QVERIFY(options->dataDir.isEmpty());
        QVERIFY(options->keys == payonce::protocol::KeyForm::Any);
        QVERIFY(options->judge->quiet == std::chrono::seconds(10));
        QVERIFY(options->judge->patience == std::chrono::seconds(300));
        QVERIFY(options->judge->keys == payonce::judge::KeyLayer::On);
    }

    void everyFlagOfTheJudge_isRead()
    {
        const auto read =
            readOptions({QStringLiteral("payonce-server"), QStringLiteral("--judge"), QStringLiteral("--judge-quiet=3"),
                         QStringLiteral("--judge-wait=60"), QStringLiteral("--naive"), QStringLiteral("--keys=uuidv7"),
                         QStringLiteral("--data-dir=/tmp/x")});

        const auto* options = std::get_if<Options>(&read);
        QVERIFY(options && options->judge);
        QCOMPARE(options->dataDir, QStringLiteral("/tmp/x"));
        QVERIFY(options->keys == payonce::protocol::KeyForm::UuidV7);
        QVERIFY(options->judge->quiet == std::chrono::seconds(3));
        QVERIFY(options->judge->patience == std::chrono::seconds(60));
        QVERIFY(options->judge->keys == payonce::judge::KeyLayer::Off);
    }

    void helpAndVersion_areAFineEnd_data()
    {
        QTest::addColumn<QString>("flag");
        QTest::addColumn<QString>("words");
        QTest::newRow("help") << QStringLiteral("--help") << QStringLiteral("--scenario <FILE>");
        QTest::newRow("version") << QStringLiteral("--version") << QStringLiteral("payonce-server " PAYONCE_VERSION);
    }
    void helpAndVersion_areAFineEnd()
    {
        QFETCH(QString, flag);
        QFETCH(QString, words);
        const auto read = readOptions({QStringLiteral("payonce-server"), flag});

        const auto* ending = std::get_if<Ending>(&read);
        QVERIFY(ending);
        QCOMPARE(ending->status, ExitStatus::Fine);
        QVERIFY2(ending->words.contains(words), qPrintable(ending->words));
    }

    void mistake_isNamed_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("named");
        const auto row = [](const char* name, const QStringList& arguments, const char* named) {
            QTest::newRow(name) << arguments << QString::fromLatin1(named);
        };
        row("unknown flag", {QStringLiteral("--prot=1")}, "prot");
        row("no value", {QStringLiteral("--port")}, "port");
        row("word as port", {QStringLiteral("--port"), QStringLiteral("http")}, "http");
        row("port too large", {QStringLiteral("--control-port"), QStringLiteral("65536")}, "65536");
        row("negative port", {QStringLiteral("--port=-1")}, "-1");
        row("empty port", {QStringLiteral("--port=")}, "--port");
        row("empty directory", {QStringLiteral("--data-dir=")}, "--data-dir");
        row("empty scenario", {QStringLiteral("--scenario=")}, "--scenario");
        row("no rate", {QStringLiteral("--rate-limit=0")}, "rate-limit");
        row("word as rate", {QStringLiteral("--rate-limit"), QStringLiteral("few")}, "few");
        row("unknown form of keys", {QStringLiteral("--keys=uuidv4")}, "uuidv4");
        row("empty form of keys", {QStringLiteral("--keys=")}, "--keys");
        row("no level", {QStringLiteral("--log-level=loud")}, "loud");
        row("loose word", {QStringLiteral("start")}, "start");
        row("naive alone", {QStringLiteral("--naive")}, "--naive needs --judge");
        row("quiet alone", {QStringLiteral("--judge-quiet=3")}, "--judge-quiet needs --judge");
        row("wait alone", {QStringLiteral("--judge-wait=3")}, "--judge-wait needs --judge");
        row("no quiet", {QStringLiteral("--judge"), QStringLiteral("--judge-quiet=0")}, "--judge-quiet: '0'");
        row("word as wait", {QStringLiteral("--judge"), QStringLiteral("--judge-wait=ever")}, "ever");
        row("judge of a shared shop", {QStringLiteral("--judge"), QStringLiteral("--database=postgresql:///shop")},
            "--database");
        row("naive shared shop",
            {QStringLiteral("--judge"), QStringLiteral("--naive"), QStringLiteral("--database=postgresql:///shop")},
            "--database");
        row("judge of another bank", {QStringLiteral("--judge"), QStringLiteral("--bank=/tmp/b.sqlite")}, "--bank");
    }
    void mistake_isNamed()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, named);
        const auto read = readOptions(QStringList{QStringLiteral("payonce-server")} + arguments);

        const auto* ending = std::get_if<Ending>(&read);
        QVERIFY(ending);
        QCOMPARE(ending->status, ExitStatus::Usage);
        QVERIFY2(ending->words.contains(named), qPrintable(ending->words));
    }
};

QTEST_GUILESS_MAIN(TestOptions)
#include "tst_server_options.moc"
