#include "support/shop_customer.h"

namespace payonce::support {

Headers ShopCustomer::headers() const
{
    return bearer(m_server.token(QStringLiteral("account")));
}

QByteArray ShopCustomer::tokeniseRequest() const
{
    return httpRequest("POST", "/v1/payment-methods", headers(), cardBody());
}

QByteArray ShopCustomer::payRequest(const QByteArray& key, const QByteArray& method, const QByteArray& cart,
                                    const Headers& more) const
{
    Payment payment;
    payment.cart = cart;
    payment.paymentMethod = method;
    return httpRequest("POST", "/v1/payments", bearer(m_server.token(QStringLiteral("account")), key) + more,
                       paymentBody(payment));
}

QByteArray ShopCustomer::lookRequest(const QByteArray& key, const QByteArray& query, const Headers& more) const
{
    return httpRequest("GET", "/v1/actions/" + key + query, headers() + more);
}

QByteArray ShopCustomer::abandonRequest(const QByteArray& key) const
{
    return httpRequest("POST", "/v1/actions/" + key + "/abandon", headers());
}

QByteArray ShopCustomer::getRequest(const QByteArray& path) const
{
    return httpRequest("GET", path, headers());
}

QByteArray ShopCustomer::tokenise() const
{
    const auto answer = ask(tokeniseRequest());
    return answer ? text(*answer, "id").toLatin1() : QByteArray();
}

std::optional<HttpAnswer> ShopCustomer::ask(const QByteArray& request) const
{
    return support::ask(m_server.shopPort(), request);
}

int ShopCustomer::statusOf(const QByteArray& request) const
{
    const auto answer = ask(request);
    return answer ? answer->status : 0;
}

std::unique_ptr<HttpCall> ShopCustomer::begin(const QByteArray& request) const
{
    return std::make_unique<HttpCall>(m_server.shopPort(), request);
}

QByteArray ShopCustomer::controlRequest(const QByteArray& method, const QByteArray& path, const QByteArray& body) const
{
    return httpRequest(method, path, {{"Authorization", "Bearer " + m_server.token(QStringLiteral("control"))}}, body);
}

HttpAnswer ShopCustomer::control(const QByteArray& method, const QByteArray& path, const QByteArray& body) const
{
    return answerOf(HttpCall(m_server.controlPort(), controlRequest(method, path, body)));
}

std::unique_ptr<HttpCall> ShopCustomer::beginControl(const QByteArray& method, const QByteArray& path,
                                                     const QByteArray& body) const
{
    return std::make_unique<HttpCall>(m_server.controlPort(), controlRequest(method, path, body));
}

bool ShopCustomer::load(const QByteArray& rules) const
{
    return control("PUT", "/scenario", R"({"schema":1,"name":"test","seed":4711,)" + rules + '}').status == 200;
}

} // namespace payonce::support
