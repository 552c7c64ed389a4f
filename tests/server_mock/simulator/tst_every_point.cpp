// Every end of a connection at every point of a payment: what the client's socket reports, to the byte, and one charge at the
// end.
#include "server_mock/http/raw_peer.h"
#include "support/bank_rows.h"
#include "support/shop_customer.h"

#include <QtCore/QRegularExpression>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <memory>

using payonce::support::chargesIn;
using payonce::support::freshKey;
using payonce::support::ServerProcess;
using payonce::support::ShopCustomer;
using payonce::tests::RawPeer;
using Ending = payonce::tests::RawPeer::Ending;

namespace {

constexpr int kPatience = 30'000;

/// In the order of the work. Before the last of `kBeforeWork` nothing was done when the connection ends.
const QByteArrayList kPoints{"accept",      "head",         "received",       "key.looked_up", "key.claimed",
                             "bank.before", "bank.inside",  "bank.committed", "bank.answered", "result.saved",
                             "reply.built", "reply.head@5", "reply.body@7",   "reply.flushed"};
const QByteArrayList kBeforeWork{"accept", "head", "received"};

QByteArray ruleAt(const QByteArray& point, const QByteArray& action)
{
    const QByteArray match = point == "accept" ? QByteArray("{}") : QByteArray(R"({"op":"pay","nth":1})");
    return R"("rules":[{"id":"r1","match":)" + match + R"(,"at":")" + point + R"(","do":)" + action + R"(,"times":1}])";
}

} // namespace

class EveryPointTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();

    void endAtAPoint_isSeenAsWhatItIsAndChargesOnce_data();
    void endAtAPoint_isSeenAsWhatItIsAndChargesOnce();
    void answerInstead_isTheOnlyOneAndTheWorkStands_data();
    void answerInstead_isTheOnlyOneAndTheWorkStands();

private:
    [[nodiscard]] int hits() const;
    void payAgainUntilSettled(const QByteArray& request);

    QTemporaryDir m_dir;
    std::unique_ptr<ServerProcess> m_server;
    std::unique_ptr<ShopCustomer> m_customer;
};

void EveryPointTest::initTestCase()
{
    m_server = std::make_unique<ServerProcess>(m_dir.path());
    QVERIFY2(m_server->start(), m_server->errorText());
    m_customer = std::make_unique<ShopCustomer>(*m_server);
}

void EveryPointTest::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    QCOMPARE(m_customer->control("DELETE", "/scenario").status, 204); // or its rules would fire again from here on
    QCOMPARE(m_customer->control("POST", "/reset").status, 204);
}

int EveryPointTest::hits() const
{
    const auto shown = m_customer->control("GET", "/scenario");
    return shown.json().value(QLatin1String("rules"))[0].toObject().value(QLatin1String("hits")).toInt(-1);
}

/// As a careful client does: the same key, until there is a last word.
void EveryPointTest::payAgainUntilSettled(const QByteArray& request)
{
    QTRY_COMPARE_WITH_TIMEOUT(m_customer->statusOf(request), 201, kPatience);
}

void EveryPointTest::endAtAPoint_isSeenAsWhatItIsAndChargesOnce_data()
{
    QTest::addColumn<QByteArray>("point");
    QTest::addColumn<QByteArray>("action");
    QTest::addColumn<int>("ending");
    for (const auto& point : kPoints) {
        QTest::addRow("rst at %s", point.constData()) << point << QByteArray(R"({"rst":{}})") << int(Ending::Reset);
        QTest::addRow("fin at %s", point.constData()) << point << QByteArray(R"({"fin":{}})") << int(Ending::Fin);
        QTest::addRow("halfclose at %s", point.constData()) << point << QByteArray(R"({"halfclose":{}})") << int(Ending::Fin);
        QTest::addRow("hang at %s", point.constData()) << point << QByteArray(R"({"hang":{}})") << int(Ending::Open);
    }
}

void EveryPointTest::endAtAPoint_isSeenAsWhatItIsAndChargesOnce()
{
    QFETCH(QByteArray, point);
    QFETCH(QByteArray, action);
    QFETCH(int, ending);
    const auto request = m_customer->payRequest(freshKey(), m_customer->tokenise(), "every-point");
    QVERIFY(m_customer->load(ruleAt(point, action)));
    RawPeer peer(m_customer->port());
    // Until it is looked at again, the connection would go on: only the rule can end it before its answer.
    peer.send(QByteArray(request).replace("Connection: close\r\n", ""));
    if (ending != int(Ending::Open))
        QTRY_COMPARE_WITH_TIMEOUT(int(peer.ending()), ending, kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(hits(), 1, kPatience);
    const auto received = peer.received();
    if (point == "reply.head@5")
        QTRY_COMPARE(peer.received(), QByteArray("HTTP/"));
    else if (point == "reply.body@7")
        QTRY_VERIFY(peer.received().endsWith("\r\n\r\n{\"actio"));
    else if (point == "reply.flushed")
        QTRY_VERIFY(peer.received().startsWith("HTTP/1.1 201 ") && peer.received().endsWith("}}"));
    else
        QCOMPARE(received, QByteArray());
    QCOMPARE(int(peer.ending()), ending);
    if (!kBeforeWork.contains(point))
        QTRY_COMPARE_WITH_TIMEOUT(chargesIn(m_dir.path()), 1, kPatience);
    else
        QCOMPARE(chargesIn(m_dir.path()), 0);
    payAgainUntilSettled(request);
    QCOMPARE(chargesIn(m_dir.path()), 1);
    QCOMPARE(hits(), 1);
}

void EveryPointTest::answerInstead_isTheOnlyOneAndTheWorkStands_data()
{
    QTest::addColumn<QByteArray>("point");
    QTest::addColumn<QByteArray>("action");
    QTest::addColumn<QByteArray>("received");
    for (const auto& point : kPoints) {
        if (point == "accept" || point.startsWith("reply.h") || point.startsWith("reply.bo") || point == "reply.flushed")
            continue;
        QTest::addRow("reply at %s", point.constData())
            << point << QByteArray(R"({"reply":{"status":502,"body":"bad gateway"}})") << QByteArray("HTTP/1.1 502 ");
        QTest::addRow("redirect at %s", point.constData())
            << point << QByteArray(R"({"redirect":{"location":"/elsewhere"}})") << QByteArray("HTTP/1.1 307 ");
        QTest::addRow("garbage at %s", point.constData())
            << point << QByteArray(R"({"garbage":{}})") << QByteArray("\x16\x03\x01");
    }
}

void EveryPointTest::answerInstead_isTheOnlyOneAndTheWorkStands()
{
    QFETCH(QByteArray, point);
    QFETCH(QByteArray, action);
    QFETCH(QByteArray, received);
    const auto request = m_customer->payRequest(freshKey(), m_customer->tokenise(), "every-point");
    QVERIFY(m_customer->load(ruleAt(point, action)));
    RawPeer peer(m_customer->port());
    peer.send(request);
    QTRY_COMPARE_WITH_TIMEOUT(int(peer.ending()), int(Ending::Fin), kPatience);
    QVERIFY2(peer.received().startsWith(received), peer.received());
    QCOMPARE(peer.received().count("HTTP/1.1"), received.startsWith("HTTP") ? 1 : 0);
    payAgainUntilSettled(request);
    QCOMPARE(chargesIn(m_dir.path()), 1);
}

QTEST_GUILESS_MAIN(EveryPointTest)
#include "tst_every_point.moc"
