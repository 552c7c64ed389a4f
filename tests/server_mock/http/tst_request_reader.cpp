// What a request may look like, and what is refused with which problem.
#include "http/request_reader.h"

#include <QtTest/QTest>

using payonce::http::Limits;
using payonce::http::RequestReader;
using payonce::idempotency::ProblemCode;
using State = payonce::http::RequestReader::State;

Q_DECLARE_METATYPE(payonce::idempotency::ProblemCode)

namespace {

/// Gives the bytes in pieces of `size`, as a network may.
State feed(RequestReader& reader, const QByteArray& bytes, qsizetype size, QByteArray& rest)
{
    auto state = State::Head;
    for (qsizetype at = 0; at < bytes.size(); at += size) {
        rest += bytes.mid(at, size);
        if (state != State::Complete && state != State::Refused)
            state = reader.take(rest);
    }
    return state;
}

QByteArray withHost(const char* start, const char* lines = "", const char* body = "")
{
    return QByteArray(start) + "\r\nHost: shop\r\n" + lines + "\r\n" + body;
}

} // namespace

class TestRequestReader : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void brokenRequest_isRefusedWithItsProblem_data();
    void brokenRequest_isRefusedWithItsProblem();
    void refusedLength_stillNamesThePath_data();
    void refusedLength_stillNamesThePath();
    void wholeRequest_isReadTheSameInAnyPieces_data();
    void wholeRequest_isReadTheSameInAnyPieces();
    void headOfTheLargestSize_isRead();
    void headBeyondTheLargestSize_isRefused();
    void endlessHead_isRefusedAtTheBound();
    void refusedBody_stillKnowsTheHead();
    void bytesBehindTheRequest_areLeft();
    void repeatedHeader_hasValuesButNoSingleValue();
};

void TestRequestReader::brokenRequest_isRefusedWithItsProblem_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<ProblemCode>("problem");
    const auto row = [](const char* name, const QByteArray& bytes, ProblemCode problem = ProblemCode::BodyInvalid) {
        QTest::newRow(name) << bytes << problem;
    };
    row("no HTTP at all", "hello\r\n\r\n");
    row("TLS on a plain port", QByteArray::fromHex("16030100f8010000f40303"));
    row("HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    row("HTTP/1.2", withHost("GET / HTTP/1.2"));
    row("no version", withHost("GET /"));
    row("bare line feeds", "GET / HTTP/1.1\nHost: shop\n\n");
    row("bare carriage return", "GET / HTTP/1.1\rHost: shop\r\n\r\n");
    row("NUL in the path", QByteArrayLiteral("GET /a\0b HTTP/1.1\r\nHost: shop\r\n\r\n"));
    row("NUL in a value", QByteArrayLiteral("GET / HTTP/1.1\r\nHost: sh\0op\r\n\r\n"));
    row("DEL in a value", withHost("GET / HTTP/1.1", "A: \x7f\r\n"));
    row("folded line", withHost("GET / HTTP/1.1", "A: b\r\n c\r\n"));
    row("blank before the colon", withHost("GET / HTTP/1.1", "A : b\r\n"));
    row("line without colon", withHost("GET / HTTP/1.1", "Authorization\r\n"));
    row("empty header name", withHost("GET / HTTP/1.1", ": b\r\n"));
    row("no Host", "GET / HTTP/1.1\r\n\r\n");
    row("two Hosts", withHost("GET / HTTP/1.1", "Host: other\r\n"));
    row("target is no path", withHost("GET shop HTTP/1.1"));
    row("two blanks", withHost("GET  / HTTP/1.1"));
    row("length with plus", withHost("POST / HTTP/1.1", "Content-Length: +2\r\n", "{}"));
    row("length with minus", withHost("POST / HTTP/1.1", "Content-Length: -5\r\n"));
    row("length in words", withHost("POST / HTTP/1.1", "Content-Length: zzz\r\n"));
    row("length in hex", withHost("POST / HTTP/1.1", "Content-Length: 0x2\r\n", "{}"));
    row("empty length", withHost("POST / HTTP/1.1", "Content-Length:\r\n"));
    row("length as a list", withHost("POST / HTTP/1.1", "Content-Length: 2, 2\r\n", "{}"));
    row("the same length twice", withHost("POST / HTTP/1.1", "Content-Length: 2\r\nContent-Length: 2\r\n", "{}"));
    row("two lengths", withHost("POST / HTTP/1.1", "Content-Length: 2\r\ncontent-length: 3\r\n", "{}"));
    row("length and chunked", withHost("POST / HTTP/1.1", "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n", "{}"));
    row("chunked and length", withHost("POST / HTTP/1.1", "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n", "{}"));
    row("unknown expectation", withHost("POST / HTTP/1.1", "Content-Length: 2\r\nExpect: tea\r\n", "{}"));
    row("chunked", withHost("POST / HTTP/1.1", "Transfer-Encoding: chunked\r\n", "2\r\n{}\r\n0\r\n\r\n"),
        ProblemCode::NotImplemented);
    row("compressed", withHost("POST / HTTP/1.1", "Transfer-Encoding: gzip\r\n"), ProblemCode::NotImplemented);
    row("POST without length", withHost("POST / HTTP/1.1"), ProblemCode::LengthRequired);
    row("PUT without length", withHost("PUT / HTTP/1.1"), ProblemCode::LengthRequired);
    row("one byte too long", withHost("POST / HTTP/1.1", "Content-Length: 262145\r\n"), ProblemCode::BodyTooLarge);
    row("18 digits", withHost("POST / HTTP/1.1", "Content-Length: 999999999999999999\r\n"), ProblemCode::BodyTooLarge);
    row("length beyond 64 bits", withHost("POST / HTTP/1.1", "Content-Length: 99999999999999999999\r\n"));
}

