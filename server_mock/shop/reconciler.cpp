#include "shop/reconciler.h"

namespace payonce::shop {

using idempotency::BankRow;
using idempotency::KeyRecord;
using idempotency::ReconcileStep;

Reconciler::Reconciler(ShopParts& parts, QObject* parent) : QObject(parent), m_parts(parts)
{
    connect(&m_timer, &QTimer::timeout, this, &Reconciler::round);
}

void Reconciler::start()
{
    m_timer.start(m_parts.numbers.reconcileEvery);
    round();
}

// A record the bank is being asked about keeps its owner: two questions at once could only get in each other's way.
void Reconciler::round()
{
    m_parts.records.wakeForSettledElsewhere();
    if (m_roundOfEpoch == m_parts.records.epoch())
        return;
    m_roundOfEpoch = m_parts.records.epoch();
    m_parts.records.takeOverOpen(kTakenOverMost, m_parts.bankDesk.asking(),
                                 [this](const Outcome<std::vector<KeyRecord>>& records) {
                                     m_roundOfEpoch.reset();
                                     if (!records && !std::exchange(m_couldNotSave, true))
                                         m_parts.warn({"open payments cannot be settled: the shop's database refuses", {}, {}});
                                     if (!records)
                                         return;
                                     m_couldNotSave = false;
                                     for (const KeyRecord& record : *records)
                                         look(record);
                                 });
}

void Reconciler::look(const KeyRecord& record)
{
    m_parts.bankDesk.lookup(record, [this, record](const std::optional<BankRow>& row) { heard(record, row); });
}

// A silent bank is asked again in a later round; the ledger keeps the plan.
void Reconciler::heard(const KeyRecord& record, const std::optional<BankRow>& row)
{
    if (!row)
        return;
    const auto settleBy = [this, record](const std::optional<BankRow>& decided) {
        if (decided)
            settle(record, *decided);
    };
    switch (idempotency::nextStep(record, *row, m_parts.clock())) {
    case ReconcileStep::Settle: return settle(record, *row);
    case ReconcileStep::Charge: return m_parts.bankDesk.charge(record, settleBy);
    case ReconcileStep::Fence: return m_parts.bankDesk.fence(record, settleBy);
    case ReconcileStep::AskLater: return;
    }
}

void Reconciler::settle(const KeyRecord& record, const BankRow& row)
{
    m_parts.records.settle(record, row, [this, fence = record.fence](const Outcome<KeyRecord>& outcome) {
        // What fails is taken up in a later round; under another fence somebody else settled it.
        if (outcome && values::isTerminal(outcome->state) && outcome->fence == fence)
            m_parts.metrics.reconciled(outcome->state);
    });
}

} // namespace payonce::shop
