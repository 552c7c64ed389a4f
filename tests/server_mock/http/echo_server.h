// A listener on a free port that answers with the path asked for.
#pragma once

#include "http/listener.h"

#include <memory>
#include <vector>

namespace payonce::tests {

inline QByteArray get(const QByteArray& path, const QByteArray& lines = {})
{
    return "GET " + path + " HTTP/1.1\r\nHost: shop\r\n" + lines + "\r\n";
}

inline http::Response saying(const QByteArray& body)
{
    http::Response response;
    response.body = body;
    return response;
}

/// Answers with the path asked for, or keeps the exchanges of paths that start with /hold.
class Echo
{
public:
    void operator()(const std::shared_ptr<http::Exchange>& exchange)
    {
        ++count;
        if (exchange->request().path.startsWith("/hold"))
            held.push_back(exchange);
        else
            exchange->answer(saying(exchange->request().path));
    }

    std::vector<std::shared_ptr<http::Exchange>> held;
    int count = 0;
};

struct EchoServer
{
    explicit EchoServer(const http::Limits& limits = {}) : listener([this](const auto& exchange) { echo(exchange); }, limits)
    {
        isListening = listener.listen(0).has_value();
    }

    Echo echo;
    http::Listener listener;
    bool isListening = false;
};

} // namespace payonce::tests
