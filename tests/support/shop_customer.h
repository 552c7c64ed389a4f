// The customer's and the tester's side of one payonce-server, without any client code of ours.
#pragma once

#include "support/fresh_id.h"
#include "support/http_call.h"
#include "support/server_process.h"
#include "support/shop_requests.h"

#include <QtCore/QByteArray>

#include <memory>
#include <optional>

namespace payonce::support {

class ShopCustomer
{
public:
    /// `server` outlives it and runs.
    explicit ShopCustomer(const ServerProcess& server) : m_server(server) {}

    /// The bytes of requests of account one; each for a connection that ends after its answer.
    [[nodiscard]] QByteArray tokeniseRequest() const;
    [[nodiscard]] QByteArray payRequest(const QByteArray& key, const QByteArray& method, const QByteArray& cart = "cart-1",
                                        const Headers& more = {}) const;
    [[nodiscard]] QByteArray lookRequest(const QByteArray& key, const QByteArray& query = {}, const Headers& more = {}) const;
    [[nodiscard]] QByteArray abandonRequest(const QByteArray& key) const;
    [[nodiscard]] QByteArray getRequest(const QByteArray& path) const;

    /// A token for a good card; empty if there was none.
    [[nodiscard]] QByteArray tokenise() const;
    /// endOf() such a request.
    [[nodiscard]] std::optional<HttpAnswer> ask(const QByteArray& request) const;
    /// Its status; 0: the connection ended without an answer.
    [[nodiscard]] int statusOf(const QByteArray& request) const;
    [[nodiscard]] std::unique_ptr<HttpCall> begin(const QByteArray& request) const;
    [[nodiscard]] quint16 port() const { return m_server.shopPort(); }

    /// Of the control API.
    [[nodiscard]] HttpAnswer control(const QByteArray& method, const QByteArray& path, const QByteArray& body = {}) const;
    [[nodiscard]] std::unique_ptr<HttpCall> beginControl(const QByteArray& method, const QByteArray& path,
                                                         const QByteArray& body = {}) const;
    /// Loads a scenario of these rules, as its file has them. False: it was refused.
    [[nodiscard]] bool load(const QByteArray& rules) const;

private:
    [[nodiscard]] Headers headers() const;
    [[nodiscard]] QByteArray controlRequest(const QByteArray& method, const QByteArray& path, const QByteArray& body) const;

    const ServerProcess& m_server;
};

} // namespace payonce::support
