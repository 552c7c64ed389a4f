// Watches every request to its end: one line for the log and one observation for the metrics.
#pragma once

#include "http/connection_host.h"
#include "http/exchange.h"
#include "shop/metrics.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace payonce::shop {

/// How the answer left, if it did.
enum class Leaving {
    Whole,
    Cut,    ///< a fault was planned into its bytes
    Left,   ///< the client was gone before it
    Closed, ///< the connection was ended without one
    Silent, ///< the connection stays open without one
};

/// What a line of the log says. Names, numbers and IDs only: never a path, a header as sent, a body, a card or a token.
struct RequestEnd
{
    std::string_view operation; ///< `pay`, `status`, …; `none` where no endpoint was reached
    std::string actionId{};     ///< empty: the request names none that is well-formed
    std::string attempt{};      ///< the number in `Action-Attempt`, or empty
    std::string code{};         ///< of a problem
    int status = 0;             ///< 0: no answer
    Leaving leaving = Leaving::Whole;
    std::optional<std::chrono::microseconds> took{}; ///< none: refused before it was complete
    quint64 connection = 0;
    quint64 request = 0;
    bool isReplay = false;
};
/// Empty: nothing is logged.
using RequestLog = std::function<void(const RequestEnd&)>;

/// `pay`, `status`, `healthz`, …; `none` for no endpoint. One name an endpoint.
[[nodiscard]] std::string_view nameOf(std::optional<Endpoint> endpoint);
[[nodiscard]] std::string_view nameOf(Leaving leaving);

class RequestWatch : public std::enable_shared_from_this<RequestWatch>
{
public:
    /// `metrics` outlives it.
    RequestWatch(Metrics& metrics, RequestLog log) : m_metrics(metrics), m_log(std::move(log)) {}

    /// An exchange that passes everything on, and tells its end once; to nobody where this object has ended before.
    [[nodiscard]] std::shared_ptr<http::Exchange> watched(std::shared_ptr<http::Exchange> exchange,
                                                          std::optional<Endpoint> endpoint) const;
    /// A request that the listener refused by itself.
    void refused(const http::Request& head, const http::Response& response) const;
    /// `response`: none if there was no answer.
    void ended(const http::Request& request, const RequestFacts& facts, Leaving leaving, const http::Response* response) const;

private:
    Metrics& m_metrics;
    RequestLog m_log;
};

} // namespace payonce::shop
