#include "core/transport/raw_server.h"
#include "transport/http_transport.h"

#include <QtTest/QTest>

using namespace payonce;
using namespace payonce::wiretest;
using retry::EndReason;
using retry::TransportError;
using retry::WireResult;
using Kind = retry::ExchangeResult::Kind;

namespace {

constexpr int kPatience = 20'000;
const QByteArray kPaid =
    R"({"action_id":"0198c0de-7a11-7c3e-9f00-6b1f0a2c4d5e","state":"succeeded",)"
    R"("payment":{"id":"pay_1","status":"paid","charge_id":"ch_1","amount":{"value":4200,"currency":"EUR"}},)"
    R"("order":{"id":"ord_1","number":"1001","status":"paid"}})";

values::ActionId anId()
{
    return *values::ActionId::parse("0198c0de-7a11-7c3e-9f00-6b1f0a2c4d5e");
}

retry::PostRequest aPost()
{
    return {.id = anId(),
            .body = R"({"cart_id":"cart_1"})",
            .note = {.number = 2, .previous = retry::PreviousEnd::Timeout, .presses = 3, .state = retry::State::Confirming}};
}

retry::Card aCard()
{
    return {.number = "4242424242424242", .expiryMonth = 12, .expiryYear = 2031, .securityCode = "123"};
}

} // namespace

class HttpTransportTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void post_carriesWhatTheContractAsks();
    void probe_carriesWhatTheContractAsks();
    void wholeAnswer_isReadWhole();
    void answer_data();
    void answer();
    void cutChunks_areNeverComplete();
    void endlessAnswer_isCutAtItsBound();
    void longAnswer_isRead();
    void done_comesOnceAndLaterThanTheCall();
    void abort_reportsItsReason();
    void abortWithoutACall_doesNothing();
    void destroyedTransport_answersNobody();
    void probe_opensAFreshConnectionBesideAHangingPost();
    void basePath_isKept();
    void exchange_data();
    void exchange();
    void exchange_givesUpAfterItsLimit();
    void exchange_sendsTheCardOnce();

private:
    [[nodiscard]] std::optional<WireResult> post() const;

    std::unique_ptr<RawServer> m_server;
    std::unique_ptr<transport::HttpTransport> m_transport;
};

void HttpTransportTest::init()
{
    failOnWarnings();
    m_server = std::make_unique<RawServer>();
    retry::Numbers numbers;
    numbers.tokeniseLimit = std::chrono::milliseconds(300);
    m_transport = std::make_unique<transport::HttpTransport>(
        transport::ShopAddress{.base = m_server->url(), .token = "secret", .tls = {}}, numbers);
}

/// The end of one POST; empty if it never came.
std::optional<WireResult> HttpTransportTest::post() const
{
    std::optional<WireResult> result;
    m_transport->post(aPost(), [&result](const WireResult& ended) { result = ended; });
    (void)QTest::qWaitFor([&result] { return result.has_value(); }, kPatience);
    return result;
}

void HttpTransportTest::post_carriesWhatTheContractAsks()
{
    m_server->setReaction({.bytes = wholeAnswer(201, kPaid)});

    QVERIFY(post());

    const Arrival& arrival = m_server->arrivals().front();
    QVERIFY(arrival.head.startsWith("POST /v1/payments HTTP/1.1\r\n"));
    QCOMPARE(arrival.field("Authorization"), QByteArray("Bearer secret"));
    QCOMPARE(arrival.field("Idempotency-Key"), QByteArray("\"0198c0de-7a11-7c3e-9f00-6b1f0a2c4d5e\""));
    QCOMPARE(arrival.field("Action-Attempt"), QByteArray("2;prev=timeout;presses=3;state=confirming"));
    QCOMPARE(arrival.field("Prefer"), QByteArray("wait=25"));
    QCOMPARE(arrival.field("Accept-Encoding"), QByteArray("identity"));
    QCOMPARE(arrival.field("Content-Type"), QByteArray("application/json"));
    QCOMPARE(arrival.field("Content-Length"), QByteArray("20"));
    QCOMPARE(arrival.body.toStdString(), aPost().body);
}

