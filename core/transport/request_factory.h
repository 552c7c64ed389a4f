// RequestFactory: the head of every request of the client (docs/contract.md, Requests).
#pragma once

#include "retry/numbers.h"
#include "retry/transport.h"
#include "transport/shop_address.h"

#include <QtNetwork/QNetworkRequest>

namespace payonce::transport {

/// Every request: bearer token up front, `Accept-Encoding: identity`, no redirect followed, no cookie, no cache, no
/// credentials of Qt's own, and at https a verified certificate, whatever the address asks for. Every upload: Content-Length,
/// and a body that Qt may not buffer (docs/client.md, invariant 3).
class RequestFactory
{
public:
    RequestFactory(ShopAddress address, const retry::Numbers& numbers);

    [[nodiscard]] QNetworkRequest action(const retry::PostRequest& request) const;
    [[nodiscard]] QNetworkRequest probe(const retry::ProbeRequest& request) const;
    /// The same question as a POST without a body: close the action for good.
    [[nodiscard]] QNetworkRequest fence(const retry::ProbeRequest& request) const;
    [[nodiscard]] QNetworkRequest report(const values::ActionId& id, qint64 bodySize) const;
    [[nodiscard]] QNetworkRequest cardExchange(qint64 bodySize) const;
    [[nodiscard]] QNetworkRequest get(const QString& path) const;

private:
    [[nodiscard]] QNetworkRequest upload(const QString& path, qint64 bodySize) const;

    ShopAddress m_address;
    retry::Numbers m_numbers;
};

} // namespace payonce::transport
