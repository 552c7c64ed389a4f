// POST /v1/accounts (docs/contract.md, Sign-up): record, account and mail in one transaction.
#pragma once

#include "shop/incoming.h"
#include "shop/shop_parts.h"

#include <memory>

namespace payonce::shop {

inline constexpr const char* kSignUpRoute = "POST /v1/accounts";

class SignUp
{
public:
    explicit SignUp(ShopParts& parts) : m_parts(parts) {}

    /// The request is authenticated, its key and head are well-formed, its body is JSON by its type.
    void signUp(const std::shared_ptr<Incoming>& incoming);

private:
    void lookedUp(const std::shared_ptr<Incoming>& incoming, const idempotency::OnceDecision& decision);
    void decided(const std::shared_ptr<Incoming>& incoming, const idempotency::OnceDecision& decision,
                 const http::Response& response);
    void tell(const std::shared_ptr<Incoming>& incoming, const http::Response& response);

    ShopParts& m_parts;
};

} // namespace payonce::shop
