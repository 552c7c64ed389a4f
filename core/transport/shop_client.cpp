#include "transport/shop_client.h"

#include "protocol/answer_reader.h"

#include <utility>

namespace payonce::transport {

namespace {

ShopError errorOf(const RawAnswer& answer)
{
    switch (answer.error) {
    case retry::TransportError::TlsFailed: return ShopError::TlsFailed;
    case retry::TransportError::Timeout: return ShopError::TooSlow;
    case retry::TransportError::None:
    case retry::TransportError::Protocol:
    case retry::TransportError::RedirectRefused: return ShopError::NotUnderstood;
    case retry::TransportError::ConnectionRefused:
    case retry::TransportError::HostNotFound:
    case retry::TransportError::RemoteClosed:
    case retry::TransportError::NetworkDown:
    case retry::TransportError::ResendBlocked:
    case retry::TransportError::Cancelled:
    case retry::TransportError::Proxy:
    case retry::TransportError::Other: break;
    }
    return ShopError::Unreachable;
}

ShopFailure failureOf(const RawAnswer& answer)
{
    if (!isWhole(answer)) {
        return {.error = errorOf(answer), .detail = retry::nameOf(answer.error)};
    }
    const std::optional<retry::AnswerBody> problem = protocol::parseAnswer(answer.body.toStdString());
    const std::string detail = problem ? problem->detail : std::string();
    if (*answer.status == 401 || *answer.status == 403) {
        return {.error = ShopError::SignInNeeded, .detail = detail};
    }
    return {.error = problem ? ShopError::Refused : ShopError::NotUnderstood, .detail = detail};
}

template <class Value, class Parse> values::Result<Value, ShopFailure> read(const RawAnswer& answer, Parse parse)
{
    if (!isWhole(answer) || *answer.status != 200) {
        return values::Failure(failureOf(answer));
    }
    std::optional<Value> value = parse(answer.body.toStdString());
    if (!value) {
        return values::Failure(ShopFailure{.error = ShopError::NotUnderstood, .detail = {}});
    }
    return *std::move(value);
}

} // namespace

ShopClient::ShopClient(const ShopAddress& address, const retry::Numbers& numbers)
    : m_requests(address, numbers), m_numbers(numbers)
{
}

ShopClient::~ShopClient() = default;

void ShopClient::fetchPolicy(std::function<void(values::Result<protocol::Policy, ShopFailure>)> done)
{
    ask(m_policy, QStringLiteral("/v1/policy"), [done = std::move(done)](const RawAnswer& answer) {
        done(read<protocol::Policy>(answer, [](const std::string& body) { return protocol::parsePolicy(body); }));
    });
}

void ShopClient::fetchCart(std::function<void(values::Result<protocol::Cart, ShopFailure>)> done)
{
    ask(m_cart, QStringLiteral("/v1/cart"), [done = std::move(done)](const RawAnswer& answer) {
        done(read<protocol::Cart>(answer, [](const std::string& body) { return protocol::parseCart(body); }));
    });
}

void ShopClient::report(const values::ActionId& id, const std::string& body)
{
    auto* device = new OneShotDevice(QByteArray::fromStdString(body)); // the reply's child in a moment
    QNetworkReply* reply = m_manager.post(m_requests.report(id, static_cast<qint64>(body.size())), device);
    m_report = std::make_unique<WireCall>(reply, device, CallLimits{.connect = m_numbers.connectLimit, .total = kLimit},
                                          [this](const RawAnswer& /*best effort*/) { m_report.release()->deleteLater(); });
}

void ShopClient::ask(Call& slot, const QString& path, WireCall::Done done)
{
    QNetworkReply* reply = m_manager.get(m_requests.get(path));
    slot = std::make_unique<WireCall>(reply, nullptr, CallLimits{.connect = m_numbers.connectLimit, .total = kLimit},
                                      [&slot, done = std::move(done)](const RawAnswer& answer) {
                                          // The call is inside its own event when it answers: it goes a turn later.
                                          slot.release()->deleteLater();
                                          done(answer);
                                      });
}

} // namespace payonce::transport
