// The package as somebody else sees it: installed, found by CMake, built against, and run.
#include "support/fresh_id.h"
#include "support/scenario_file.h"
#include "support/server_process.h"
#include "support/shop_requests.h"
#include "support/shop_rows.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QJsonDocument>
#include <QtCore/QProcess>
#include <QtCore/QRegularExpression>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

namespace {

using payonce::support::accountsIn;
using payonce::support::ServerProcess;

constexpr int kPatience = 60'000;
constexpr int kBuildPatience = 240'000;
const QList<QByteArray> kOneAccount{"a@example.com"};

/// Empty: it went well. Otherwise all it said.
QByteArray cmake(const QStringList& arguments)
{
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(QStringLiteral(PACKAGE_CMAKE), arguments);
    const bool ended = process.waitForFinished(kBuildPatience);
    const auto said = process.readAll();
    return ended && process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0 ? QByteArray()
                                                                                            : "cmake failed: " + said;
}

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// The address of the account in the answer that the example printed last. The shop shows an account to the request that made
/// it, and to no other. Empty: it did not end well.
QByteArray newAccountIn(const QByteArray& output)
{
    const auto last = output.trimmed().split('\n').last();
    const QByteArray word("Paid none ");
    const auto answer = last.startsWith(word) ? QJsonDocument::fromJson(last.mid(word.size())) : QJsonDocument();
    return answer[QStringLiteral("account")][QStringLiteral("email")].toString().toUtf8();
}

/// A shop whose scenario has one rule for the first sign-up.
class FaultyShop
{
public:
    FaultyShop(const QByteArray& point, const QByteArray& action)
        : m_server(m_dir.path(), {QStringLiteral("--scenario"),
                                  payonce::support::scenarioFile(m_dir, payonce::support::oneRule("sign_up", point, action))})
    {
    }

    [[nodiscard]] ServerProcess& server() { return m_server; }
    [[nodiscard]] QList<QByteArray> accounts() const { return accountsIn(file(QStringLiteral("shop.sqlite"))); }
    [[nodiscard]] QString file(const QString& name) const { return m_dir.filePath(name); }

private:
    QTemporaryDir m_dir;
    ServerProcess m_server;
};

/// One run of the example.
class SafePost
{
public:
    SafePost(const QString& program, const FaultyShop& shop, const ServerProcess& server, const QByteArray& email)
    {
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("SHOP_TOKEN"), QString::fromLatin1(server.token(QStringLiteral("account"))));
        m_process.setProcessEnvironment(environment);
        m_process.start(program, {QStringLiteral("http://127.0.0.1:%1").arg(server.shopPort()),
                                  shop.file(QStringLiteral("journal.sqlite"))});
        m_process.write(R"({"email":")" + email + R"(","name":"A","valid_until":")" + payonce::support::soon() + R"("})");
        m_process.closeWriteChannel();
    }

    [[nodiscard]] QByteArray output()
    {
        m_output += m_process.readAllStandardOutput();
        return m_output;
    }
    /// -1: it still runs, or it crashed.
    [[nodiscard]] int exitCode()
    {
        const bool ended = m_process.waitForFinished(kPatience) && m_process.exitStatus() == QProcess::NormalExit;
        return ended ? m_process.exitCode() : -1;
    }
    void killHard()
    {
        m_process.kill();
        m_process.waitForFinished(kPatience);
    }

private:
    QProcess m_process;
    QByteArray m_output;
};

} // namespace

class PackageTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void installedFiles_areWhereUnixLooks_data();
    void installedFiles_areWhereUnixLooks();
    void installedServer_runs();
    void readme_showsTheExampleAsItIs();
    void answerLost_isOneAccountAllTheSame_data();
    void answerLost_isOneAccountAllTheSame();
    void killedAndStartedAgain_goesOnWithItsSavedBytes_data();
    void killedAndStartedAgain_goesOnWithItsSavedBytes();
    void journal_holdsNeitherTokenNorAnswer();

private:
    [[nodiscard]] QString prefix() const { return m_dir.filePath(QStringLiteral("prefix")); }

    QTemporaryDir m_dir;
    QString m_program;
};

void PackageTest::initTestCase()
{
    QCOMPARE(cmake({QStringLiteral("--install"), QStringLiteral(PACKAGE_BUILD), QStringLiteral("--prefix"), prefix()}), "");
    const QString build = m_dir.filePath(QStringLiteral("build"));
    const QString source = QStringLiteral(PACKAGE_SOURCE);
    QCOMPARE(
        cmake({QStringLiteral("-S"), source + QStringLiteral("/tests/package/consumer"), QStringLiteral("-B"), build,
               QStringLiteral("-G"), QStringLiteral(PACKAGE_GENERATOR), QStringLiteral("-DCMAKE_PREFIX_PATH=") + prefix(),
               QStringLiteral("-DCMAKE_CXX_COMPILER=" PACKAGE_COMPILER), QStringLiteral("-DCMAKE_CXX_FLAGS=" PACKAGE_FLAGS),
               QStringLiteral("-DEXAMPLE=") + source + QStringLiteral("/docs/examples/safe_post")}),
        "");
    QCOMPARE(cmake({QStringLiteral("--build"), build}), "");
    m_program = build + QStringLiteral("/example/safe_post");
}

