// LoadClient: one customer who pays again and again, and repeats each payment under its key until it has a final answer.
#pragma once

#include "support/http_call.h"
#include "values/uuid.h"

#include <QtCore/QMap>
#include <QtCore/QObject>
#include <QtCore/QTimer>

#include <functional>
#include <memory>
#include <optional>
#include <random>

namespace payonce::tests {

/// A server that listens now.
struct ServerAddress
{
    quint16 port = 0;
    QByteArray token;
};

/// The bytes of a payment of 42.00 EUR for a cart of the caller's own.
[[nodiscard]] QByteArray paymentOf(const ServerAddress& server, const values::ActionId& action, const QByteArray& method,
                                   int waitSeconds = 0);
/// A key of this moment.
[[nodiscard]] values::ActionId newAction(std::mt19937& random);

class LoadClient : public QObject
{
    Q_OBJECT

public:
    /// Empty: none listens now.
    using Choose = std::function<std::optional<ServerAddress>()>;

    LoadClient(Choose choose, QByteArray method, unsigned seed);

    void start();
    /// The payment under way is the last one.
    void finish() { m_isFinishing = true; }
    [[nodiscard]] bool isDone() const { return m_isDone; }

    /// The final status of every payment, by its action ID.
    [[nodiscard]] const QMap<QString, int>& ended() const { return m_ended; }
    [[nodiscard]] int repeats() const { return m_repeats; }
    /// What no payment may be answered with; empty if all is well.
    [[nodiscard]] QByteArray surprise() const { return m_surprise; }

private:
    void pay();
    void send();
    void heard();
    void leave();
    void later(void (LoadClient::*step)());

    Choose m_choose;
    QByteArray m_method;
    std::mt19937 m_random;
    std::optional<values::ActionId> m_action;
    std::unique_ptr<support::HttpCall> m_call;
    QMap<QString, int> m_ended;
    QByteArray m_surprise;
    int m_repeats = 0;
    bool m_isFinishing = false;
    bool m_isDone = false;
};

} // namespace payonce::tests
