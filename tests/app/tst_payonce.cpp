// payonce as a person starts it: flags, exit statuses, and a payment without a display.
#include "support/scenario_file.h"
#include "support/server_process.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QProcess>
#include <QtCore/QRegularExpression>
#include <QtCore/QTemporaryDir>
#include <QtGui/QImage>
#include <QtTest/QTest>

#include <sys/stat.h>

namespace {

constexpr int kPatience = 60000;

struct Ended
{
    int status = -1;
    QByteArray output;
    QByteArray errors;

    [[nodiscard]] QJsonObject lastLine() const
    {
        return QJsonDocument::fromJson(output.trimmed().split('\n').constLast()).object();
    }
};

Ended runPayonce(const QStringList& arguments, const QStringList& withoutVariables = {})
{
    QProcess process;
    auto environment = QProcessEnvironment::systemEnvironment();
    for (const auto& variable : withoutVariables)
        environment.remove(variable);
    process.setProcessEnvironment(environment);
    process.start(QDir(QCoreApplication::applicationDirPath()).filePath(QStringLiteral("payonce")), arguments);
    if (!process.waitForFinished(kPatience)) {
        process.kill();
        process.waitForFinished(kPatience);
        return {};
    }
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

QString scenario(const char* name)
{
    return QStringLiteral(PAYONCE_SOURCE_DIR "/resources/scenarios/%1.json").arg(QLatin1String(name));
}

QStringList headless(const QTemporaryDir& dir, const QStringList& more = {})
{
    return QStringList{QStringLiteral("--headless"), QStringLiteral("--data-dir"), dir.path()} + more;
}

} // namespace

class TestPayonce : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void replyLostAfterCharge_isPaidOnce_andLeavesAPicture()
    {
        const QTemporaryDir dir;
        const auto ended = runPayonce(headless(dir, {QStringLiteral("--scenario"), scenario("reply-lost-after-charge")}));
        QVERIFY2(ended.status == 0, ended.errors + ended.output);
        const auto line = ended.lastLine();
        QCOMPARE(line.value(QStringLiteral("code")).toString(), QStringLiteral("charged_once"));
        QCOMPARE(line.value(QStringLiteral("holds")), QJsonValue(true));
        QCOMPARE(line.value(QStringLiteral("state")).toString(), QStringLiteral("Paid"));
        QCOMPARE(line.value(QStringLiteral("charges")).toInt(), 1);
        QCOMPARE(line.value(QStringLiteral("orders")).toInt(), 1);
        QCOMPARE(line.value(QStringLiteral("posts")).toInt(), 1);
        QVERIFY(line.value(QStringLiteral("probes")).toInt() >= 1);
        QVERIFY(line.value(QStringLiteral("confirm_ms")).toInt(-1) >= 0);
        QCOMPARE(line.value(QStringLiteral("reference")).toString().size(), 9);
        const auto picture = line.value(QStringLiteral("screenshot")).toString();
        QVERIFY(ended.output.contains("screenshot: " + picture.toUtf8()));
        const QImage image(picture);
        QVERIFY(image.width() >= 400 && image.height() >= 300);
        QVERIFY(image.pixel(0, 0) != image.pixel(image.width() / 4, image.height() / 2) ||
                image.convertToFormat(QImage::Format_Indexed8).colorCount() > 8);
        QVERIFY(!QFile::exists(dir.filePath(QStringLiteral("server.json")))); // a clean end: no server is left
    }

    void declinedCard_endsDeclined_withoutACharge()
    {
        const QTemporaryDir dir;
        const auto picture = dir.filePath(QStringLiteral("declined.png"));
        const auto ended = runPayonce(
            headless(dir, {QStringLiteral("--scenario"), scenario("card-declined"), QStringLiteral("--screenshot"), picture}));
        QVERIFY2(ended.status == 0, ended.errors + ended.output);
        QCOMPARE(ended.lastLine().value(QStringLiteral("state")).toString(), QStringLiteral("Declined"));
        QCOMPARE(ended.lastLine().value(QStringLiteral("charges")).toInt(-1), 0);
        QVERIFY(QFile::exists(picture));
    }

