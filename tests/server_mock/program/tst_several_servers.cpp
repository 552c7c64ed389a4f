#include "server_mock/program/load_client.h"
#include "support/bank_rows.h"
#include "support/http_call.h"
#include "support/postgres_cluster.h"
#include "support/server_process.h"
#include "support/shop_requests.h"

#include <QtCore/QDir>
#include <QtCore/QElapsedTimer>
#include <QtCore/QJsonDocument>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

using namespace payonce;
using namespace std::chrono_literals;
using support::HttpAnswer;
using support::HttpCall;
using support::httpRequest;
using support::PostgresCluster;
using support::ServerProcess;
using tests::LoadClient;
using tests::newAction;
using tests::paymentOf;
using tests::ServerAddress;

namespace {

constexpr int kPatienceMs = 60'000;
const QString kDirectory = PostgresCluster::quickPlace() + QStringLiteral("/payonce-servers-XXXXXX");

/// Several payonce-servers on one shop and one bank, each with a data directory of its own.
class Fleet
{
public:
    Fleet(QString database, QString bank)
        : m_shared{QStringLiteral("--database"), std::move(database), QStringLiteral("--bank"), std::move(bank)}
    {
    }

    /// The number of the new server.
    std::size_t add(const QStringList& arguments = {})
    {
        m_servers.push_back(std::make_unique<ServerProcess>(
            m_directory.filePath(QStringLiteral("server-%1").arg(m_servers.size())), m_shared + arguments));
        start(m_servers.size() - 1);
        return m_servers.size() - 1;
    }
    void start(std::size_t number)
    {
        if (!server(number).start())
            qFatal("server %zu: %s", number, server(number).errorText().constData());
    }
    [[nodiscard]] ServerProcess& server(std::size_t number) { return *m_servers.at(number); }
    [[nodiscard]] std::size_t size() const { return m_servers.size(); }
    [[nodiscard]] ServerAddress address(std::size_t number)
    {
        return {server(number).shopPort(), server(number).token(QStringLiteral("account"))};
    }
    /// One of those that listen, by chance.
    [[nodiscard]] std::optional<ServerAddress> any(std::mt19937& random)
    {
        std::vector<std::size_t> alive;
        for (std::size_t number = 0; number < size(); ++number)
            if (server(number).isRunning() && !server(number).ready().isEmpty())
                alive.push_back(number);
        return alive.empty() ? std::nullopt : std::optional(address(alive.at(random() % alive.size())));
    }

private:
    QTemporaryDir m_directory{kDirectory};
    QStringList m_shared;
    std::vector<std::unique_ptr<ServerProcess>> m_servers;
};

std::optional<HttpAnswer> ask(const ServerAddress& server, const QByteArray& request)
{
    return support::ask(server.port, request);
}

QByteArray requestOf(const ServerAddress& server, const QByteArray& method, const QByteArray& path, const QByteArray& body = {})
{
    return httpRequest(method, path, support::bearer(server.token), body);
}

/// A token for a card that is approved.
QByteArray exchangeCard(const ServerAddress& server)
{
    const auto answer = ask(server, requestOf(server, "POST", "/v1/payment-methods", support::cardBody()));
    if (!answer || answer->status != 201)
        qFatal("the card was not exchanged");
    return text(*answer, "id").toLatin1();
}

QJsonObject actionAt(const ServerAddress& server, const QString& id, const QByteArray& query = {})
{
    const auto answer = ask(server, requestOf(server, "GET", "/v1/actions/" + id.toLatin1() + query));
    return answer ? answer->json() : QJsonObject();
}

} // namespace

