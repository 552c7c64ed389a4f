// Brings every open record to its end: asks the bank about it and settles, charges again or fences (docs/contract.md, States).
#pragma once

#include "shop/shop_parts.h"

#include <QtCore/QObject>
#include <QtCore/QTimer>

namespace payonce::shop {

/// Open records taken over in one round; the rest has its turn a round later.
inline constexpr int kTakenOverMost = 100;

class Reconciler : public QObject
{
    Q_OBJECT

public:
    explicit Reconciler(ShopParts& parts, QObject* parent = nullptr);

    /// The first round now, then one every LedgerNumbers::reconcileEvery.
    void start();
    /// A round at once, besides those that come by themselves.
    void askNow() { round(); }

private:
    void round();
    void look(const idempotency::KeyRecord& record);
    void heard(const idempotency::KeyRecord& record, const std::optional<idempotency::BankRow>& row);
    void settle(const idempotency::KeyRecord& record, const idempotency::BankRow& row);

    ShopParts& m_parts;
    QTimer m_timer;
    std::optional<std::uint64_t> m_roundOfEpoch; // a round that has not come back yet
    bool m_couldNotSave = false;
};

} // namespace payonce::shop