void TestRequestReader::brokenRequest_isRefusedWithItsProblem()
{
    QFETCH(QByteArray, bytes);
    QFETCH(ProblemCode, problem);
    const Limits limits;
    for (const qsizetype pieces : {bytes.size(), qsizetype(1), qsizetype(7)}) {
        RequestReader reader(limits);
        QByteArray rest;
        QCOMPARE(feed(reader, bytes, pieces, rest), State::Refused);
        QCOMPARE(reader.refusal().code, problem);
        QVERIFY(reader.refusal().detail.endsWith('.'));
    }
}

void TestRequestReader::refusedLength_stillNamesThePath_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::newRow("no length") << QByteArray();
    QTest::newRow("too long") << QByteArray("Content-Length: 262145\r\n");
    QTest::newRow("beyond 64 bits") << QByteArray("Content-Length: 99999999999999999999\r\n");
    QTest::newRow("chunked") << QByteArray("Transfer-Encoding: chunked\r\n");
    QTest::newRow("an expectation nobody has") << QByteArray("Content-Length: 0\r\nExpect: tea\r\n");
}

void TestRequestReader::refusedLength_stillNamesThePath()
{
    QFETCH(QByteArray, line);
    const Limits limits;
    RequestReader reader(limits);
    QByteArray rest;
    QCOMPARE(feed(reader, withHost("POST /scenario?a=b HTTP/1.1", line.constData()), 1, rest), State::Refused);
    QCOMPARE(reader.request().path, QByteArray("/scenario"));
}

void TestRequestReader::wholeRequest_isReadTheSameInAnyPieces_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("method");
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<bool>("keepsConnection");
    const auto row = [](const char* name, const QByteArray& bytes, const char* method, const char* path, const char* body = "",
                        bool keepsConnection = true) {
        QTest::newRow(name) << bytes << QByteArray(method) << QByteArray(path) << QByteArray(body) << keepsConnection;
    };
    row("GET", withHost("GET /v1/policy HTTP/1.1"), "GET", "/v1/policy");
    row("query", withHost("GET /v1/a?b=c HTTP/1.1"), "GET", "/v1/a");
    row("POST", withHost("POST /v1/payments HTTP/1.1", "Content-Length: 2\r\n", "{}"), "POST", "/v1/payments", "{}");
    row("zero length", withHost("POST /a HTTP/1.1", "Content-Length: 0\r\n"), "POST", "/a");
    row("DELETE without length", withHost("DELETE /scenario HTTP/1.1"), "DELETE", "/scenario");
    row("HEAD is a GET", withHost("HEAD /a HTTP/1.1"), "GET", "/a");
    row("empty lines before it", "\r\n\r\n" + withHost("GET /a HTTP/1.1"), "GET", "/a");
    row("absolute form", withHost("GET http://shop:80/a?b HTTP/1.1"), "GET", "/a");
    row("absolute form without path", withHost("GET http://shop HTTP/1.1"), "GET", "/");
    row("no Host in 1.0", "GET /a HTTP/1.0\r\n\r\n", "GET", "/a", "", false);
    row("keep-alive in 1.0 is not kept", "GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "GET", "/a", "", false);
    row("close", withHost("GET /a HTTP/1.1", "Connection: TE, Close\r\n"), "GET", "/a", "", false);
    row("unknown method", withHost("BREW /a HTTP/1.1"), "BREW", "/a");
    row("bytes above 127 in a value", withHost("GET /a HTTP/1.1", "A: \xc3\xa9\r\n"), "GET", "/a");
}

