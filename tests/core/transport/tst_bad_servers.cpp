// Servers that are slow, silent or confused, and what they advise.
#include "core/transport/raw_server.h"
#include "core/transport/wire_bench.h"
#include "retry/outcome.h"

#include <QtNetwork/QTcpSocket>
#include <QtTest/QTest>

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

using namespace payonce;
using namespace payonce::retry_tests;
using namespace payonce::wiretest;
using retry::OutcomeKind;
using retry::TransportError;

namespace {

const QByteArray kProblem = R"({"action_id":"0198c0de-7a11-7c3e-9f00-6b1f0a2c4d5e","code":"some-code"})";

/// Listens with the shortest queue there is, and fills it itself.
class FullListener
{
public:
    FullListener() { m_server.setListenBacklogSize(0); }

    /// True once a connection of its own has to wait for room.
    [[nodiscard]] bool fill()
    {
        if (!m_server.listen(QHostAddress::LocalHost)) {
            return false;
        }
        m_server.pauseAccepting();
        constexpr int kMost = 16;
        while (m_waiting.size() < kMost) {
            m_waiting.push_back(std::make_unique<QTcpSocket>());
            m_waiting.back()->connectToHost(QHostAddress::LocalHost, m_server.serverPort());
            if (!m_waiting.back()->waitForConnected(kRoomPatience)) {
                return true;
            }
        }
        return false;
    }

    [[nodiscard]] QUrl url() const { return QUrl(QStringLiteral("http://127.0.0.1:%1").arg(m_server.serverPort())); }

private:
    static constexpr int kRoomPatience = 100;

    QTcpServer m_server;
    std::vector<std::unique_ptr<QTcpSocket>> m_waiting;
};

/// -1: there is none.
qint64 inMilliseconds(const std::optional<std::chrono::milliseconds>& delay)
{
    return delay.value_or(std::chrono::milliseconds(-1)).count();
}

} // namespace

class BadServersTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void statusOfTheShop_isReadAsItIs_data();
    void statusOfTheShop_isReadAsItIs();
    void retryAfter_isADelayOrNothing_data();
    void retryAfter_isADelayOrNothing();
    void serverThatAcceptsAndIsSilent_leavesItUnknown();
    void serverThatNeverAccepts_isSentNothing();
    void leftoverOfAnAnswer_isNotBelievedByTheNextPayment();
    void cookie_isNeverSentBack();

private:
    std::unique_ptr<RawServer> m_server;
    std::unique_ptr<transport::HttpTransport> m_transport;
};

void BadServersTest::init()
{
    failOnWarnings();
    m_server = std::make_unique<RawServer>();
    m_transport = std::make_unique<transport::HttpTransport>(
        transport::ShopAddress{.base = m_server->url(), .token = "secret", .tls = {}}, retry::Numbers{});
}

void BadServersTest::statusOfTheShop_isReadAsItIs_data()
{
    QTest::addColumn<int>("status");

    // Without a body; a copy that Qt would like to send and may not; the word of a proxy.
    constexpr std::array kNotForUs = {204, 304, 307, 308, 407};
    for (int status = 200; status <= 599; ++status) {
        if (std::find(kNotForUs.begin(), kNotForUs.end(), status) == kNotForUs.end()) {
            QTest::addRow("%d", status) << status;
        }
    }
}

/// Qt has an error of its own for some of them, and none of these may hide what the shop says.
void BadServersTest::statusOfTheShop_isReadAsItIs()
{
    QFETCH(const int, status);
    m_server->setReaction({.bytes = wholeAnswer(status, kProblem)});

    const auto posted = postOnce(*m_transport);
    const auto probed = probeOnce(*m_transport);

    QVERIFY(posted && probed);
    QVERIFY(isAuthentic(*posted, anId()));
    QVERIFY(isAuthentic(*probed, anId()));
    QCOMPARE(*posted->status, status);
    QCOMPARE(*probed->status, status);
    QCOMPARE(m_server->posts(), 1);
}

void BadServersTest::retryAfter_isADelayOrNothing_data()
{
    QTest::addColumn<QByteArray>("fields");
    QTest::addColumn<int>("seconds"); // -1: nothing

    constexpr int kAYear = 365 * 24 * 3600;
    const auto row = [](const char* name, const QByteArray& value, int seconds) {
        QTest::newRow(name) << "Retry-After: " + value + "\r\n" << seconds;
    };
    QTest::newRow("absent") << QByteArray() << -1;
    row("seconds", "7", 7);
    row("seconds with spaces", "  7 ", 7);
    row("no time at all", "0", 0);
    // The Date of the answer is Mon, 30 Nov 2026 10:00:00 GMT, whatever this machine believes.
    row("date to come", "Mon, 30 Nov 2026 10:02:00 GMT", 120);
    row("date that has passed", "Mon, 30 Nov 2026 09:00:00 GMT", 0);
    row("date of RFC 850", "Monday, 30-Nov-26 10:02:00 GMT", 120);
    row("date of asctime", "Mon Nov 30 10:02:00 2026", 120);
    row("a date that far away", "Mon, 30 Nov 2099 10:00:00 GMT", kAYear);
    row("huge", "4000000000", kAYear);
    row("more than a number holds", "99999999999999999999999999", kAYear);
    row("negative", "-5", -1);
    row("a fraction", "1.5", -1);
    row("words", "soon", -1);
    row("nothing", "", -1);
    row("a unit", "5s", -1);
    row("hexadecimal", "0x10", -1);
    row("a day that is not", "Mon, 31 Nov 2026 10:02:00 GMT", -1);
    row("a list", "7, 9", -1);
    QTest::newRow("two fields") << QByteArray("Retry-After: 7\r\nRetry-After: 9\r\n") << -1;
}

