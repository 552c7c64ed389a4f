// POST /v1/webhooks/bank: what the bank says by itself (docs/contract.md, Webhooks and mails).
#pragma once

#include "shop/incoming.h"
#include "shop/shop_parts.h"

#include <QtCore/QObject>
#include <QtCore/QTimer>

#include <memory>

namespace payonce::shop {

/// How often parked events are looked at, and how many at once.
inline constexpr std::chrono::milliseconds kParkedEvery{1000};
inline constexpr int kParkedMost = 100;

/// Takes an event once, whatever comes twice, late or before its order; a failing database is a 503 and stores nothing.
class WebhookDesk : public QObject
{
    Q_OBJECT

public:
    /// `secret`: shared with the bank. Empty: every event is refused.
    WebhookDesk(ShopParts& parts, QByteArray secret, std::string instance, QObject* parent = nullptr);

    /// Begins to look at parked events.
    void start();
    /// Nothing about the request is known yet but its path. Its signature stands for a token.
    void take(const std::shared_ptr<Incoming>& incoming);

private:
    using Taken = storage::TakenEvent;

    void keep(const std::shared_ptr<Incoming>& incoming, const idempotency::BankEvent& event);
    void kept(const std::shared_ptr<Incoming>& incoming, const Outcome<Taken>& taken);
    void applyParked();
    void wake(const Taken& taken);
    void refuse(const std::shared_ptr<Incoming>& incoming, idempotency::ProblemCode code, const std::string& detail);
    [[nodiscard]] idempotency::WriterStamp stamp() const { return {m_instance, m_parts.clock()}; }

    ShopParts& m_parts;
    QByteArray m_secret;
    std::string m_instance;
    QTimer m_timer;
    std::optional<std::uint64_t> m_roundOfEpoch; // a round that has not come back yet
};

} // namespace payonce::shop
