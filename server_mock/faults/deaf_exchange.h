// The exchange of a request that nobody waits for: the copy of one that came over a connection.
#pragma once

#include "http/exchange.h"

#include <utility>

namespace payonce::faults {

/// Open until it is answered or ended; the answer goes nowhere.
class DeafExchange final : public http::Exchange
{
public:
    explicit DeafExchange(http::Request request) : m_request(std::move(request)) {}

    [[nodiscard]] const http::Request& request() const override { return m_request; }
    [[nodiscard]] bool isOpen() const override { return m_isOpen; }
    void answer(const http::Response& /*response*/, const std::optional<http::ByteFault>& /*fault*/) override
    {
        m_isOpen = false;
    }
    void end(http::End /*end*/) override { m_isOpen = false; }
    void silence() override { m_isOpen = false; }
    void halfClose() override { m_isOpen = false; }
    void sendRaw(const QByteArray& /*bytes*/) override { m_isOpen = false; }
    void resume() override {}

private:
    const http::Request m_request;
    bool m_isOpen = true;
};

} // namespace payonce::faults
