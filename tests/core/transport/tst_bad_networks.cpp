// Whatever stands between the client and the shop: one POST on the wire, no redirect followed, and no answer believed that
// is not the shop's own, whole and unchanged (docs/client.md, invariants 3 and 4).
#include "core/transport/raw_server.h"
#include "core/transport/wire_bench.h"
#include "retry/outcome.h"

#include <QtTest/QTest>

#include <algorithm>
#include <memory>

using namespace payonce;
using namespace payonce::retry_tests;
using namespace payonce::wiretest;
using retry::OutcomeKind;

Q_DECLARE_METATYPE(payonce::retry::OutcomeKind)
Q_DECLARE_METATYPE(payonce::wiretest::Reaction)

namespace {

/// zlib's own form of paidBody(), as a compressing proxy makes it.
QByteArray compressed()
{
    return qCompress(paidBody()).mid(4); // Qt puts the length in front
}

QByteArray chunked(const QByteArray& body)
{
    return QByteArray::number(body.size(), 16) + "\r\n" + body + "\r\n0\r\n\r\n";
}

/// The shop's paid answer as a proxy leaves it that cannot let anything be.
QByteArray changed(const QByteArray& before, const QByteArray& after)
{
    const QByteArray answer = wholeAnswer(200, paidBody());
    Q_ASSERT(answer.contains(before));
    return QByteArray(answer).replace(before, after);
}

QByteArray lengthField()
{
    return "Content-Length: " + QByteArray::number(paidBody().size());
}

/// Another body under the digest of the shop's.
QByteArray withBody(const QByteArray& body, const QByteArray& extra = {})
{
    return changed(lengthField() + "\r\n", "Content-Length: " + QByteArray::number(body.size()) + "\r\n" + extra)
        .replace(paidBody(), body);
}

/// An answer of something that has never heard of the shop.
QByteArray html(int status, const QByteArray& extra = {})
{
    const QByteArray page = "<html><body>Please sign in to this network</body></html>";
    return "HTTP/1.1 " + QByteArray::number(status) + " Words\r\nContent-Type: text/html\r\n" + extra +
           "Content-Length: " + QByteArray::number(page.size()) + "\r\n\r\n" + page;
}

QByteArray empty(int status)
{
    return "HTTP/1.1 " + QByteArray::number(status) + " Words\r\nContent-Length: 0\r\n\r\n";
}

QByteArray chunkedHead()
{
    return changed(lengthField(), "Transfer-Encoding: chunked").replace(paidBody(), "");
}

void row(const char* name, const Reaction& reaction, OutcomeKind kind = OutcomeKind::Unknown)
{
    QTest::newRow(name) << reaction << kind;
}

void addColumns()
{
    QTest::addColumn<Reaction>("reaction");
    QTest::addColumn<OutcomeKind>("kind");
}

void addRewritingProxies()
{
    row("lets it through", {.bytes = wholeAnswer(200, paidBody())}, OutcomeKind::Final);
    row("lets it through and closes", {.bytes = wholeAnswer(200, paidBody()), .ending = Ending::Close}, OutcomeKind::Final);
    row("compresses though identity was asked", {.bytes = withBody(compressed(), "Content-Encoding: deflate\r\n")});
    row("compresses and says gzip", {.bytes = withBody(compressed(), "Content-Encoding: gzip\r\n")});
    row("compresses and does not say so", {.bytes = withBody(compressed())});
    row("says gzip and does not compress", {.bytes = changed("Date:", "Content-Encoding: gzip\r\nDate:")});
    row("says identity", {.bytes = changed("Date:", "Content-Encoding: identity\r\nDate:")});
    row("changes the body", {.bytes = changed("1001", "1002")});
    row("adds a space", {.bytes = withBody(paidBody() + " ")});
    row("adds a script", {.bytes = withBody(paidBody() + "<script>")});
    row("cuts the body and its length", {.bytes = withBody(paidBody().chopped(1))});
    row("drops the digest", {.bytes = changed("Content-Digest", "X-Digest")});
    row("makes its own digest",
        {.bytes = changed("Content-Digest: ", "Content-Digest: md5=:AAAAAAAAAAAAAAAAAAAAAA==:\r\nX: ")});
    row("drops the length", {.bytes = changed(lengthField(), "X: y"), .ending = Ending::Close});
    row("tells another length", {.bytes = changed(lengthField(), lengthField() + "0"), .ending = Ending::Close});
    row("tells a negative length", {.bytes = changed(lengthField(), "Content-Length: -1"), .ending = Ending::Close});
    row("tells two lengths", {.bytes = changed(lengthField(), lengthField() + "\r\nContent-Length: 1")});
    row("makes chunks of it", {.bytes = chunkedHead() + chunked(paidBody())});
    row("cuts the chunks", {.bytes = chunkedHead() + chunked(paidBody()).chopped(7), .ending = Ending::Close});
    row("cuts before the last chunk", {.bytes = chunkedHead() + chunked(paidBody()).chopped(5), .ending = Ending::Close});
    row("speaks HTTP/1.0 and closes",
        {.bytes = changed(lengthField(), "X: y").replace("HTTP/1.1", "HTTP/1.0"), .ending = Ending::Close});
    row("answers for another action",
        {.bytes = wholeAnswer(200, paidBody().replace("2c4d5e", "2c4d5f"))}); // a cache that ignores the query
    row("puts a guard before the JSON", {.bytes = wholeAnswer(200, "while(1);" + paidBody())});
    row("puts a byte order mark before the JSON", {.bytes = wholeAnswer(200, "\xef\xbb\xbf" + paidBody())});
}

void addGateways()
{
    for (const int status : {200, 201, 202, 204, 402, 403, 404, 407, 409, 410, 429, 500, 502, 503, 504, 511, 520}) {
        row(qPrintable(QStringLiteral("HTML with %1").arg(status)), {.bytes = html(status)});
        row(qPrintable(QStringLiteral("empty %1").arg(status)), {.bytes = empty(status)});
    }
    row("empty 502 and closes", {.bytes = "HTTP/1.1 502 Bad Gateway\r\n\r\n", .ending = Ending::Close});
    row("502 that is cut", {.bytes = html(502).chopped(9), .ending = Ending::Close});
    for (const char* scheme : {"Basic realm=\"x\"", "Digest realm=\"x\", nonce=\"y\"", "NTLM", "Negotiate", "Unheard"}) {
        const QByteArray challenge = QByteArray("Authenticate: ") + scheme + "\r\n";
        row(qPrintable(QStringLiteral("401 %1").arg(QLatin1String(scheme))), {.bytes = html(401, "WWW-" + challenge)});
        row(qPrintable(QStringLiteral("407 %1").arg(QLatin1String(scheme))), {.bytes = html(407, "Proxy-" + challenge)});
    }
}

/// `login` is where a captive portal sends everybody.
void addRedirects(const QByteArray& login)
{
    for (const int status : {300, 301, 302, 303, 304, 305, 307, 308}) {
        const QByteArray far = "Location: " + login + "\r\n";
        row(qPrintable(QStringLiteral("%1 to the login page").arg(status)), {.bytes = html(status, far)});
        row(qPrintable(QStringLiteral("%1 to the same host").arg(status)), {.bytes = html(status, "Location: /login\r\n")});
        row(qPrintable(QStringLiteral("%1 with a paid body").arg(status)), {.bytes = wholeAnswer(status, paidBody(), far)});
    }
    row("redirect to itself", {.bytes = html(307, "Location: /v1/payments\r\n")});
    row("redirect without a place", {.bytes = html(302)});
    row("refresh", {.bytes = html(200, "Refresh: 0; url=" + login + "\r\n")});
}

void addOddHeads()
{
    const QByteArray paid = wholeAnswer(200, paidBody());
    row("100 first", {.bytes = "HTTP/1.1 100 Continue\r\n\r\n" + paid}, OutcomeKind::Final);
    row("100 twice", {.bytes = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n" + paid}, OutcomeKind::Final);
    row("101", {.bytes = "HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n", .ending = Ending::Close});
    row("100 and no more", {.bytes = "HTTP/1.1 100 Continue\r\n\r\n", .ending = Ending::Close});
    // Qt 6.4 passes over 100 alone and takes these for the last word; then the shop is asked.
    row("102 first", {.bytes = "HTTP/1.1 102 Processing\r\n\r\n" + paid});
    row("103 first", {.bytes = "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + paid});
    row("103 and no more", {.bytes = "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n", .ending = Ending::Close});
    row("HTTP/1.0 with a length", {.bytes = QByteArray(paid).replace("HTTP/1.1", "HTTP/1.0"), .ending = Ending::Close},
        OutcomeKind::Final);
    for (const char* status : {"99", "000", "600", "999", "2000", "20", "-200", "2 00", "abc"}) {
        row(qPrintable(QStringLiteral("status %1").arg(QLatin1String(status))),
            {.bytes = changed(" 200 ", QByteArray(" ") + status + " "), .ending = Ending::Close});
    }
    row("HTTP/3.7", {.bytes = changed("HTTP/1.1", "HTTP/3.7"), .ending = Ending::Close}, OutcomeKind::Final);
    row("ICY", {.bytes = changed("HTTP/1.1", "ICY"), .ending = Ending::Close});
    row("no head", {.bytes = paidBody(), .ending = Ending::Close});
    row("no words after the status", {.bytes = changed(" Some Words", "")}, OutcomeKind::Final);
}

void addEndings()
{
    row("FIN after the request", {.bytes = {}, .ending = Ending::Close});
    row("FIN of one side after the request", {.bytes = {}, .ending = Ending::HalfClose});
    row("RST after the request", {.bytes = {}, .ending = Ending::Reset});
    row("FIN after the head", {.bytes = {}, .ending = Ending::Close, .moment = Moment::AfterHead});
    row("RST after the head", {.bytes = {}, .ending = Ending::Reset, .moment = Moment::AfterHead});
    row("answer, then FIN of one side", {.bytes = wholeAnswer(200, paidBody()), .ending = Ending::HalfClose},
        OutcomeKind::Final);
    row("half an answer, then FIN", {.bytes = wholeAnswer(200, paidBody()).chopped(20), .ending = Ending::Close});
    row("half an answer, then RST", {.bytes = wholeAnswer(200, paidBody()).chopped(20), .ending = Ending::Reset});
    row("half a head, then RST", {.bytes = "HTTP/1.1 200 O", .ending = Ending::Reset});
}

bool isOurs(const Arrival& arrival)
{
    return arrival.head.startsWith("POST /v1/payments HTTP/1.1\r\n") || arrival.head.startsWith("GET /v1/actions/0198c0de-");
}

} // namespace

class BadNetworksTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void post_isOneAndBelievesTheShopOnly_data() { addRows(); }
    void post_isOneAndBelievesTheShopOnly();
    void probe_believesTheShopOnly_data() { addRows(); }
    void probe_believesTheShopOnly();

private:
    void addRows();

    RawServer m_portal; ///< where redirects lead; nobody may come
    std::unique_ptr<RawServer> m_server;
    std::unique_ptr<transport::HttpTransport> m_transport;
};

void BadNetworksTest::init()
{
    failOnWarnings();
    m_server = std::make_unique<RawServer>();
    m_transport = std::make_unique<transport::HttpTransport>(
        transport::ShopAddress{.base = m_server->url(), .token = "secret", .tls = {}}, retry::Numbers{});
}

void BadNetworksTest::cleanup()
{
    QCOMPARE(m_portal.arrivals().size(), 0);
    QVERIFY(std::all_of(m_server->arrivals().begin(), m_server->arrivals().end(), isOurs));
}

void BadNetworksTest::addRows()
{
    addColumns();
    addRewritingProxies();
    addGateways();
    addRedirects(m_portal.url().toEncoded() + "/login");
    addOddHeads();
    addEndings();
}

void BadNetworksTest::post_isOneAndBelievesTheShopOnly()
{
    QFETCH(const Reaction, reaction);
    QFETCH(const OutcomeKind, kind);
    m_server->setReaction(reaction);

    const auto result = postOnce(*m_transport);

    QVERIFY(result);
    QVERIFY(result->bytesTaken > 0);
    QCOMPARE(classifyPost(*result, anId(), anAmount()).kind, kind);
    // All that was sent has arrived once a later request has been answered.
    m_server->setReaction({.bytes = wholeAnswer(200, paidBody())});
    QVERIFY(probeOnce(*m_transport)->complete);
    QCOMPARE(m_server->posts(), 1);
    QCOMPARE(m_server->arrivals().size(), 2);
    QCOMPARE(m_server->arrivals().front().body.toStdString(),
             reaction.moment == Moment::AfterHead ? std::string() : aPost().body);
}

void BadNetworksTest::probe_believesTheShopOnly()
{
    QFETCH(const Reaction, reaction);
    QFETCH(const OutcomeKind, kind);
    m_server->setReaction(reaction);

    const auto result = probeOnce(*m_transport);

    QVERIFY(result);
    QCOMPARE(classifyProbe(*result, anId(), anAmount()).kind, kind);
    QCOMPARE(m_server->posts(), 0);
}

QTEST_GUILESS_MAIN(BadNetworksTest)
#include "tst_bad_networks.moc"
