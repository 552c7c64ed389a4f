// HttpTransport: the wire of the client over QtNetwork (docs/client.md, invariants 3 to 5).
#pragma once

#include "transport/request_factory.h"
#include "transport/wire_call.h"

#include <QtNetwork/QNetworkAccessManager>

#include <functional>
#include <memory>

namespace payonce::transport {

/// Two managers: a probe on a connection that hangs would hang with it. No own limit on a POST or probe but the one on
/// connecting; the machine's timers abort them. Lives on one thread with an event loop.
/// Destroying it ends all calls without an answer.
class HttpTransport : public retry::Transport
{
public:
    /// Runs once the last byte of a POST is with the system: the request will reach the shop even if this process ends.
    using BodyLeft = std::function<void(const values::ActionId&)>;

    HttpTransport(const ShopAddress& address, const retry::Numbers& numbers, BodyLeft bodyLeft = {});
    HttpTransport(const HttpTransport&) = delete;
    HttpTransport& operator=(const HttpTransport&) = delete;
    HttpTransport(HttpTransport&&) = delete;
    HttpTransport& operator=(HttpTransport&&) = delete;
    ~HttpTransport() override;

    void post(const retry::PostRequest& request, std::function<void(retry::WireResult)> done) override;
    void abortPost(retry::EndReason reason) override;
    void probe(const retry::ProbeRequest& request, std::function<void(retry::WireResult)> done) override;
    void abortProbe(retry::EndReason reason) override;
    /// Gives up after Numbers::tokeniseLimit. An exchange still on its way is dropped without an answer.
    void exchangeCard(const retry::Card& card, std::function<void(retry::ExchangeResult)> done) override;

private:
    using Call = std::unique_ptr<WireCall>;

    struct Upload
    {
        QNetworkReply* reply = nullptr;
        Call call;
    };

    [[nodiscard]] Upload upload(const QNetworkRequest& request, QByteArray body, std::optional<std::chrono::milliseconds> limit,
                                WireCall::Done done);
    void watchBody(QNetworkReply& reply, const retry::PostRequest& request) const;
    [[nodiscard]] static WireCall::Done answering(Call& slot, std::function<void(retry::WireResult)> done);

    retry::Numbers m_numbers;
    BodyLeft m_bodyLeft;
    RequestFactory m_requests;
    QNetworkAccessManager m_postManager;
    QNetworkAccessManager m_probeManager;
    Call m_post; // after the managers: calls go first
    Call m_probe;
    Call m_exchange;
};

/// What the end of one try at the card exchange means. Refused only by a whole 4xx answer about the card itself.
[[nodiscard]] retry::ExchangeResult exchangeResultOf(const RawAnswer& answer);

} // namespace payonce::transport
