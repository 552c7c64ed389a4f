#include "core/retry/wire_results.h"
#include "core/transport/raw_server.h"
#include "transport/http_transport.h"

#include <QtCore/QRegularExpression>
#include <QtTest/QTest>

using namespace payonce;
using namespace payonce::wiretest;
using retry::WireResult;
using retry_tests::anId;

/// The request that closes an action, and requests of kinds beside payments.
class FenceOnTheWireTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void fence_isAPostWithoutABody();
    void actionOfAnotherKind_goesToItsOwnPath();

private:
    RawServer m_server;
    transport::HttpTransport m_transport{{.base = m_server.url(), .token = "secret", .tls = {}}, retry::Numbers{}};
};

void FenceOnTheWireTest::fence_isAPostWithoutABody()
{
    m_server.setReaction({.bytes = wholeAnswer(200, "{}")});
    std::optional<WireResult> result;

    m_transport.probe({.id = anId(), .note = {}, .purpose = retry::ProbeRequest::Purpose::Fence},
                      [&result](const WireResult& ended) { result = ended; });

    QTRY_VERIFY(result);
    QVERIFY(result->complete);
    QCOMPARE(m_server.arrivals().size(), std::size_t(1));
    const Arrival& arrival = m_server.arrivals().front();
    QVERIFY(arrival.head.startsWith("POST /v1/actions/0198c0de-7a11-7c3e-9f00-6b1f0a2c4d5e/abandon?kind=payment HTTP/1.1\r\n"));
    QCOMPARE(arrival.field("Content-Length"), QByteArray("0"));
    QCOMPARE(arrival.field("Prefer"), QByteArray("wait=4"));
    QVERIFY(arrival.field("Idempotency-Key").isNull() && arrival.body.isEmpty());
}

void FenceOnTheWireTest::actionOfAnotherKind_goesToItsOwnPath()
{
    m_server.setReaction({.bytes = wholeAnswer(201, "{}")});
    std::optional<WireResult> posted;
    m_transport.post({.id = anId(), .body = "{}", .note = {}, .path = "/v1/accounts"},
                     [&posted](const WireResult& ended) { posted = ended; });
    QTRY_VERIFY(posted);
    QVERIFY(m_server.arrivals().back().head.startsWith("POST /v1/accounts HTTP/1.1\r\n"));

    std::optional<WireResult> asked;
    m_transport.probe({.id = anId(), .note = {}, .kind = retry::Kind::Account},
                      [&asked](const WireResult& ended) { asked = ended; });
    QTRY_VERIFY(asked);
    QVERIFY(m_server.arrivals().back().head.contains("?kind=account HTTP/1.1\r\n"));
}

QTEST_GUILESS_MAIN(FenceOnTheWireTest)
#include "tst_fence_on_the_wire.moc"