void BadServersTest::retryAfter_isADelayOrNothing()
{
    QFETCH(const QByteArray, fields);
    QFETCH(const int, seconds);
    m_server->setReaction({.bytes = wholeAnswer(429, kProblem, fields)});

    const auto posted = postOnce(*m_transport);
    const auto probed = probeOnce(*m_transport);

    QVERIFY(posted && probed);
    const retry::Outcome ofPost = classifyPost(*posted, anId(), anAmount());
    const retry::Outcome ofProbe = classifyProbe(*probed, anId(), anAmount());
    QCOMPARE(ofPost.kind, OutcomeKind::Wait);
    QCOMPARE(ofProbe.kind, OutcomeKind::Wait);
    QCOMPARE(inMilliseconds(ofPost.delay), seconds < 0 ? -1 : qint64{seconds} * 1000);
    QCOMPARE(inMilliseconds(ofProbe.delay), inMilliseconds(ofPost.delay));
}

void BadServersTest::serverThatAcceptsAndIsSilent_leavesItUnknown()
{
    std::optional<retry::WireResult> result;

    m_transport->post(aPost(), [&result](const retry::WireResult& ended) { result = ended; });
    QTRY_VERIFY(m_server->posts() == 1 && m_server->arrivals().front().body.toStdString() == aPost().body);
    m_transport->abortPost(retry::EndReason::HardDeadline);

    QTRY_VERIFY(result);
    QCOMPARE(classifyPost(*result, anId(), anAmount()).kind, OutcomeKind::Unknown);
    QCOMPARE(nameOf(result->error), nameOf(TransportError::Cancelled));
    QCOMPARE(nameOf(result->reason), nameOf(retry::EndReason::HardDeadline));
    m_server->setReaction({.bytes = wholeAnswer(200, paidBody())});
    QVERIFY(probeOnce(*m_transport)->complete);
    QCOMPARE(m_server->posts(), 1);
}

/// Its queue is full, so the system does not even answer the knocking.
void BadServersTest::serverThatNeverAccepts_isSentNothing()
{
    FullListener listener;
    QVERIFY(listener.fill());
    retry::Numbers numbers;
    numbers.connectLimit = std::chrono::milliseconds(200);
    transport::HttpTransport transport({.base = listener.url(), .token = "secret", .tls = {}}, numbers);

    const auto posted = postOnce(transport);
    const auto probed = probeOnce(transport);

    QVERIFY(posted && probed);
    QCOMPARE(nameOf(posted->error), nameOf(TransportError::Timeout));
    QCOMPARE(posted->bytesTaken, 0);
    QCOMPARE(classifyPost(*posted, anId(), anAmount()).kind, OutcomeKind::NotSent);
    QCOMPARE(nameOf(probed->error), nameOf(TransportError::Timeout));
    QCOMPARE(classifyProbe(*probed, anId(), anAmount()).kind, OutcomeKind::Unknown);
}

/// A second answer behind the first one is what a confused proxy says next to anybody.
void BadServersTest::leftoverOfAnAnswer_isNotBelievedByTheNextPayment()
{
    const QByteArray paid = wholeAnswer(201, paidBody());
    m_server->setReaction({.bytes = paid + paid});
    QVERIFY(postOnce(*m_transport)->complete);
    m_server->setReaction({.bytes = {}, .ending = Ending::Close});
    std::optional<retry::WireResult> next;

    m_transport->post({.id = anotherId(), .body = aPost().body, .note = {}},
                      [&next](const retry::WireResult& ended) { next = ended; });

    QTRY_VERIFY(next);
    QCOMPARE(classifyPost(*next, anotherId(), anAmount()).kind, OutcomeKind::Unknown);
}

void BadServersTest::cookie_isNeverSentBack()
{
    m_server->setReaction({.bytes = wholeAnswer(200, paidBody(), "Set-Cookie: session=1; Path=/\r\n")});

    for (int turn = 0; turn < 2; ++turn) {
        QVERIFY(postOnce(*m_transport)->complete);
        QVERIFY(probeOnce(*m_transport)->complete);
    }

    QCOMPARE(m_server->arrivals().size(), 4);
    for (const Arrival& arrival : m_server->arrivals()) {
        QVERIFY(arrival.field("Cookie").isNull());
    }
}

QTEST_GUILESS_MAIN(BadServersTest)
#include "tst_bad_servers.moc"