/// Several real servers on one PostgreSQL and one bank, killed at any moment. What counts are the bank's rows.
class TestSeveralServers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_cluster = std::make_unique<PostgresCluster>(); }
    void cleanupTestCase() { m_cluster.reset(); }
    void init();

    void killedServers_chargeEveryActionOnce_data();
    void killedServers_chargeEveryActionOnce();
    void deadServersPayments_areFinishedByAnotherOnceTheirLeaseHasLapsed();
    void settledByAnother_isAnsweredToWhoWaitsHere();
    void lostDatabase_is503AndComesBackByItself();
    void bankOfAnotherShop_ends78AndNamesBoth();
    void unreachableDatabase_ends74WithoutThePassword();
    void server_tellsNobodyThePassword();

private:
    [[nodiscard]] QString database() const { return PostgresCluster::keyWordsOf(m_shop); }
    [[nodiscard]] QString bankFile() const { return m_directory->filePath(QStringLiteral("bank.sqlite")); }
    /// How many charges each action has, in the bank's own rows.
    [[nodiscard]] QMap<QString, int> chargesByAction(const std::optional<storage::Location>& bank) const;

    std::unique_ptr<PostgresCluster> m_cluster;
    std::unique_ptr<QTemporaryDir> m_directory;
    storage::Location m_shop = QString();
};

void TestSeveralServers::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_directory = std::make_unique<QTemporaryDir>(kDirectory);
    m_shop = m_cluster->freshPlace();
}

QMap<QString, int> TestSeveralServers::chargesByAction(const std::optional<storage::Location>& bank) const
{
    QMap<QString, int> charges;
    if (!bank) {
        const auto all = support::readBank(m_directory->path()).value_or(QList<support::BankRow>());
        for (const auto& row : all)
            if (row.state == QLatin1String("approved"))
                ++charges[row.actionId];
        return charges;
    }
    const auto rows = m_cluster->execute(
        QStringLiteral("SELECT action_id FROM %1.charges WHERE state = 'approved'").arg(PostgresCluster::schemaOf(*bank)));
    for (const storage::Row& row : rows)
        ++charges[row.first().toString()];
    return charges;
}

void TestSeveralServers::killedServers_chargeEveryActionOnce_data()
{
    QTest::addColumn<int>("servers");
    QTest::addColumn<bool>("bankIsPostgres");
    QTest::newRow("two servers, one bank file") << 2 << false;
    QTest::newRow("three servers, bank in PostgreSQL") << 3 << true;
}

// Issue: any of them killed at any point under load, 50 clients with retries; one charge an action, nobody without an answer.
void TestSeveralServers::killedServers_chargeEveryActionOnce()
{
    QFETCH(const int, servers);
    QFETCH(const bool, bankIsPostgres);
    constexpr int kKills = 8;
    constexpr int kCustomers = 50;
    const unsigned seed =
        qEnvironmentVariableIsSet("PAYONCE_SEED") ? qEnvironmentVariable("PAYONCE_SEED").toUInt() : std::random_device()();
    qInfo("PAYONCE_SEED=%u", seed);
    std::mt19937 random(seed);
    const auto bank = bankIsPostgres ? std::optional(m_cluster->freshPlace()) : std::nullopt;
    Fleet fleet(database(), bank ? PostgresCluster::keyWordsOf(*bank) : bankFile());
    for (int number = 0; number < servers; ++number)
        fleet.add();
    const QByteArray method = exchangeCard(fleet.address(0));
    std::vector<std::unique_ptr<LoadClient>> customers;
    for (int number = 0; number < kCustomers; ++number) {
        customers.push_back(std::make_unique<LoadClient>([&] { return fleet.any(random); }, method, random()));
        customers.back()->start();
    }

    const auto ended = [&customers] {
        return std::accumulate(customers.begin(), customers.end(), qsizetype{0},
                               [](qsizetype sum, const auto& customer) { return sum + customer->ended().size(); });
    };
    // A server lives, and stays away, until the customers have got on by a number that is drawn.
    for (int kill = 0; kill < kKills; ++kill) {
        const std::size_t victim = random() % fleet.size();
        const auto lives = ended() + static_cast<qsizetype>(random() % 60);
        QTRY_VERIFY_WITH_TIMEOUT(ended() >= lives, kPatienceMs);
        fleet.server(victim).killHard();
        const auto away = ended() + static_cast<qsizetype>(random() % 15);
        QTRY_VERIFY_WITH_TIMEOUT(ended() >= away, kPatienceMs);
        fleet.start(victim);
    }
    for (const auto& customer : customers)
        customer->finish();
    const auto allDone = [&] {
        return std::all_of(customers.begin(), customers.end(), [](const auto& customer) { return customer->isDone(); });
    };
    QTRY_VERIFY_WITH_TIMEOUT(allDone(), kPatienceMs);

    const auto charges = chargesByAction(bank);
    int payments = 0;
    int repeats = 0;
    for (const auto& customer : customers) {
        QVERIFY2(customer->surprise().isEmpty(), customer->surprise().constData());
        repeats += customer->repeats();
        for (const QString& action : customer->ended().keys()) {
            ++payments;
            QVERIFY2(charges.value(action) == 1, qPrintable(action));
        }
    }
    qInfo("%d payments, %d requests repeated", payments, repeats);
    QCOMPARE(charges.size(), payments); // and nothing else was charged
    QVERIFY(payments > kCustomers && repeats > kKills);
    const auto orders =
        m_cluster->execute(QStringLiteral("SELECT count(*), count(DISTINCT number) FROM %1.orders WHERE status = 'paid'")
                               .arg(PostgresCluster::schemaOf(m_shop)));
    QCOMPARE(orders.first().first().toInt(), payments);
    QCOMPARE(orders.first().last().toInt(), payments);
}