    void noScenario_isPaidToo_andAgainInTheSameDirectory()
    {
        const QTemporaryDir dir;
        for (int charges = 1; charges <= 2; ++charges) {
            const auto ended = runPayonce(headless(dir));
            QVERIFY2(ended.status == 0, ended.errors + ended.output);
            QCOMPARE(ended.lastLine().value(QStringLiteral("charges")).toInt(), charges);
        }
    }

    void scenarioThatExpectsAnotherState_fails()
    {
        const QTemporaryDir dir;
        const QByteArray members = R"("seed":1,"about":"Nothing happens.","steps":[],"rules":[],"expect":{"state":"Declined"})";
        const auto file = payonce::support::scenarioFile(dir, members);
        const auto ended = runPayonce(headless(dir, {QStringLiteral("--scenario"), file}));
        QCOMPARE(ended.status, 1);
        QCOMPARE(ended.lastLine().value(QStringLiteral("holds")), QJsonValue(false));
        QCOMPARE(ended.lastLine().value(QStringLiteral("state")).toString(), QStringLiteral("Paid"));
    }

    void scenarioOnAServerThatRunsAlready_isPlayedThere()
    {
        const QTemporaryDir dir;
        payonce::support::ServerProcess server(dir.path());
        QVERIFY2(server.start(), server.errorText());
        const auto ended = runPayonce(headless(dir, {QStringLiteral("--scenario"), scenario("reply-lost-after-charge")}));
        QVERIFY2(ended.status == 0, ended.errors + ended.output);
        QCOMPARE(ended.lastLine().value(QStringLiteral("charges")).toInt(), 1);
        QVERIFY(ended.lastLine().value(QStringLiteral("probes")).toInt() > 0); // so the reply was lost
    }

    void anotherServer_getsNoTestCard_andProvesNothing()
    {
        const QTemporaryDir serverDir;
        const QTemporaryDir dir;
        payonce::support::ServerProcess server(serverDir.path());
        QVERIFY(server.start());
        const auto token =
            server.ready().value(QStringLiteral("tokens")).toObject().value(QStringLiteral("account")).toString();
        const auto url = server.ready().value(QStringLiteral("shop")).toString();
        const auto ended = runPayonce(headless(dir, {QStringLiteral("--server"), url, QStringLiteral("--token-file"), token,
                                                     QStringLiteral("--headless-limit"), QStringLiteral("1")}));
        QCOMPARE(ended.status, 1);
        QVERIFY(ended.errors.contains("--server"));
        QVERIFY(ended.lastLine().contains(QStringLiteral("verdict")));
        QVERIFY(ended.lastLine().value(QStringLiteral("verdict")).isNull());
        QCOMPARE(ended.lastLine().value(QStringLiteral("state")).toString(), QStringLiteral("Editing"));
    }

    void shopThatIsNotThere_endsAtTheLimit()
    {
        const QTemporaryDir dir;
        const auto token = dir.filePath(QStringLiteral("token"));
        QFile file(token);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("tok_1");
        file.close();
        const auto ended = runPayonce(
            headless(dir, {QStringLiteral("--server"), QStringLiteral("http://127.0.0.1:1"), QStringLiteral("--token-file"),
                           token, QStringLiteral("--headless-limit"), QStringLiteral("1")}));
        QCOMPARE(ended.status, 1);
        QCOMPARE(ended.lastLine().value(QStringLiteral("state")).toString(), QStringLiteral("Editing"));
        QVERIFY(ended.lastLine().value(QStringLiteral("confirm_ms")).isNull());
    }

    void wrongUse_is2()
    {
        const auto ended = runPayonce({QStringLiteral("--nonsense")});
        QCOMPARE(ended.status, 2);
        QVERIFY(ended.errors.contains("nonsense") && ended.errors.contains("payonce --help"));
    }

