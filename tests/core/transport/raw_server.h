// RawServer: a byte-level HTTP server for tests of the wire. It reads requests by hand, counts what really arrives, and
// ends connections in every bad way there is.
#pragma once

#include "core/transport/test_authority.h"

#include <QtCore/QByteArray>
#include <QtCore/QList>
#include <QtCore/QUrl>
#include <QtNetwork/QTcpServer>

#include <functional>
#include <optional>

namespace payonce::wiretest {

enum class Ending { KeepOpen, Close, Reset, HalfClose };
enum class Moment { AfterHead, AfterBody };

/// What the server does with a request.
struct Reaction
{
    QByteArray bytes{};
    Ending ending = Ending::KeepOpen;
    Moment moment = Moment::AfterBody;
};

struct Arrival
{
    int connection = 0; ///< counted from 1 by the server
    QByteArray head;
    QByteArray body;

    /// The field's value; null if it is not there.
    [[nodiscard]] QByteArray field(const QByteArray& name) const;
};

/// A whole answer: Content-Length, Content-Digest, Date, and `extra` fields (each ended by CRLF).
[[nodiscard]] QByteArray wholeAnswer(int status, const QByteArray& body, const QByteArray& extra = {});

/// Every warning fails the test that runs, but one that Qt gives by chance where a cut connection or an abort meets an error
/// that is on its way from its HTTP thread: the same end told twice. It changes nothing.
void failOnWarnings();

class RawServer : public QTcpServer
{
    Q_OBJECT

public:
    /// Listens on a port of 127.0.0.1 that the system chose; with an identity it speaks TLS.
    explicit RawServer(std::optional<Identity> identity = std::nullopt);
    ~RawServer() override;

    /// Chooses when the head of a request is there; its body is not, yet.
    using Rule = std::function<Reaction(const Arrival&)>;

    /// For every request from now on.
    void setReaction(const Reaction& reaction);
    void setRule(Rule rule) { m_rule = std::move(rule); }
    [[nodiscard]] QUrl url() const;
    /// Requests whose head arrived, over all connections, in order.
    [[nodiscard]] const QList<Arrival>& arrivals() const { return m_arrivals; }
    [[nodiscard]] int posts() const;

protected:
    void incomingConnection(qintptr descriptor) override;

private:
    class Connection;

    static void react(QTcpSocket& socket, const Reaction& reaction);

    std::optional<Identity> m_identity;
    Rule m_rule;
    QList<Arrival> m_arrivals;
    int m_connections = 0;
};

} // namespace payonce::wiretest