// One died before it asked the bank, one after the bank had charged; neither comes back.
void TestSeveralServers::deadServersPayments_areFinishedByAnotherOnceTheirLeaseHasLapsed()
{
    const QDir scenarios(QStringLiteral(PAYONCE_SCENARIOS));
    Fleet fleet(database(), bankFile());
    const auto survivor = fleet.address(fleet.add());
    const QByteArray method = exchangeCard(survivor);
    std::mt19937 random(1);
    std::vector<values::ActionId> actions;
    QElapsedTimer since;
    since.start();
    for (const char* name : {"crash-before-bank.json", "crash-after-charge.json"}) {
        const auto victim = fleet.add({QStringLiteral("--scenario"), scenarios.filePath(QString::fromLatin1(name))});
        actions.push_back(newAction(random));
        QVERIFY(!ask(fleet.address(victim), paymentOf(fleet.address(victim), actions.back(), method)));
        QVERIFY(fleet.server(victim).waitForEnd());
    }
    QCOMPARE(ask(survivor, paymentOf(survivor, actions.front(), method))->status, 409);
    // What the bank has charged it also tells by itself, and its event settles sooner than any lease lapses.
    const int charged = ask(survivor, paymentOf(survivor, actions.back(), method))->status;
    QVERIFY2(charged == 409 || charged == 201, qPrintable(QString::number(charged)));
    QCOMPARE(chargesByAction({}).size(), 1);

    for (const auto& action : actions) {
        const auto answer = ask(survivor, paymentOf(survivor, action, method, 25));
        QCOMPARE(answer->status, 201);
        QCOMPARE(answer->header("Idempotent-Replayed"), QByteArray("true"));
        QCOMPARE(chargesByAction({}).value(QString::fromStdString(action.toString())), 1);
    }
    QVERIFY2(since.elapsed() >= 14'000, qPrintable(QString::number(since.elapsed()))); // never before the lease
}

void TestSeveralServers::settledByAnother_isAnsweredToWhoWaitsHere()
{
    Fleet fleet(database(), bankFile());
    const auto here = fleet.address(fleet.add());
    const auto slow = fleet.add({QStringLiteral("--scenario"), QStringLiteral(PAYONCE_SCENARIOS "/slow-shop.json")});
    const QByteArray method = exchangeCard(here);
    std::mt19937 random(2);
    const auto action = newAction(random);
    HttpCall paying(fleet.address(slow).port, paymentOf(fleet.address(slow), action, method));
    const QString id = QString::fromStdString(action.toString());
    QTRY_VERIFY_WITH_TIMEOUT(actionAt(here, id).value(QStringLiteral("state")) == QLatin1String("in_progress"), kPatienceMs);

    QElapsedTimer waited;
    waited.start();
    QCOMPARE(actionAt(here, id, "?kind=payment").value(QStringLiteral("state")).toString(), QStringLiteral("in_progress"));
    const auto held = ask(here, paymentOf(here, action, method, 25));
    QCOMPARE(held->status, 201);
    QVERIFY2(waited.elapsed() < 20'000, qPrintable(QString::number(waited.elapsed())));
    QTRY_VERIFY(paying.isFinished());
    QCOMPARE(chargesByAction({}).value(id), 1);
}

void TestSeveralServers::lostDatabase_is503AndComesBackByItself()
{
    Fleet fleet(database(), bankFile());
    const auto server = fleet.address(fleet.add());
    const QByteArray method = exchangeCard(server);
    std::mt19937 random(3);
    const auto action = newAction(random);
    m_cluster->stop();

    const auto refused = ask(server, paymentOf(server, action, method));
    QCOMPARE(refused->status, 503);
    QCOMPARE(refused->json().value(QStringLiteral("code")).toString(), QStringLiteral("store-unavailable"));
    QVERIFY(!refused->header("Retry-After").isEmpty());
    m_cluster->start();

    QCOMPARE(ask(server, paymentOf(server, action, method))->status, 201);
    m_cluster->killConnections();
    QCOMPARE(ask(server, paymentOf(server, newAction(random), method))->status, 201);
    QCOMPARE(chargesByAction({}).size(), 2);
}

void TestSeveralServers::bankOfAnotherShop_ends78AndNamesBoth()
{
    Fleet fleet(database(), bankFile());
    fleet.add();
    const QString other = m_directory->filePath(QStringLiteral("other.sqlite"));
    ServerProcess stranger(m_directory->filePath(QStringLiteral("stranger")),
                           {QStringLiteral("--database"), database(), QStringLiteral("--bank"), other});
    QVERIFY(!stranger.start());
    QCOMPARE(stranger.exitCode(), 78);
    QCOMPARE(stranger.errorText().count("bank_"), 2);
    QVERIFY2(stranger.errorText().contains(other.toUtf8()), stranger.errorText().constData());
}

void TestSeveralServers::unreachableDatabase_ends74WithoutThePassword()
{
    ServerProcess server(m_directory->filePath(QStringLiteral("data")),
                         {QStringLiteral("--database"), QStringLiteral("postgresql://ann:geheim@/shop?host=/nowhere")});
    QVERIFY(!server.start());
    QCOMPARE(server.exitCode(), 74);
    QVERIFY2(server.errorText().contains("postgresql:///nowhere/shop"), server.errorText().constData());
    QVERIFY2(!server.errorText().contains("geheim"), server.errorText().constData());
}

void TestSeveralServers::server_tellsNobodyThePassword()
{
    const QString dataDir = m_directory->filePath(QStringLiteral("data"));
    ServerProcess server(dataDir, {QStringLiteral("--database"), database() + QStringLiteral(" password=geheim")});
    QVERIFY2(server.start(), server.errorText().constData());
    server.stop();
    QCOMPARE(server.exitCode(), 0);
    QVERIFY2(!server.errorText().contains("geheim"), server.errorText().constData());
    QVERIFY(!QJsonDocument(server.ready()).toJson().contains("geheim"));
    for (const QFileInfo& file : QDir(dataDir).entryInfoList(QDir::Files)) {
        QFile content(file.filePath());
        QVERIFY(content.open(QIODevice::ReadOnly));
        QVERIFY2(!content.readAll().contains("geheim"), qPrintable(file.filePath()));
    }
}

QTEST_GUILESS_MAIN(TestSeveralServers)
#include "tst_several_servers.moc"
