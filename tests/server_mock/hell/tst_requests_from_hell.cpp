// Requests from hell against a real payonce-server: each gets the answer of the contract, whole, on a connection that ends as
// it says; the bank's rows stand, and the next payment works.
#include "server_mock/hell/hell_request.h"
#include "server_mock/hell/hell_server.h"
#include "server_mock/http/raw_peer.h"

#include <QtCore/QCryptographicHash>
#include <QtCore/QRegularExpression>
#include <QtTest/QTest>

using payonce::support::HttpAnswer;
using payonce::support::takeAnswer;
using payonce::tests::Fate;
using payonce::tests::goodBody;
using payonce::tests::HellRequest;
using payonce::tests::HellServer;
using payonce::tests::keyLine;
using payonce::tests::payment;
using payonce::tests::RawPeer;
using Ending = payonce::tests::RawPeer::Ending;

namespace {

const QByteArray kHealth = "GET /healthz HTTP/1.1\r\nHost: shop\r\n\r\n";

QList<HttpAnswer> answersIn(QByteArray bytes)
{
    QList<HttpAnswer> answers;
    while (auto answer = takeAnswer(bytes))
        answers.append(*std::move(answer));
    return answers;
}

/// One length, one digest, and the digest is the body's (RFC 9530, computed here and not by the server's code).
bool isWhole(const HttpAnswer& answer)
{
    const auto digest = QCryptographicHash::hash(answer.body, QCryptographicHash::Sha256).toBase64();
    const auto lines = [&answer](const char* name) {
        return std::count_if(answer.headers.begin(), answer.headers.end(),
                             [name](const auto& line) { return qstricmp(line.first.constData(), name) == 0; });
    };
    return answer.header("Content-Digest") == "sha-256=:" + digest + ':' && lines("Content-Digest") == 1 &&
           lines("Content-Length") == 1 && lines("Date") == 1 && !answer.header("Content-Type").isEmpty();
}

/// The members of a problem (RFC 9457) agree with each other and with the answer.
bool isProblem(const HttpAnswer& answer, const QByteArray& code)
{
    const auto json = answer.json();
    return answer.header("Content-Type") == "application/problem+json" &&
           json.value(QStringLiteral("code")).toString().toLatin1() == code &&
           json.value(QStringLiteral("type")).toString().toLatin1() == "/problems/" + code &&
           json.value(QStringLiteral("status")).toInt() == answer.status &&
           !json.value(QStringLiteral("detail")).toString().isEmpty() && json.contains(QStringLiteral("retry"));
}

} // namespace

class TestRequestsFromHell : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void cleanupTestCase();

    void request_getsTheContractsAnswerAndNoMore_data();
    void request_getsTheContractsAnswerAndNoMore();
    void headOfAPayment_isNoPayment();
    void expectedBody_isAskedForThenPaidOnce();
    void expectedBodyThatIsRefused_isNotAskedFor();
    void slowlySentPayment_isOneCharge();

private:
    void sendAll(RawPeer& peer, const QByteArray& bytes);

    HellServer m_server;
};

void TestRequestsFromHell::initTestCase()
{
    QVERIFY2(m_server.start(), m_server.process().errorText().constData());
}

void TestRequestsFromHell::cleanupTestCase()
{
    const auto pid = m_server.process().pid();
    QVERIFY(m_server.process().isRunning() && pid > 0);
    m_server.process().stop();
    QCOMPARE(m_server.process().exitCode(), 0);
    QCOMPARE(m_server.process().errorText(), QByteArray());
}

/// Until the server has taken it all or has reset the connection.
void TestRequestsFromHell::sendAll(RawPeer& peer, const QByteArray& bytes)
{
    qsizetype sent = 0;
    const auto sendOn = [&] {
        sent += peer.send(bytes.sliced(sent));
        return sent == bytes.size() || peer.ending() == Ending::Reset;
    };
    QTRY_VERIFY(sendOn());
}