    void helpAndVersion_are0_andNeedNoDisplay()
    {
        const QStringList noDisplay = {QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("DISPLAY"),
                                       QStringLiteral("WAYLAND_DISPLAY")};
        const auto help = runPayonce({QStringLiteral("--help")}, noDisplay);
        QCOMPARE(help.status, 0);
        QVERIFY2(help.output.startsWith("Usage: payonce [options]"), help.output);
        const auto version = runPayonce({QStringLiteral("--version")}, noDisplay);
        QCOMPARE(version.status, 0);
        QCOMPARE(version.output, QByteArray("payonce " PAYONCE_VERSION "\n"));
    }

    void noDisplay_is78_andNamesTheWayOut()
    {
        const auto ended =
            runPayonce({}, {QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("DISPLAY"), QStringLiteral("WAYLAND_DISPLAY")});
        QCOMPARE(ended.status, 78);
        QVERIFY(ended.errors.contains("--headless"));
    }

    void headless_needsNoVariables()
    {
        const QTemporaryDir dir;
        const auto ended = runPayonce(
            headless(dir), {QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("DISPLAY"), QStringLiteral("WAYLAND_DISPLAY")});
        QVERIFY2(ended.status == 0, ended.errors + ended.output);
    }

    void directoryThatCannotBeMade_is74()
    {
        const QTemporaryDir dir;
        QFile file(dir.filePath(QStringLiteral("file")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        const auto below = file.fileName() + QStringLiteral("/below");
        const auto ended = runPayonce({QStringLiteral("--headless"), QStringLiteral("--data-dir"), below});
        QCOMPARE(ended.status, 74);
        QVERIFY(ended.errors.contains("--data-dir"));
    }

    void tokenThatTheShopRefuses_isSaid()
    {
        const QTemporaryDir dir;
        QFile token(dir.filePath(QStringLiteral("token")));
        QVERIFY(token.open(QIODevice::WriteOnly) && token.write("nobody") > 0);
        token.close();
        const QStringList flags{QStringLiteral("--token-file"), token.fileName(), QStringLiteral("--headless-limit"),
                                QStringLiteral("2")};
        const auto ended = runPayonce(headless(dir, flags));
        QCOMPARE(ended.status, 1);
        QVERIFY2(ended.errors.contains("did not accept this sign-in"), ended.errors.constData());
    }

    void journalOfAnotherProgram_is74_andIsNotTouched()
    {
        const QTemporaryDir dir;
        QFile journal(dir.filePath(QStringLiteral("client.sqlite")));
        QVERIFY(journal.open(QIODevice::WriteOnly));
        journal.write(QByteArray(8192, 'x'));
        journal.close();
        const auto ended = runPayonce(headless(dir));
        QVERIFY2(ended.status == 74, ended.errors + ended.output);
        QVERIFY2(ended.errors.contains("client.sqlite") && ended.errors.contains("damaged"), ended.errors.constData());
        QVERIFY(journal.open(QIODevice::ReadOnly));
        QCOMPARE(journal.readAll(), QByteArray(8192, 'x'));
    }

    void bankOfAnotherProgram_is74_inTheServersWords()
    {
        const QTemporaryDir dir;
        QFile bank(dir.filePath(QStringLiteral("bank.sqlite")));
        QVERIFY(bank.open(QIODevice::WriteOnly));
        bank.write(QByteArray(8192, 'x'));
        bank.close();
        const auto ended = runPayonce(headless(dir));
        QVERIFY2(ended.status == 74, ended.errors + ended.output);
        QVERIFY2(ended.errors.contains("bank.sqlite"), ended.errors);
        QVERIFY(!QFile::exists(dir.filePath(QStringLiteral("server.json"))));
    }

    void lockThatIsNoFile_is74()
    {
        const QTemporaryDir dir;
        QVERIFY(QDir(dir.path()).mkdir(QStringLiteral("payonce.lock")));
        const auto ended = runPayonce(headless(dir));
        QCOMPARE(ended.status, 74);
        QVERIFY(ended.errors.contains("--data-dir"));
    }

    // Of an earlier version, which wrote its process into it; or of one that was killed.
    void lockFileThatIsLeft_isNoHindrance()
    {
        const QTemporaryDir dir;
        QFile lock(dir.filePath(QStringLiteral("payonce.lock")));
        QVERIFY(lock.open(QIODevice::WriteOnly));
        lock.write(QByteArray::number(QCoreApplication::applicationPid()) + "\npayonce\n");
        lock.close();
        const auto ended = runPayonce(headless(dir));
        QVERIFY2(ended.status == 0, ended.errors + ended.output);
    }

    void missingScenario_is78()
    {
        const QTemporaryDir dir;
        const auto ended = runPayonce(headless(dir, {QStringLiteral("--scenario"), QStringLiteral("/nowhere/s.json")}));
        QCOMPARE(ended.status, 78);
        QVERIFY(ended.errors.contains("/nowhere/s.json"));
    }

    void damagedScenario_is78_andNamesThePlace()
    {
        const QTemporaryDir dir;
        const auto path = dir.filePath(QStringLiteral("s.json"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"schema\":1,\n\"nmae\":\"x\"}");
        file.close();
        const auto ended = runPayonce(headless(dir, {QStringLiteral("--scenario"), path}));
        QCOMPARE(ended.status, 78);
        QVERIFY2(ended.errors.contains("line 2") && ended.errors.contains("nmae"), ended.errors);
    }

    void pipeInsteadOfAFile_isRefused_andNobodyWaits_data()
    {
        QTest::addColumn<QStringList>("flags");
        QTest::addColumn<QString>("flag");
        QTest::addColumn<int>("status");
        const auto row = [](const char* flag, int status, const QStringList& before = {}) {
            QTest::newRow(flag) << before << QString::fromLatin1(flag) << status;
        };
        row("--scenario", 78);
        row("--token-file", 78, {QStringLiteral("--server"), QStringLiteral("http://127.0.0.1:1")});
        row("--ca-file", 78,
            {QStringLiteral("--server"), QStringLiteral("https://127.0.0.1:1"), QStringLiteral("--token-file"),
             QStringLiteral("t")});
        row("--screenshot", 74);
    }

    void pipeInsteadOfAFile_isRefused_andNobodyWaits()
    {
        QFETCH(QStringList, flags);
        QFETCH(QString, flag);
        QFETCH(int, status);
        const QTemporaryDir dir;
        const auto pipe = dir.filePath(QStringLiteral("pipe"));
        QCOMPARE(::mkfifo(QFile::encodeName(pipe).constData(), 0600), 0);
        const auto ended = runPayonce(headless(dir, flags + QStringList{flag, pipe}));
        QCOMPARE(ended.status, status);
        QVERIFY2(ended.errors.contains(flag.toUtf8()) && ended.errors.contains(pipe.toUtf8()), ended.errors);
    }

    void missingToken_is78()
    {
        const QTemporaryDir dir;
        const auto ended = runPayonce(headless(dir, {QStringLiteral("--server"), QStringLiteral("http://127.0.0.1:1"),
                                                     QStringLiteral("--token-file"), QStringLiteral("/nowhere/token")}));
        QCOMPARE(ended.status, 78);
        QVERIFY(ended.errors.contains("--token-file"));
    }

    void scenarioThatIsNoFile_is78()
    {
        const QTemporaryDir dir;
        const auto ended = runPayonce(headless(dir, {QStringLiteral("--scenario"), dir.path()}));
        QCOMPARE(ended.status, 78);
        QVERIFY2(ended.errors.contains("not a file"), ended.errors);
    }

    void pictureThatCannotBeWritten_is74_beforeAnythingIsPaid()
    {
        const QTemporaryDir dir;
        const auto ended = runPayonce(headless(dir, {QStringLiteral("--screenshot"), QStringLiteral("/nowhere/p.png")}));
        QCOMPARE(ended.status, 74);
        QVERIFY(ended.errors.contains("--screenshot"));
        QVERIFY2(ended.output.isEmpty(), ended.output);
        QVERIFY(!QFile::exists(dir.filePath(QStringLiteral("bank.sqlite"))));
    }
};

QTEST_GUILESS_MAIN(TestPayonce)
#include "tst_payonce.moc"
