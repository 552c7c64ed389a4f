#include "ui/fake_payment_control.h"

#include "ui/samples.h"

namespace payonce::tests {

void FakePaymentControl::pay(const retry::Purchase& purchase, const retry::Card& card)
{
    m_paid.emplace_back(purchase, card);
    retry::Snapshot next = sampleSnapshot(retry::State::Saving);
    next.action->purchase = purchase;
    show(next);
}

void FakePaymentControl::show(const retry::Snapshot& snapshot)
{
    m_snapshot = snapshot;
    Q_EMIT snapshotChanged();
}

void FakePaymentControl::advance(std::chrono::milliseconds time)
{
    m_now.wall += time;
    m_now.mono += time;
}

} // namespace payonce::tests