void HttpTransportTest::probe_carriesWhatTheContractAsks()
{
    m_server->setReaction({.bytes = wholeAnswer(200, kPaid)});
    std::optional<WireResult> result;

    m_transport->probe({.id = anId(), .note = aPost().note}, [&result](const WireResult& ended) { result = ended; });

    QTRY_VERIFY(result);
    const Arrival& arrival = m_server->arrivals().front();
    QVERIFY(arrival.head.startsWith("GET /v1/actions/0198c0de-7a11-7c3e-9f00-6b1f0a2c4d5e?kind=payment HTTP/1.1\r\n"));
    QCOMPARE(arrival.field("Authorization"), QByteArray("Bearer secret"));
    QCOMPARE(arrival.field("Action-Attempt"), QByteArray("2;prev=timeout;presses=3;state=confirming"));
    QCOMPARE(arrival.field("Prefer"), QByteArray("wait=4"));
    QCOMPARE(arrival.field("Accept-Encoding"), QByteArray("identity"));
    QVERIFY(arrival.field("Idempotency-Key").isNull());
}

void HttpTransportTest::wholeAnswer_isReadWhole()
{
    m_server->setReaction({.bytes = wholeAnswer(201, kPaid, "Retry-After: 7\r\n")});

    const auto result = post();

    QVERIFY(result && result->complete && result->digestMatches && !result->encoded);
    QCOMPARE(retry::nameOf(result->error), retry::nameOf(TransportError::None));
    QCOMPARE(*result->status, 201);
    QCOMPARE(result->bytesTaken, 20);
    QVERIFY(result->body && result->body->actionId == anId());
    QVERIFY(result->body->state == values::RecordState::Succeeded);
    QCOMPARE(result->body->amount->minorUnits, 4200);
    QVERIFY(result->retryAfter == std::chrono::seconds(7));
    QVERIFY(result->serverTime == values::fromRfc3339("2026-11-30T10:00:00Z"));
}

void HttpTransportTest::answer_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<bool>("isClosed");
    QTest::addColumn<bool>("isComplete");
    QTest::addColumn<bool>("digestMatches");
    QTest::addColumn<bool>("isEncoded");
    QTest::addColumn<bool>("isError");

    const QByteArray whole = wholeAnswer(201, kPaid);
    const auto replaced = [&whole](const char* before, const char* after) { return QByteArray(whole).replace(before, after); };
    QTest::newRow("whole") << whole << false << true << true << false << false;
    QTest::newRow("404 is no transport error") << wholeAnswer(404, kPaid) << false << true << true << false << false;
    QTest::newRow("503 is no transport error") << wholeAnswer(503, kPaid) << false << true << true << false << false;
    QTest::newRow("another body") << replaced("4200", "4201") << false << true << false << false << false;
    QTest::newRow("no digest") << replaced("Content-Digest", "X-Digest") << false << true << false << false << false;
    QTest::newRow("compressed") << replaced("Date:", "Content-Encoding: br\r\nDate:") << false << true << true << true << false;
    QTest::newRow("no length") << replaced("Content-Length", "X-Length") << true << false << true << false << false;
    QTest::newRow("body cut") << whole.left(whole.size() - 5) << true << false << false << false << true;
    const QByteArray chunk = QByteArray::number(kPaid.size(), 16) + "\r\n" + kPaid + "\r\n0\r\n\r\n";
    QTest::newRow("chunked") << QByteArray("HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk) << false
                             << false << false << false << false;
}

void HttpTransportTest::answer()
{
    QFETCH(const QByteArray, bytes);
    QFETCH(const bool, isClosed);
    QFETCH(const bool, isComplete);
    QFETCH(const bool, digestMatches);
    QFETCH(const bool, isEncoded);
    QFETCH(const bool, isError);
    m_server->setReaction({.bytes = bytes, .ending = isClosed ? Ending::Close : Ending::KeepOpen});

    const auto result = post();

    QVERIFY(result && result->status);
    QCOMPARE(result->complete, isComplete);
    QCOMPARE(result->digestMatches, digestMatches);
    QCOMPARE(result->encoded, isEncoded);
    QCOMPARE(result->error != TransportError::None, isError);
}

/// Qt may call it a success: only the length tells.
void HttpTransportTest::cutChunks_areNeverComplete()
{
    m_server->setReaction(
        {.bytes = "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"a\":\r\n", .ending = Ending::Close});

    const auto result = post();

    QVERIFY(result && !result->complete && !result->body);
}

