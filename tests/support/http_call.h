// One HTTP request of a test, byte by byte on its own socket, so that nothing is re-sent, followed or decoded behind its back.
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QJsonObject>
#include <QtCore/QList>
#include <QtCore/QObject>
#include <QtCore/QString>
#include <QtNetwork/QTcpSocket>

#include <chrono>
#include <optional>
#include <utility>

namespace payonce::support {

struct HttpAnswer
{
    int status = 0;
    QList<std::pair<QByteArray, QByteArray>> headers;
    QByteArray body;

    /// The first line of one header, names compared without case; empty if there is none.
    [[nodiscard]] QByteArray header(QByteArrayView name) const;
    /// Empty unless the body is a JSON object.
    [[nodiscard]] QJsonObject json() const;
};

/// Takes the first whole answer from the front of `bytes`; empty, and nothing taken, while it has not come whole.
[[nodiscard]] std::optional<HttpAnswer> takeAnswer(QByteArray& bytes);

/// A text member of the answer's JSON; empty if there is none.
[[nodiscard]] QString text(const HttpAnswer& answer, const char* member);

class HttpCall : public QObject
{
    Q_OBJECT

public:
    /// Connects to 127.0.0.1:`port`, writes `request` and reads until a whole answer is there or the connection ends.
    HttpCall(quint16 port, QByteArray request, QObject* parent = nullptr);

    [[nodiscard]] bool isFinished() const { return m_finished; }
    /// Empty: the connection ended before a whole answer had come.
    [[nodiscard]] const std::optional<HttpAnswer>& answer() const { return m_answer; }
    /// Every byte that came.
    [[nodiscard]] const QByteArray& received() const { return m_received; }
    /// Leaves without waiting for an answer.
    void leave() { m_socket.abort(); }

Q_SIGNALS:
    void finished();

private:
    void read();
    void finish();

    QByteArray m_request;
    QByteArray m_received;
    std::optional<HttpAnswer> m_answer;
    bool m_finished = false;
    QTcpSocket m_socket;
};

/// The bytes of one request with Content-Length and Host, for a connection that closes after the answer.
[[nodiscard]] QByteArray httpRequest(const QByteArray& method, const QByteArray& path,
                                     const QList<std::pair<QByteArray, QByteArray>>& headers = {}, const QByteArray& body = {});

/// Long enough for a loaded machine; who waits so long for an answer has failed.
inline constexpr std::chrono::seconds kAnswerPatience{60};

/// Waits until the call has ended. One that does not ends the test program: no answer is something else than one that is still
/// to come. Empty: the connection ended without a whole answer.
[[nodiscard]] std::optional<HttpAnswer> endOf(const HttpCall& call);
/// The same where there must be an answer.
[[nodiscard]] HttpAnswer answerOf(const HttpCall& call);
/// endOf() a call of its own.
[[nodiscard]] std::optional<HttpAnswer> ask(quint16 port, const QByteArray& request);

} // namespace payonce::support