void TestRequestReader::wholeRequest_isReadTheSameInAnyPieces()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, method);
    QFETCH(QByteArray, path);
    QFETCH(QByteArray, body);
    QFETCH(bool, keepsConnection);
    const Limits limits;
    for (const qsizetype pieces : {bytes.size(), qsizetype(1), qsizetype(7)}) {
        RequestReader reader(limits);
        QByteArray rest;
        QCOMPARE(feed(reader, bytes, pieces, rest), State::Complete);
        QCOMPARE(rest, QByteArray());
        QCOMPARE(reader.request().method, method);
        QCOMPARE(reader.request().path, path);
        QCOMPARE(reader.request().body, body);
        QCOMPARE(reader.request().keepsConnection, keepsConnection);
    }
}

void TestRequestReader::headOfTheLargestSize_isRead()
{
    const Limits limits;
    const auto empty = withHost("GET / HTTP/1.1", "A: \r\n");
    const auto bytes = QByteArray(empty).replace("A: ", "A: " + QByteArray(limits.head - empty.size(), 'x'));
    QCOMPARE(bytes.size(), limits.head);
    RequestReader reader(limits);
    QByteArray rest = bytes;
    QCOMPARE(reader.take(rest), State::Complete);
    QCOMPARE(reader.request().bytesIn, limits.head);
}

void TestRequestReader::headBeyondTheLargestSize_isRefused()
{
    const Limits limits;
    const auto empty = withHost("GET / HTTP/1.1", "A: \r\n");
    QByteArray bytes = QByteArray(empty).replace("A: ", "A: " + QByteArray(limits.head - empty.size() + 1, 'x'));
    RequestReader reader(limits);
    QCOMPARE(reader.take(bytes), State::Refused);
    QCOMPARE(reader.refusal().code, ProblemCode::HeaderTooLarge);
}

void TestRequestReader::endlessHead_isRefusedAtTheBound()
{
    const Limits limits;
    RequestReader reader(limits);
    QByteArray bytes = "GET / HTTP/1.1\r\nA: " + QByteArray(2 * limits.head, 'x');
    QCOMPARE(reader.take(bytes), State::Refused);
    QCOMPARE(reader.refusal().code, ProblemCode::HeaderTooLarge);
}

void TestRequestReader::refusedBody_stillKnowsTheHead()
{
    const Limits limits;
    RequestReader reader(limits);
    QByteArray bytes = withHost("POST /a HTTP/1.1", "Idempotency-Key: abc\r\nContent-Length: 999999\r\n");
    QCOMPARE(reader.take(bytes), State::Refused);
    QCOMPARE(reader.request().value("idempotency-key"), QByteArray("abc"));
}

void TestRequestReader::bytesBehindTheRequest_areLeft()
{
    const Limits limits;
    RequestReader reader(limits);
    QByteArray bytes = withHost("POST /a HTTP/1.1", "Content-Length: 2\r\n", "{}GET /b");
    QCOMPARE(reader.take(bytes), State::Complete);
    QCOMPARE(reader.request().body, QByteArray("{}"));
    QCOMPARE(bytes, QByteArray("GET /b"));
}

void TestRequestReader::repeatedHeader_hasValuesButNoSingleValue()
{
    const Limits limits;
    RequestReader reader(limits);
    QByteArray bytes = withHost("GET /a HTTP/1.1", "Key: 1\r\nkey: 2\r\nOther: 3\r\n");
    QCOMPARE(reader.take(bytes), State::Complete);
    const QList<QByteArray> both{"1", "2"};
    QCOMPARE(reader.request().values("KEY"), both);
    QCOMPARE(reader.request().value("key"), QByteArray());
    QCOMPARE(reader.request().value("other"), QByteArray("3"));
    QCOMPARE(reader.request().value("absent"), QByteArray());
}

QTEST_GUILESS_MAIN(TestRequestReader)
#include "tst_request_reader.moc"
