#include "support/http_call.h"

#include <QtCore/QJsonDocument>
#include <QtNetwork/QHostAddress>
#include <QtTest/QTest>

namespace payonce::support {

std::optional<HttpAnswer> takeAnswer(QByteArray& bytes)
{
    const qsizetype headEnd = bytes.indexOf("\r\n\r\n");
    if (headEnd < 0)
        return {};
    const QList<QByteArray> lines = bytes.left(headEnd).split('\n');
    const QList<QByteArray> statusLine = lines.first().split(' ');
    if (statusLine.size() < 2)
        return {};
    HttpAnswer answer;
    answer.status = statusLine.at(1).toInt();
    for (qsizetype i = 1; i < lines.size(); ++i) {
        const qsizetype colon = lines.at(i).indexOf(':');
        answer.headers.append({lines.at(i).left(colon), lines.at(i).mid(colon + 1).trimmed()});
    }
    answer.body = bytes.mid(headEnd + 4);
    constexpr int kNoContent = 204; // has no length, for it has no body
    bool hasLength = false;
    const auto stated = answer.header("Content-Length").toLongLong(&hasLength);
    const auto length = answer.status == kNoContent ? 0 : stated;
    hasLength = hasLength || answer.status == kNoContent;
    if (!hasLength || answer.body.size() < length)
        return {};
    answer.body.truncate(length);
    bytes.remove(0, headEnd + 4 + length);
    return answer;
}

namespace {

std::optional<HttpAnswer> parseAnswer(QByteArray bytes)
{
    return takeAnswer(bytes);
}

} // namespace

QByteArray HttpAnswer::header(QByteArrayView name) const
{
    for (const auto& [key, value] : headers)
        if (key.compare(name, Qt::CaseInsensitive) == 0)
            return value;
    return {};
}

QJsonObject HttpAnswer::json() const
{
    return QJsonDocument::fromJson(body).object();
}

QString text(const HttpAnswer& answer, const char* member)
{
    return answer.json().value(QLatin1String(member)).toString();
}

HttpCall::HttpCall(quint16 port, QByteArray request, QObject* parent) : QObject(parent), m_request(std::move(request))
{
    connect(&m_socket, &QTcpSocket::connected, this, [this] { m_socket.write(m_request); });
    connect(&m_socket, &QTcpSocket::readyRead, this, &HttpCall::read);
    connect(&m_socket, &QTcpSocket::disconnected, this, &HttpCall::finish);
    connect(&m_socket, &QTcpSocket::errorOccurred, this, &HttpCall::finish);
    m_socket.connectToHost(QHostAddress(QHostAddress::LocalHost), port);
}

void HttpCall::read()
{
    m_received += m_socket.readAll();
    if (parseAnswer(m_received))
        finish();
}

void HttpCall::finish()
{
    if (m_finished)
        return;
    if (m_socket.isOpen())
        m_received += m_socket.readAll();
    m_answer = parseAnswer(m_received);
    m_finished = true;
    m_socket.abort();
    Q_EMIT finished();
}

QByteArray httpRequest(const QByteArray& method, const QByteArray& path,
                       const QList<std::pair<QByteArray, QByteArray>>& headers, const QByteArray& body)
{
    QByteArray bytes = method + ' ' + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n";
    for (const auto& [name, value] : headers)
        bytes += name + ": " + value + "\r\n";
    if (!body.isEmpty() || method == "POST" || method == "PUT")
        bytes += "Content-Length: " + QByteArray::number(body.size()) + "\r\n";
    return bytes + "\r\n" + body;
}

std::optional<HttpAnswer> endOf(const HttpCall& call)
{
    const std::chrono::milliseconds patience = kAnswerPatience;
    if (!QTest::qWaitFor([&call] { return call.isFinished(); }, static_cast<int>(patience.count())))
        qFatal("neither an answer nor an end, but %s", call.received().constData());
    return call.answer();
}

HttpAnswer answerOf(const HttpCall& call)
{
    auto answer = endOf(call);
    if (!answer)
        qFatal("no answer, but %s", call.received().constData());
    return *std::move(answer);
}

std::optional<HttpAnswer> ask(quint16 port, const QByteArray& request)
{
    return endOf(HttpCall(port, request));
}

} // namespace payonce::support