void HttpTransportTest::endlessAnswer_isCutAtItsBound()
{
    m_server->setReaction({.bytes = "HTTP/1.1 201 Created\r\n\r\n" + QByteArray(4 * transport::kLongestAnswer, 'x')});

    const auto result = post();

    QVERIFY(result);
    QCOMPARE(retry::nameOf(result->error), retry::nameOf(TransportError::Protocol));
    QVERIFY(!result->complete && !result->body);
}

void HttpTransportTest::longAnswer_isRead()
{
    const QByteArray longBody = "{\"action_id\":\"" + QByteArray::fromStdString(anId().toString()) + "\",\"filler\":\"" +
                                QByteArray(900'000, 'x') + "\"}";
    m_server->setReaction({.bytes = wholeAnswer(200, longBody)});

    const auto result = post();

    QVERIFY(result && result->complete && result->digestMatches);
}

void HttpTransportTest::done_comesOnceAndLaterThanTheCall()
{
    m_server->close();
    int times = 0;

    m_transport->post(aPost(), [&times](const WireResult& /*ended*/) { ++times; });
    QCOMPARE(times, 0);
    m_transport->abortPost(EndReason::User);
    QCOMPARE(times, 0);
    m_transport->abortPost(EndReason::HardDeadline);

    QTRY_COMPARE(times, 1);
    QVERIFY(post()); // the next one begins and ends
    QCOMPARE(times, 1);
}

void HttpTransportTest::abort_reportsItsReason()
{
    std::optional<WireResult> posted;
    std::optional<WireResult> probed;
    m_transport->post(aPost(), [&posted](const WireResult& ended) { posted = ended; });
    m_transport->probe({.id = anId(), .note = {}}, [&probed](const WireResult& ended) { probed = ended; });
    QTRY_COMPARE(m_server->arrivals().size(), 2);

    m_transport->abortPost(EndReason::FrozenPost);
    m_transport->abortProbe(EndReason::SoftDeadline);

    QTRY_VERIFY(posted && probed);
    QVERIFY(posted->reason == EndReason::FrozenPost && posted->error == TransportError::Cancelled);
    QVERIFY(probed->reason == EndReason::SoftDeadline && probed->error == TransportError::Cancelled);
    QCOMPARE(posted->bytesTaken, 20);
    QVERIFY(!posted->status);
}

void HttpTransportTest::abortWithoutACall_doesNothing()
{
    m_transport->abortPost(EndReason::User);
    m_transport->abortProbe(EndReason::User);
    m_server->setReaction({.bytes = wholeAnswer(201, kPaid)});

    QVERIFY(post()->complete);
}

void HttpTransportTest::destroyedTransport_answersNobody()
{
    int times = 0;
    m_transport->post(aPost(), [&times](const WireResult& /*ended*/) { ++times; });
    m_transport->exchangeCard(aCard(), [&times](const retry::ExchangeResult& /*ended*/) { ++times; });
    QTRY_COMPARE(m_server->arrivals().size(), 2);

    m_transport.reset();

    QCoreApplication::sendPostedEvents();
    QCOMPARE(times, 0);
}

void HttpTransportTest::probe_opensAFreshConnectionBesideAHangingPost()
{
    m_transport->post(aPost(), [](const WireResult& /*ended*/) {});
    QTRY_COMPARE(m_server->arrivals().size(), 1);
    m_server->setReaction({.bytes = wholeAnswer(200, kPaid)});

    for (int turn = 0; turn < 2; ++turn) {
        std::optional<WireResult> probed;
        m_transport->probe({.id = anId(), .note = {}}, [&probed](const WireResult& ended) { probed = ended; });
        QTRY_VERIFY(probed);
        QVERIFY(probed->complete);
    }

    QCOMPARE(m_server->arrivals().size(), 3);
    QCOMPARE(m_server->arrivals().at(0).connection, 1);
    QCOMPARE(m_server->arrivals().at(1).connection, 2);
    QCOMPARE(m_server->arrivals().at(2).connection, 3);
}

void HttpTransportTest::basePath_isKept()
{
    QUrl base = m_server->url();
    base.setPath(QStringLiteral("/shop/"));
    m_transport = std::make_unique<transport::HttpTransport>(transport::ShopAddress{.base = base, .token = "secret", .tls = {}},
                                                             retry::Numbers{});
    m_server->setReaction({.bytes = wholeAnswer(201, kPaid)});

    QVERIFY(post());

    QVERIFY(m_server->arrivals().front().head.startsWith("POST /shop/v1/payments HTTP/1.1\r\n"));
}

void HttpTransportTest::exchange_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("kind");

    const QByteArray token = R"({"id":"pm_1","brand":"visa","last4":"4242"})";
    const auto problem = [](int status) {
        return wholeAnswer(status, R"({"code":"body-invalid","detail":"The card number is not right."})");
    };
    const auto row = [](const char* name, const QByteArray& bytes, Kind kind) {
        QTest::newRow(name) << bytes << static_cast<int>(kind);
    };
    row("token", wholeAnswer(201, token), Kind::Exchanged);
    row("token, digest wrong", wholeAnswer(201, token).replace("4242", "4343"), Kind::Failed);
    row("2xx that is no token", wholeAnswer(200, "{}"), Kind::Failed);
    row("card refused", problem(422), Kind::Refused);
    row("card refused, damaged", problem(422).replace("right", "wrong"), Kind::Failed);
    row("redirected to another place", wholeAnswer(307, token, "Location: /elsewhere\r\n"), Kind::Failed);
    row("redirected to a page", wholeAnswer(302, "<html>", "Location: /login\r\n"), Kind::Failed);
    row("page in place of the shop", wholeAnswer(200, "<html>"), Kind::Failed);
    row("proxy that asks who we are", wholeAnswer(407, "{}", "Proxy-Authenticate: Basic realm=\"x\"\r\n"), Kind::Failed);
    row("empty 502", wholeAnswer(502, ""), Kind::Failed);
    row("4xx that is not the shop's", wholeAnswer(422, "<html>"), Kind::Failed);
    for (const int status : {401, 403, 408, 425, 429, 500, 503}) {
        row(qPrintable(QStringLiteral("status %1").arg(status)), problem(status), Kind::Failed);
    }
}

