// The first run of one payment after its claim: bank, settlement, answer, with the simulator's points between.
#pragma once

#include "shop/incoming.h"
#include "shop/shop_parts.h"

#include <QtCore/QObject>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>

namespace payonce::shop {

/// Lives as long as something is still going to call it. The work goes on when the client is gone; it stops where the
/// shop was emptied meanwhile. Whatever happens, the record is settled, or left open for the reconciler.
class PaymentRun : public std::enable_shared_from_this<PaymentRun>
{
public:
    /// `record` was just claimed by this server.
    PaymentRun(ShopParts& parts, std::shared_ptr<Incoming> incoming, idempotency::KeyRecord record);

    void start();

private:
    void reach(console::Point point, std::function<void()> next);
    void askBank();
    void heardBank(const std::optional<idempotency::BankRow>& row);
    void heardAnswer(const idempotency::BankRow& row);
    void settle(const idempotency::BankRow& row);
    void settled(const batch::Outcome<idempotency::KeyRecord>& outcome);
    void giveUp();
    void leaveOpen(const idempotency::KeyRecord& record);
    void waitPassed();
    void answer(const idempotency::KeyRecord& record);
    void answer(const http::Response& response);

    ShopParts& m_parts;
    std::shared_ptr<Incoming> m_incoming;
    idempotency::KeyRecord m_record;
    std::uint64_t m_epoch;
    std::chrono::milliseconds m_waitEnd{0}; // on the monotonic clock, where the client said how long it waits
    bool m_isAnswered = false;
    bool m_isHeld = false; // in the waiting room, which then minds the time
    QObject m_home;        // the timer of the client's own wait ends with it
};

} // namespace payonce::shop
