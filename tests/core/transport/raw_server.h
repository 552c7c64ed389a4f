// RawServer: a byte-level HTTP server for tests of the wire. It reads requests by hand, counts what really arrives, and
// ends connections in every bad way there is.
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QList>
#include <QtCore/QUrl>
#include <QtNetwork/QSslConfiguration>
#include <QtNetwork/QTcpServer>

#include <optional>

namespace payonce::wiretest {

enum class Ending { KeepOpen, Close, Reset, HalfClose };
enum class Moment { AfterHead, AfterBody };

/// What the server does with every request from now on.
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

/// A certificate for 127.0.0.1 that signs itself, and its key.
struct Identity
{
    QByteArray certificate;
    QByteArray key;
};

/// Made with the openssl program in a temporary directory. Empty if that failed.
[[nodiscard]] std::optional<Identity> makeIdentity();

/// A whole answer: Content-Length, Content-Digest, Date, and `extra` fields (each ended by CRLF).
[[nodiscard]] QByteArray wholeAnswer(int status, const QByteArray& body, const QByteArray& extra = {});

class RawServer : public QTcpServer
{
    Q_OBJECT

public:
    /// Listens on a port of 127.0.0.1 that the system chose; with an identity it speaks TLS.
    explicit RawServer(std::optional<Identity> identity = std::nullopt);
    ~RawServer() override;

    void setReaction(const Reaction& reaction) { m_reaction = reaction; }
    [[nodiscard]] QUrl url() const;
    /// Requests whose head arrived, over all connections, in order.
    [[nodiscard]] const QList<Arrival>& arrivals() const { return m_arrivals; }
    [[nodiscard]] int posts() const;

protected:
    void incomingConnection(qintptr descriptor) override;

private:
    class Connection;

    void react(QTcpSocket& socket);

    std::optional<Identity> m_identity;
    Reaction m_reaction;
    QList<Arrival> m_arrivals;
    int m_connections = 0;
};

} // namespace payonce::wiretest