void HttpTransportTest::exchange()
{
    QFETCH(const QByteArray, bytes);
    QFETCH(const int, kind);
    m_server->setReaction({.bytes = bytes});
    std::optional<retry::ExchangeResult> result;

    m_transport->exchangeCard(aCard(), [&result](const retry::ExchangeResult& ended) { result = ended; });

    QTRY_VERIFY(result);
    QCOMPARE(static_cast<int>(result->kind), kind);
    QCOMPARE(m_server->arrivals().size(), 1); // a card goes nowhere else
    const bool isExchanged = result->kind == Kind::Exchanged;
    QVERIFY(result->token == (isExchanged ? retry::CardToken{.paymentMethod = "pm_1", .brand = "visa", .lastFour = "4242"}
                                          : retry::CardToken{}));
    QCOMPARE(result->detail, std::string(result->kind == Kind::Refused ? "The card number is not right." : ""));
}

void HttpTransportTest::exchange_givesUpAfterItsLimit()
{
    std::optional<retry::ExchangeResult> result;

    m_transport->exchangeCard(aCard(), [&result](const retry::ExchangeResult& ended) { result = ended; });

    QTRY_VERIFY(result);
    QVERIFY(result->kind == Kind::Failed);
    QCOMPARE(m_server->posts(), 1);
}

void HttpTransportTest::exchange_sendsTheCardOnce()
{
    m_server->setReaction({.bytes = {}, .ending = Ending::Close});
    std::optional<retry::ExchangeResult> result;

    m_transport->exchangeCard(aCard(), [&result](const retry::ExchangeResult& ended) { result = ended; });

    QTRY_VERIFY(result);
    QCOMPARE(m_server->posts(), 1);
    QCOMPARE(m_server->arrivals().front().body,
             QByteArray(R"({"card":{"number":"4242424242424242","exp_month":12,"exp_year":2031,"cvc":"123"}})"));
    QVERIFY(m_server->arrivals().front().field("Idempotency-Key").isNull());
}

QTEST_GUILESS_MAIN(HttpTransportTest)
#include "tst_http_transport.moc"
