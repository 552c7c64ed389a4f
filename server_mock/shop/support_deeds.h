// POST /v1/support/actions/{id}/{do}: what staff does, under the rules of every key, and audited. Never "charge again".
#pragma once

#include "shop/incoming.h"
#include "shop/shop_parts.h"
#include "shop/support_sources.h"
#include "shop/support_view_maker.h"

#include <functional>
#include <memory>

namespace payonce::shop {

/// What a deed sets going once it is durable. Lost with the server, the reconciler does it.
struct SupportHands
{
    std::function<void()> askBankNow;
    std::function<void(const idempotency::KeyRecord&)> fenceAtBank;
};

class SupportDeeds
{
public:
    SupportDeeds(ShopParts& parts, SupportSources sources, SupportHands hands)
        : m_parts(parts), m_sources(std::move(sources)), m_hands(std::move(hands))
    {
    }

    /// The request came with the token `support_act`, a key, and JSON by its type; its path names an action ID.
    void act(const std::shared_ptr<Incoming>& incoming);

private:
    struct Order;

    void askEvidence(const std::shared_ptr<Order>& order);
    void claim(const std::shared_ptr<Order>& order);
    void decided(const std::shared_ptr<Order>& order, const idempotency::OnceDecision& decision);
    void done(const Order& order);
    void refuseUnsafe(const std::shared_ptr<Order>& order, const std::string& cause);
    void refuse(const std::shared_ptr<Incoming>& incoming, idempotency::ProblemCode code, const std::string& detail);
    void cannotRead(const std::shared_ptr<Incoming>& incoming);

    ShopParts& m_parts;
    SupportSources m_sources;
    SupportHands m_hands;
};

} // namespace payonce::shop
