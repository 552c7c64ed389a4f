#include "transport/http_transport.h"

#include "machine/machine_clock.h"
#include "protocol/answer_reader.h"
#include "protocol/card_request.h"
#include "values/check.h"

#include <algorithm>
#include <array>
#include <utility>

namespace payonce::transport {

namespace {

/// The call is inside its own event when it answers, so it goes a turn later.
void release(std::unique_ptr<WireCall>& slot)
{
    slot.release()->deleteLater();
}

/// Sign-in and moments in time are no fault of the card.
bool speaksOfCard(int status)
{
    constexpr std::array kPassing = {401, 403, 408, 425, 429};
    return status >= 400 && status < 500 && std::find(kPassing.begin(), kPassing.end(), status) == kPassing.end();
}

} // namespace

HttpTransport::HttpTransport(const ShopAddress& address, const retry::Numbers& numbers, BodyLeft bodyLeft)
    : m_numbers(numbers), m_bodyLeft(std::move(bodyLeft)), m_requests(address, numbers)
{
}

HttpTransport::~HttpTransport() = default;

void HttpTransport::post(const retry::PostRequest& request, std::function<void(retry::WireResult)> done)
{
    CHECK(!m_post);
    auto [reply, call] = upload(m_requests.action(request), QByteArray::fromStdString(request.body), std::nullopt,
                                answering(m_post, std::move(done)));
    m_post = std::move(call);
    if (m_bodyLeft) {
        watchBody(*reply, request);
    }
}

// Qt writes a body without a buffer of its own and tells only afterwards, so what it has told is with the system.
void HttpTransport::watchBody(QNetworkReply& reply, const retry::PostRequest& request) const
{
    const auto size = static_cast<qint64>(request.body.size());
    const auto tell = [this, id = request.id, size, told = false](qint64 sent, qint64 /*total*/) mutable {
        if (sent >= size && !std::exchange(told, true)) {
            m_bodyLeft(id);
        }
    };
    QObject::connect(&reply, &QNetworkReply::uploadProgress, m_post.get(), tell);
}

void HttpTransport::abortPost(retry::EndReason reason)
{
    if (m_post) {
        m_post->abort(reason);
    }
}

void HttpTransport::probe(const retry::ProbeRequest& request, std::function<void(retry::WireResult)> done)
{
    CHECK(!m_probe);
    // A kept connection may be frozen (measured: 8 s against 5 ms).
    m_probeManager.clearConnectionCache();
    OneShotDevice* body = nullptr; // Qt would send a fence twice as it would any other POST
    QNetworkReply* reply = nullptr;
    if (request.purpose == retry::ProbeRequest::Purpose::Fence) {
        body = new OneShotDevice({}); // the reply's child in a moment
        reply = m_probeManager.post(m_requests.fence(request), body);
    } else {
        reply = m_probeManager.get(m_requests.probe(request));
    }
    m_probe = std::make_unique<WireCall>(reply, body, CallLimits{.connect = m_numbers.connectLimit, .total = {}},
                                         answering(m_probe, std::move(done)));
}

void HttpTransport::abortProbe(retry::EndReason reason)
{
    if (m_probe) {
        m_probe->abort(reason);
    }
}

void HttpTransport::exchangeCard(const retry::Card& card, std::function<void(retry::ExchangeResult)> done)
{
    QByteArray body = QByteArray::fromStdString(protocol::buildCardRequest(card));
    const QNetworkRequest request = m_requests.cardExchange(body.size());
    auto answered = [this, done = std::move(done)](const RawAnswer& answer) {
        release(m_exchange);
        done(exchangeResultOf(answer));
    };
    m_exchange = upload(request, std::move(body), m_numbers.tokeniseLimit, std::move(answered)).call;
}

HttpTransport::Upload HttpTransport::upload(const QNetworkRequest& request, QByteArray body,
                                            std::optional<std::chrono::milliseconds> limit, WireCall::Done done)
{
    auto* device = new OneShotDevice(std::move(body)); // the reply's child in a moment
    QNetworkReply* reply = m_postManager.post(request, device);
    const CallLimits limits{.connect = m_numbers.connectLimit, .total = limit};
    return {.reply = reply, .call = std::make_unique<WireCall>(reply, device, limits, std::move(done))};
}

WireCall::Done HttpTransport::answering(Call& slot, std::function<void(retry::WireResult)> done)
{
    return [&slot, done = std::move(done)](const RawAnswer& answer) {
        release(slot);
        done(wireResultOf(answer, machine::wallTime()));
    };
}

retry::ExchangeResult exchangeResultOf(const RawAnswer& answer)
{
    using Kind = retry::ExchangeResult::Kind;
    if (!isWhole(answer)) {
        return {.kind = Kind::Failed, .token = {}, .detail = {}};
    }
    const std::string body = answer.body.toStdString();
    if (*answer.status >= 200 && *answer.status < 300) {
        const std::optional<retry::CardToken> token = protocol::parseCardToken(body);
        return token ? retry::ExchangeResult{.kind = Kind::Exchanged, .token = *token, .detail = {}} : retry::ExchangeResult{};
    }
    const std::optional<retry::AnswerBody> problem = protocol::parseAnswer(body);
    if (!problem || !speaksOfCard(*answer.status)) {
        return {};
    }
    return {.kind = Kind::Refused, .token = {}, .detail = problem->detail};
}

} // namespace payonce::transport
