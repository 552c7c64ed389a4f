// An exchange without a socket: says what was done to it.
#pragma once

#include "http/exchange.h"

#include <utility>
#include <vector>

namespace payonce::tests {

class FakeExchange final : public http::Exchange
{
public:
    explicit FakeExchange(http::Request request = {}) : m_request(std::move(request)) {}

    [[nodiscard]] const http::Request& request() const override { return m_request; }
    [[nodiscard]] bool isOpen() const override { return m_isOpen; }
    void answer(const http::Response& response, const std::optional<http::ByteFault>& fault) override
    {
        if (!std::exchange(m_isOpen, false))
            return;
        did.append("answer " + QByteArray::number(response.status) + ' ' + response.body);
        faults.push_back(fault);
        answers.push_back(response);
    }
    void end(http::End end) override
    {
        m_isOpen = false;
        did.append(end == http::End::Fin ? "fin" : "rst");
    }
    void silence() override
    {
        if (std::exchange(m_isOpen, false))
            did.append("silence");
    }
    void halfClose() override
    {
        m_isOpen = false;
        did.append("halfclose");
    }
    void sendRaw(const QByteArray& bytes) override
    {
        m_isOpen = false;
        did.append("raw " + QByteArray::number(bytes.size()));
    }
    void resume() override { did.append("resume"); }
    /// The client leaves.
    void leave() { m_isOpen = false; }

    QByteArrayList did;
    std::vector<std::optional<http::ByteFault>> faults;
    std::vector<http::Response> answers;

private:
    http::Request m_request;
    bool m_isOpen = true;
};

} // namespace payonce::tests
