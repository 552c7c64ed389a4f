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
    std::function<bool(const std::string&)> hasAccount; ///< is it an account of the shop?
};

class SupportDeeds
{
public:
    SupportDeeds(ShopParts& parts, SupportSources sources, SupportHands hands)
        : m_parts(parts),
          m_sources(std::move(sources)),
          m_evidence(m_sources.evidence, parts.numbers.evidenceLimit),
          m_hands(std::move(hands))
    {
    }

    /// The request came with the token `support_act`, a key, and JSON by its type; its path names an action ID.
    void act(const std::shared_ptr<Incoming>& incoming);
    /// Writes into the audit that a deed is refused because of its head, then goes on, written or not.
    void auditRefusal(const Incoming& incoming, const std::string& cause, std::function<void()> then);

private:
    struct Order;

    void askEvidence(const std::shared_ptr<Order>& order);
    void claim(const std::shared_ptr<Order>& order);
    void decided(const std::shared_ptr<Order>& order, const idempotency::OnceDecision& decision);
    void done(const Order& order);
    void answer(const std::shared_ptr<Order>& order, const idempotency::OnceDecision& decision);
    /// Writes down what came of it instead, then goes on; where that cannot be written, nothing is told but that.
    void auditUndone(const std::shared_ptr<Order>& order, const std::string& outcome, std::function<void()> then);
    void refuse(const std::shared_ptr<Incoming>& incoming, const idempotency::RefuseClaim& refusal);
    void cannotRead(const std::shared_ptr<Incoming>& incoming);

    ShopParts& m_parts;
    SupportSources m_sources;
    SupportEvidence m_evidence;
    SupportHands m_hands;
};

} // namespace payonce::shop
