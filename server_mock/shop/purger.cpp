#include "shop/purger.h"

#include <algorithm>
#include <utility>

namespace payonce::shop {

Purger::Purger(ShopParts& parts, Uptime uptime, QObject* parent)
    : QObject(parent), m_parts(parts), m_uptime(std::move(uptime)), m_trusted{m_parts.clock(), m_uptime()}
{
    connect(&m_timer, &QTimer::timeout, this, &Purger::run);
}

void Purger::start()
{
    m_timer.start(m_parts.numbers.purgeEvery);
    run();
}

void Purger::run()
{
    lookAtClocks();
    if (m_wasMoved)
        return;
    const values::WallTime watermark = m_trusted.wall - m_parts.numbers.recordRetention;
    m_parts.records.work<values::WallTime>(
        [watermark, events = m_trusted.wall - kEventLife](ShopStore& store) -> Outcome<values::WallTime> {
            if (const auto dropped = store.webhooks().dropBefore(events); !dropped)
                return values::Failure(dropped.error());
            if (const auto dropped = store.tables().dropReportsBefore(watermark); !dropped)
                return values::Failure(dropped.error());
            return store.ledger().raiseWatermark(watermark);
        },
        [this](const Outcome<values::WallTime>& raised) {
            if (!raised)
                return;
            lookAtWatermark(*raised);
            if (!m_isBehindWatermark)
                purgeSome([] {}); // told after the commit, so in a later batch
        });
}

void Purger::lookAtWatermark(values::WallTime watermark)
{
    const bool isBehind = idempotency::isAheadOfClock(watermark, m_parts.clock(), m_parts.numbers);
    if (isBehind && !std::exchange(m_isBehindWatermark, isBehind))
        m_parts.warn({"a clock that was ahead of this one raised the watermark to " + values::toRfc3339(watermark) +
                          "; no key made before that is run, and nothing is purged until this clock has caught up",
                      {},
                      {}});
    m_isBehindWatermark = isBehind;
}

void Purger::lookAtClocks()
{
    const idempotency::ClockReading now{m_parts.clock(), m_uptime()};
    const bool wasSuspect = std::exchange(m_wasMoved, idempotency::wasMoved(m_trusted, now, m_parts.numbers));
    if (!m_wasMoved)
        m_trusted = now;
    else if (!wasSuspect)
        m_parts.warn(
            {"the system's clock was moved; nothing is purged until it is back or the server is started again", {}, {}});
}

void Purger::forget(const std::string& account, const values::ActionId& id, std::function<void()> done)
{
    m_parts.records.work<values::WallTime>(
        [account, id](ShopStore& store) -> Outcome<values::WallTime> {
            const auto found = store.ledger().find(account, id);
            if (!found)
                return values::Failure(found.error());
            const auto settledAt = *found ? (*found)->settledAt : std::nullopt;
            if (!settledAt)
                return values::WallTime{}; // an open record is never dropped
            const auto newest = std::max(*settledAt, id.madeAt().value_or(*settledAt));
            return store.ledger().raiseWatermark(newest + std::chrono::milliseconds(1));
        },
        [this, done = std::move(done)](const Outcome<values::WallTime>& raised) {
            if (raised && *raised != values::WallTime{})
                purgeSome(done);
            else
                done();
        });
}

void Purger::purgeSome(const std::function<void()>& done)
{
    m_parts.records.work<int>([](ShopStore& store) { return store.ledger().purge(kPurgedMost); },
                              [this, done](const Outcome<int>& gone) {
                                  m_parts.replays.forgetAll();
                                  if (gone && *gone == kPurgedMost)
                                      purgeSome(done);
                                  else
                                      done();
                              });
}

} // namespace payonce::shop