void TestRequestsFromHell::request_getsTheContractsAnswerAndNoMore_data()
{
    QTest::addColumn<HellRequest>("request");
    const auto& sender = m_server.sender();
    for (const auto& [kind, requests] :
         {std::pair("framing", badFraming(sender)), std::pair("target", badTargets(sender)),
          std::pair("odd", oddButGood(sender)), std::pair("key", badKeys(sender)), std::pair("body", badBodies(sender))})
        for (const auto& request : requests)
            QTest::addRow("%s: %s", kind, request.name) << request;
}

void TestRequestsFromHell::request_getsTheContractsAnswerAndNoMore()
{
    QFETCH(HellRequest, request);
    const int before = m_server.charges();
    QVERIFY(before >= 0);

    RawPeer peer(m_server.port());
    sendAll(peer, request.bytes);
    QTRY_COMPARE(answersIn(peer.received()).size(), request.answers);

    for (const auto& answer : answersIn(peer.received())) {
        QVERIFY2(answer.status == request.status, answer.body.constData());
        QVERIFY(isWhole(answer));
        QVERIFY2(request.code.isEmpty() || isProblem(answer, request.code), answer.body.constData());
    }
    switch (request.fate) {
    case Fate::Closed:
        QTRY_COMPARE(peer.ending(), Ending::Fin);
        QCOMPARE(answersIn(peer.received()).size(), request.answers);
        break;
    case Fate::Kept: // and both sides agree where the next request begins
        peer.send(kHealth);
        QTRY_COMPARE(answersIn(peer.received()).size(), request.answers + 1);
        QCOMPARE(answersIn(peer.received()).last().status, 200);
        break;
    }
    QCOMPARE(m_server.charges(), before + request.charges);
    QCOMPARE(m_server.payOnce(), 201);
    QCOMPARE(m_server.charges(), before + request.charges + 1);
}

void TestRequestsFromHell::headOfAPayment_isNoPayment()
{
    const int before = m_server.charges();
    RawPeer peer(m_server.port());
    auto bytes = payment(m_server.sender(), keyLine(), goodBody(m_server.sender()));
    peer.send(bytes.replace("POST ", "HEAD "));
    QTRY_VERIFY(peer.received().endsWith("\r\n\r\n"));
    QVERIFY(peer.received().startsWith("HTTP/1.1 405 "));
    QCOMPARE(m_server.charges(), before);
}

void TestRequestsFromHell::expectedBody_isAskedForThenPaidOnce()
{
    const int before = m_server.charges();
    const auto body = goodBody(m_server.sender());
    const auto bytes = payment(m_server.sender(), keyLine() + "Expect: 100-continue\r\n", body);
    RawPeer peer(m_server.port());
    peer.send(bytes.chopped(body.size()));
    QTRY_COMPARE(peer.received(), QByteArray("HTTP/1.1 100 Continue\r\n\r\n"));
    peer.send(body);
    QTRY_VERIFY(peer.received().contains("HTTP/1.1 201 "));
    QCOMPARE(m_server.charges(), before + 1);
}

void TestRequestsFromHell::expectedBodyThatIsRefused_isNotAskedFor()
{
    const auto head = payment(m_server.sender(), keyLine() + "Expect: 100-continue\r\n", {});
    RawPeer peer(m_server.port());
    peer.send(QByteArray(head).replace("Content-Length: 0", "Content-Length: 300000"));
    QTRY_COMPARE(peer.ending(), Ending::Fin);
    QVERIFY(peer.received().startsWith("HTTP/1.1 413 "));
    QVERIFY(!peer.received().contains("100 Continue"));
}

void TestRequestsFromHell::slowlySentPayment_isOneCharge()
{
    // Given a network that carries one byte at a time
    const int before = m_server.charges();
    const auto bytes = payment(m_server.sender(), keyLine(), goodBody(m_server.sender()));
    RawPeer peer(m_server.port());
    for (const char byte : bytes)
        QCOMPARE(peer.send(QByteArray(1, byte)), 1);
    QTRY_VERIFY(peer.received().startsWith("HTTP/1.1 201 "));
    QCOMPARE(m_server.charges(), before + 1);
}

QTEST_GUILESS_MAIN(TestRequestsFromHell)
#include "tst_requests_from_hell.moc"