void PackageTest::installedFiles_areWhereUnixLooks_data()
{
    QTest::addColumn<QString>("path");
    QStringList paths{QStringLiteral("bin/payonce-server"), QStringLiteral("share/man/man1/payonce-server.1"),
                      QStringLiteral("share/payonce/scenarios/reply-lost-after-charge.json")};
#ifdef PACKAGE_UI
    paths +=
        {QStringLiteral("bin/payonce"), QStringLiteral("share/man/man1/payonce.1"),
         QStringLiteral("share/applications/payonce.desktop"), QStringLiteral("share/icons/hicolor/scalable/apps/payonce.svg")};
#endif
    for (const auto& path : paths)
        QTest::newRow(qPrintable(path)) << path;
}

void PackageTest::installedFiles_areWhereUnixLooks()
{
    QFETCH(const QString, path);
    QVERIFY(QFile::exists(QDir(prefix()).filePath(path)));
}

void PackageTest::installedServer_runs()
{
    QProcess process;
    process.start(prefix() + QStringLiteral("/bin/payonce-server"), {QStringLiteral("--help")});
    QVERIFY(process.waitForFinished(kPatience));
    QCOMPARE(process.exitCode(), 0);
    QVERIFY(process.readAllStandardOutput().contains("--data-dir"));
}

void PackageTest::readme_showsTheExampleAsItIs()
{
    const QString source = QStringLiteral(PACKAGE_SOURCE);
    const auto readme = contentOf(source + QStringLiteral("/README.md"));
    const auto begin = readme.indexOf("```cpp\n") + 7;
    const auto shown = readme.mid(begin, readme.indexOf("```", begin) - begin);
    QVERIFY(shown.count('\n') > 10);
    const auto example = contentOf(source + QStringLiteral("/docs/examples/safe_post/main.cpp"));
    QVERIFY(example.contains(shown));
    QVERIFY(example.count('\n') <= 40); // as the README says
}

void PackageTest::answerLost_isOneAccountAllTheSame_data()
{
    QTest::addColumn<QByteArray>("point");
    QTest::addColumn<QByteArray>("action");
    QTest::newRow("never looked at") << QByteArray("received") << QByteArray(R"({"rst":{}})");
    QTest::newRow("reset after it was saved") << QByteArray("result.saved") << QByteArray(R"({"rst":{}})");
    QTest::newRow("silent after it was saved") << QByteArray("result.saved") << QByteArray(R"({"hang":{}})");
    QTest::newRow("cut in the body") << QByteArray("reply.body@7") << QByteArray(R"({"cut":{"end":"fin"}})");
}

void PackageTest::answerLost_isOneAccountAllTheSame()
{
    QFETCH(const QByteArray, point);
    QFETCH(const QByteArray, action);
    FaultyShop shop(point, action);
    QVERIFY2(shop.server().start(), shop.server().errorText());
    SafePost run(m_program, shop, shop.server(), "a@example.com");
    QCOMPARE(run.exitCode(), 0);
    const auto output = run.output();
    QVERIFY2(output.contains("Confirming none"), output); // the answer really was lost
    QCOMPARE(newAccountIn(output), kOneAccount.first());
    QCOMPARE(shop.accounts(), kOneAccount);
}

void PackageTest::killedAndStartedAgain_goesOnWithItsSavedBytes_data()
{
    QTest::addColumn<QByteArray>("point");
    QTest::addColumn<bool>("isMade"); // before it is killed
    QTest::newRow("with the request on its way") << QByteArray("received") << false;
    QTest::newRow("with the answer on its way") << QByteArray("result.saved") << true;
}

void PackageTest::killedAndStartedAgain_goesOnWithItsSavedBytes()
{
    QFETCH(const QByteArray, point);
    QFETCH(const bool, isMade);
    FaultyShop shop(point, R"({"hang":{}})");
    QVERIFY2(shop.server().start(), shop.server().errorText());
    SafePost first(m_program, shop, shop.server(), "a@example.com");
    QTRY_VERIFY_WITH_TIMEOUT(first.output().contains("Sending"), kPatience);
    if (isMade)
        QTRY_COMPARE_WITH_TIMEOUT(shop.accounts(), kOneAccount, kPatience);
    first.killHard();

    SafePost second(m_program, shop, shop.server(), "somebody.else@example.com");
    QCOMPARE(second.exitCode(), 0);
    QCOMPARE(newAccountIn(second.output()), kOneAccount.first());
    QCOMPARE(shop.accounts(), kOneAccount);
}

void PackageTest::journal_holdsNeitherTokenNorAnswer()
{
    FaultyShop shop("result.saved", R"({"rst":{}})");
    QVERIFY2(shop.server().start(), shop.server().errorText());
    SafePost run(m_program, shop, shop.server(), "a@example.com");
    QCOMPARE(run.exitCode(), 0);
    const auto journal =
        contentOf(shop.file(QStringLiteral("journal.sqlite"))) + contentOf(shop.file(QStringLiteral("journal.sqlite-wal")));
    QVERIFY(journal.contains("a@example.com")); // its own request it does hold
    QVERIFY(!journal.contains(shop.server().token(QStringLiteral("account"))));
    QVERIFY(!journal.contains("acc_"));
}

QTEST_GUILESS_MAIN(PackageTest)
#include "tst_package.moc"
