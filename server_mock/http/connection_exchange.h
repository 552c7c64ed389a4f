// The exchange of a request that came over a Connection.
#pragma once

#include "http/exchange.h"

#include <QtCore/QPointer>

namespace payonce::http {

class Connection;

class ConnectionExchange final : public Exchange
{
public:
    ConnectionExchange(Connection& connection, Request&& request);
    ConnectionExchange(const ConnectionExchange&) = delete;
    ConnectionExchange& operator=(const ConnectionExchange&) = delete;
    ConnectionExchange(ConnectionExchange&&) = delete;
    ConnectionExchange& operator=(ConnectionExchange&&) = delete;
    ~ConnectionExchange() override;

    [[nodiscard]] const Request& request() const override { return m_request; }
    [[nodiscard]] bool isOpen() const override;
    void answer(const Response& response, const std::optional<ByteFault>& fault) override;
    void end(End end) override;
    void silence() override;
    void halfClose() override;
    void sendRaw(const QByteArray& bytes) override;
    void resume() override;

private:
    QPointer<Connection> m_connection;
    const Request m_request;
};

} // namespace payonce::http
