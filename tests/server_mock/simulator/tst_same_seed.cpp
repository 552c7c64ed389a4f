// One seed strikes the same actions in every run, one after the other or fifty at once.
#include "server_mock/http/raw_peer.h"
#include "support/bank_rows.h"
#include "support/shop_customer.h"

#include <QtCore/QJsonArray>
#include <QtCore/QMap>
#include <QtCore/QRegularExpression>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <algorithm>
#include <memory>
#include <vector>

using payonce::support::chargesIn;
using payonce::support::freshKey;
using payonce::support::HttpCall;
using payonce::support::ServerProcess;
using payonce::support::ShopCustomer;

namespace {

constexpr int kPatience = 30'000;
constexpr int kCarts = 50;

/// By cart: which rules struck its payment, in the order of its attempts.
using Strikes = QMap<QByteArray, QByteArrayList>;

QByteArray scenario(const QByteArray& seed)
{
    return R"({"schema":1,"name":"seeded","seed":)" + seed +
           R"(,"random":[)"
           R"({"id":"lost","match":{"op":"pay"},"at":"received","p":0.3,"do":{"rst":{}}},)"
           R"({"id":"after","match":{"op":"pay"},"at":"bank.committed","p":0.3,"do":{"fin":{}}},)"
           R"({"id":"cut","match":{"op":"pay"},"at":"reply.body@7","p":0.3,"do":{"cut":{"end":"rst"}}},)"
           R"({"id":"look","match":{"op":"status"},"at":"reply.built","p":0.5,"do":{"reply":{"status":500}}}]})";
}

} // namespace

class SameSeedTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_dir = std::make_unique<QTemporaryDir>();
        m_server = std::make_unique<ServerProcess>(m_dir->path());
        QVERIFY2(m_server->start(), m_server->errorText());
        m_customer = std::make_unique<ShopCustomer>(*m_server);
    }

    void serialAndParallelRuns_areStruckAlike();
    void otherSeed_strikesOthers();

private:
    enum class Order { Serial, Parallel };
    [[nodiscard]] Strikes run(const QByteArray& seed, Order order);
    [[nodiscard]] Strikes strikes(const QMap<QByteArray, QByteArray>& carts) const;

    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<ServerProcess> m_server;
    std::unique_ptr<ShopCustomer> m_customer;
};

Strikes SameSeedTest::strikes(const QMap<QByteArray, QByteArray>& carts) const
{
    Strikes all;
    for (const auto& cart : carts)
        all[cart]; // also those that nothing struck
    QByteArray after = "0";
    for (bool hasMore = true; hasMore;) {
        const auto journal = m_customer->control("GET", "/journal?after=" + after).json();
        for (const auto value : journal.value(QLatin1String("rows")).toArray()) {
            const auto row = value.toObject();
            after = QByteArray::number(row.value(QLatin1String("seq")).toInteger());
            const auto rule = row.value(QLatin1String("rule")).toString().toLatin1();
            const auto cart = carts.value(row.value(QLatin1String("action_id")).toString().toLatin1());
            if (!rule.isEmpty() && !cart.isEmpty())
                all[cart].append(rule);
        }
        hasMore = journal.value(QLatin1String("more")).toBool();
    }
    return all;
}

/// Each cart is paid for twice and looked at once, under keys that no other run has.
Strikes SameSeedTest::run(const QByteArray& seed, Order order)
{
    if (m_customer->control("POST", "/reset").status != 204 ||
        m_customer->control("PUT", "/scenario", scenario(seed)).status != 200)
        return {};
    const auto method = m_customer->tokenise();
    QMap<QByteArray, QByteArray> carts; // by action
    std::vector<QByteArrayList> rounds(3);
    for (int i = 0; i < kCarts; ++i) {
        const auto key = freshKey();
        const auto cart = "seeded-" + QByteArray::number(i);
        carts[key] = cart;
        const auto pay = m_customer->payRequest(key, method, cart);
        rounds[0].append(pay);
        rounds[1].append(pay);
        rounds[2].append(m_customer->lookRequest(key));
    }
    for (const auto& round : rounds) {
        std::vector<std::unique_ptr<HttpCall>> calls;
        const auto isOver = [&calls] {
            return std::all_of(calls.begin(), calls.end(), [](const auto& call) { return call->isFinished(); });
        };
        for (const auto& request : round) {
            calls.push_back(m_customer->begin(request));
            if (order == Order::Serial && !QTest::qWaitFor(isOver, kPatience))
                return {};
        }
        if (!QTest::qWaitFor(isOver, kPatience))
            return {};
    }
    return strikes(carts);
}

void SameSeedTest::serialAndParallelRuns_areStruckAlike()
{
    const auto serial = run("4711", Order::Serial);
    QCOMPARE(serial.size(), kCarts);
    QCOMPARE(chargesIn(m_dir->path()), kCarts - int(std::count_if(serial.begin(), serial.end(), [](const auto& struck) {
                                           return struck.count("lost") == 2;
                                       })));
    int hits = 0;
    for (const auto& struck : serial)
        hits += int(struck.size());
    QVERIFY2(hits > kCarts / 2 && hits < kCarts * 3, qPrintable(QString::number(hits)));
    for (int i = 0; i < 3; ++i)
        QCOMPARE(run("4711", Order::Parallel), serial);
    QCOMPARE(run("4711", Order::Serial), serial);
}

void SameSeedTest::otherSeed_strikesOthers()
{
    const auto one = run("1", Order::Parallel);
    QCOMPARE(one.size(), kCarts);
    QVERIFY(run("2", Order::Parallel) != one);
}

QTEST_GUILESS_MAIN(SameSeedTest)
#include "tst_same_seed.moc"
