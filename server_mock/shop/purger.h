// Retention: raises the watermark and, once that is durable, deletes what lies below it (docs/contract.md, Retention).
#pragma once

#include "idempotency/retention_rules.h"
#include "shop/shop_parts.h"

#include <QtCore/QObject>
#include <QtCore/QTimer>

#include <functional>
#include <string>

namespace payonce::shop {

/// Records deleted in one batch, so that nobody waits long behind it.
inline constexpr int kPurgedMost = 500;

/// How long events of the bank and their facts are remembered.
inline constexpr std::chrono::hours kEventLife{24 * 90};

class Purger : public QObject
{
    Q_OBJECT

public:
    Purger(ShopParts& parts, Uptime uptime, QObject* parent = nullptr);

    /// Runs now, then every LedgerNumbers::purgeEvery.
    void start();
    void run();
    /// Drops a settled record, and every other that is older, as if its retention had passed; then `done`, whatever came of it.
    void forget(const std::string& account, const values::ActionId& id, std::function<void()> done);
    /// The wall clock was moved since this server started and has not come back, or the watermark was raised by a clock that
    /// was ahead of it: nothing is purged by it.
    [[nodiscard]] bool isClockSuspect() const { return m_wasMoved || m_isBehindWatermark; }

private:
    void lookAtClocks();
    void lookAtWatermark(values::WallTime watermark);
    void purgeSome(const std::function<void()>& done);

    ShopParts& m_parts;
    Uptime m_uptime;
    idempotency::ClockReading m_trusted; // a moved clock does not become the new truth at the next run
    bool m_wasMoved = false;
    bool m_isBehindWatermark = false;
    QTimer m_timer;
};

} // namespace payonce::shop
