// Every flag of payonce, right and wrong.
#include "checkout/options.h"

#include <QtCore/QRegularExpression>
#include <QtTest/QTest>

using namespace payonce::checkout;

class TestOptions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void noFlags_areTheDefaults()
    {
        const auto options = parseOptions({QStringLiteral("payonce")});
        QVERIFY(options);
        QCOMPARE(options->mode, Options::Mode::Window);
        QCOMPARE(options->motion, Options::Motion::Moving);
        QVERIFY(options->dataDir.isEmpty() && options->tokenFile.isEmpty() && options->scenarioFile.isEmpty());
        QVERIFY(!options->server && !options->seed);
        QCOMPARE(options->headlessLimit, std::chrono::seconds(90));
        QVERIFY(options->automation.isEmpty());
        QCOMPARE(options->timeScale, 1.0);
    }

    void everyFlag_isTaken()
    {
        const auto options = parseOptions(
            {QStringLiteral("payonce"), QStringLiteral("--data-dir=/d"), QStringLiteral("--scenario"), QStringLiteral("s.json"),
             QStringLiteral("--headless"), QStringLiteral("--seed"), QStringLiteral("18446744073709551615"),
             QStringLiteral("--headless-limit"), QStringLiteral("5"), QStringLiteral("--screenshot"), QStringLiteral("p.png"),
             QStringLiteral("--token-file"), QStringLiteral("t"), QStringLiteral("--no-animations"),
             QStringLiteral("--automation"), QStringLiteral("a"), QStringLiteral("--time-scale"), QStringLiteral("0.25")});
        QVERIFY(options);
        QCOMPARE(options->mode, Options::Mode::Headless);
        QCOMPARE(options->motion, Options::Motion::Still);
        QCOMPARE(options->dataDir, QStringLiteral("/d"));
        QCOMPARE(options->scenarioFile, QStringLiteral("s.json"));
        QCOMPARE(options->seed.value_or(0), UINT64_MAX);
        QCOMPARE(options->headlessLimit, std::chrono::seconds(5));
        QCOMPARE(options->automation, QStringLiteral("a"));
        QCOMPARE(options->timeScale, 0.25);
        QCOMPARE(options->screenshot, QStringLiteral("p.png"));
        QCOMPARE(options->tokenFile, QStringLiteral("t"));
    }

    void anotherServer_needsAToken()
    {
        const auto options = parseOptions({QStringLiteral("payonce"), QStringLiteral("--server"),
                                           QStringLiteral("https://shop.example"), QStringLiteral("--token-file"),
                                           QStringLiteral("t"), QStringLiteral("--ca-file"), QStringLiteral("c.pem")});
        QVERIFY(options);
        QCOMPARE(options->authorityFile, QStringLiteral("c.pem"));
        QCOMPARE(options->server.value_or(QUrl()), QUrl(QStringLiteral("https://shop.example")));
    }

    void wrongUse_namesTheFlag_data()
    {
        QTest::addColumn<QStringList>("flags");
        QTest::addColumn<QString>("named");
        const auto row = [](const char* name, const char* flags, const char* named) {
            QTest::newRow(name) << QString::fromLatin1(flags).split(QLatin1Char(' ')) << QString::fromLatin1(named);
        };
        row("unknown", "--dat-dir x", "dat-dir");
        row("argument", "pay", "'pay'");
        row("no value", "--data-dir", "data-dir");
        row("empty directory", "--data-dir=", "--data-dir");
        row("empty scenario", "--scenario=", "--scenario");
        row("server without token", "--server http://127.0.0.1:1", "--token-file");
        row("server that is no address", "--server shop --token-file t", "--server");
        row("server of another kind", "--server ftp://shop --token-file t", "--server");
        row("server with a password", "--server http://a:b@shop --token-file t", "--server");
        row("authorities without a server", "--ca-file c.pem", "--ca-file");
        row("authorities without https", "--server http://shop --token-file t --ca-file c.pem", "--ca-file");
        row("authorities in no file", "--server https://shop --token-file t --ca-file=", "--ca-file");
        row("server with scenario", "--server http://shop --token-file t --scenario s", "--scenario");
        row("seed that is no number", "--seed x", "--seed");
        row("negative seed", "--seed -1", "--seed");
        row("seed too large", "--seed 18446744073709551616", "--seed");
        row("limit of zero", "--headless --headless-limit 0", "--headless-limit");
        row("limit too long", "--headless --headless-limit 3601", "--headless-limit");
        row("limit in a window", "--headless-limit 5", "--headless-limit");
        row("socket without a name", "--automation=", "--automation");
        row("scale of zero", "--time-scale 0", "--time-scale");
        row("scale too large", "--time-scale 101", "--time-scale");
        row("scale that is no number", "--time-scale nan", "--time-scale");
        row("picture in a window", "--screenshot p.png", "--screenshot");
    }
    void wrongUse_namesTheFlag()
    {
        QFETCH(QStringList, flags);
        QFETCH(QString, named);
        const auto options = parseOptions(QStringList(QStringLiteral("payonce")) + flags);
        QVERIFY(!options);
        QCOMPARE(options.error().error, OptionsError::Usage);
        QVERIFY2(options.error().text.contains(named), qPrintable(options.error().text));
    }

    void helpAndVersion_areNoErrors()
    {
        const auto help = parseOptions({QStringLiteral("payonce"), QStringLiteral("--help")});
        QVERIFY(!help);
        QCOMPARE(help.error().error, OptionsError::HelpWanted);
        for (const auto* flag :
             {"--data-dir", "--server", "--token-file", "--ca-file", "--scenario", "--headless", "--headless-limit",
              "--screenshot", "--seed", "--automation", "--time-scale", "--points", "--no-animations", "--version"})
            QVERIFY2(help.error().text.contains(QLatin1String(flag)), flag);
        const auto points = parseOptions({QStringLiteral("payonce"), QStringLiteral("--points")});
        QVERIFY(!points);
        QCOMPARE(points.error().error, OptionsError::PointsWanted);
        QVERIFY(points.error().text.contains(QStringLiteral("outcome.saved")));
        const auto version = parseOptions({QStringLiteral("payonce"), QStringLiteral("-v")});
        QVERIFY(!version);
        QCOMPARE(version.error().error, OptionsError::VersionWanted);
        QCOMPARE(version.error().text, QStringLiteral("payonce " PAYONCE_VERSION "\n"));
    }
};

QTEST_GUILESS_MAIN(TestOptions)
#include "tst_options.moc"
