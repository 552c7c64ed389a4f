// POST /v1/payment-methods: a card becomes a token at the bank. Number and security code are kept nowhere.
#pragma once

#include "bank/bank.h"
#include "shop/incoming.h"
#include "shop/shop_parts.h"

#include <chrono>
#include <memory>

namespace payonce::shop {

/// How long a token can be used for a new payment.
inline constexpr std::chrono::hours kPaymentMethodLife{24};

class CardExchange
{
public:
    explicit CardExchange(ShopParts& parts) : m_parts(parts) {}

    /// The request is authenticated and its body is JSON by its type.
    void exchange(const std::shared_ptr<Incoming>& incoming);

private:
    void save(const std::shared_ptr<Incoming>& incoming, const bank::ExchangedCard& card);

    ShopParts& m_parts;
};

} // namespace payonce::shop
