// ShopClient: what the app says to the shop beside actions: policy and open cart, and what it reports afterwards.
#pragma once

#include "protocol/shop_info.h"
#include "transport/request_factory.h"
#include "transport/wire_call.h"
#include "values/result.h"

#include <QtNetwork/QNetworkAccessManager>

#include <memory>

namespace payonce::transport {

enum class ShopError {
    Unreachable,   ///< no answer from anybody
    TooSlow,       ///< no answer in time
    TlsFailed,     ///< the connection could not be trusted
    SignInNeeded,  ///< 401 or 403
    Refused,       ///< another refusal; `detail` is the server's sentence if it gave one
    NotUnderstood, ///< an answer that is damaged or not the shop's
};

struct ShopFailure
{
    ShopError error = ShopError::Unreachable;
    std::string detail; ///< a sentence of the server, or the network's own words; may be empty
};

/// Plain GETs and reports, on their own connections. `done` runs exactly once, later than the call, on the caller's thread; not
/// at all once this object is gone. Asking again while the same question is open drops the older one without an answer.
class ShopClient
{
public:
    /// One question may take this long.
    static constexpr std::chrono::milliseconds kLimit{5000};

    ShopClient(const ShopAddress& address, const retry::Numbers& numbers);
    ShopClient(const ShopClient&) = delete;
    ShopClient& operator=(const ShopClient&) = delete;
    ShopClient(ShopClient&&) = delete;
    ShopClient& operator=(ShopClient&&) = delete;
    ~ShopClient();

    void fetchPolicy(std::function<void(values::Result<protocol::Policy, ShopFailure>)> done);
    void fetchCart(std::function<void(values::Result<protocol::Cart, ShopFailure>)> done);
    /// The client's own facts about an action (protocol::buildReport). Best effort: sent once, its answer is nobody's.
    void report(const values::ActionId& id, const std::string& body);

private:
    using Call = std::unique_ptr<WireCall>;

    void ask(Call& slot, const QString& path, WireCall::Done done);

    RequestFactory m_requests;
    retry::Numbers m_numbers;
    QNetworkAccessManager m_manager;
    Call m_policy; // after the manager: calls go first
    Call m_cart;
    Call m_report;
};

} // namespace payonce::transport
