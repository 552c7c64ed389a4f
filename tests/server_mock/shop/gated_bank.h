// The real bank of a test behind a gate: while it is shut, calls wait outside and nothing is answered.
#pragma once

#include "bank/ledger_bank.h"

#include <QtCore/QTimer>

#include <functional>
#include <utility>
#include <vector>

namespace payonce::shop {

class GatedBank final : public bank::Bank
{
public:
    explicit GatedBank(bank::LedgerBank& bank) : m_bank(bank) {}

    void shut() { m_isShut = true; }
    /// Shut, and who asks is told at once that no answer came in time. The calls wait outside all the same: they are late.
    void fallSilent()
    {
        shut();
        m_isSilent = true;
    }
    /// Lets the calls in that wait, in their order.
    void open()
    {
        m_isShut = false;
        m_isSilent = false;
        m_areChargesShut = false;
        for (const auto& call : std::exchange(m_waiting, {}))
            call();
    }
    /// Shut for charges only: the bank still looks up and fences.
    void shutCharges() { m_areChargesShut = true; }
    [[nodiscard]] int fenceCount() const { return m_fences; }
    /// The calls that wait are lost on the way.
    void loseWaiting() { m_waiting.clear(); }
    [[nodiscard]] std::size_t waitingCount() const { return m_waiting.size(); }
    /// The next charge is answered with `row` and is not made.
    void answerChargeWith(const idempotency::BankRow& row) { m_nextChargeAnswer = row; }

    void charge(const bank::ChargeOrder& order, bank::Answered done) override
    {
        if (const auto row = std::exchange(m_nextChargeAnswer, {}))
            QTimer::singleShot(0, &m_home, [row, done = std::move(done)] { done({*row}); });
        else
            pass([this, order, done] { m_bank.charge(order, done); }, done, m_areChargesShut);
    }
    void lookup(const values::BankKey& key, bank::Answered done) override
    {
        pass([this, key, done] { m_bank.lookup(key, done); }, done);
    }
    void fence(const values::BankKey& key, bank::Answered done) override
    {
        ++m_fences;
        pass([this, key, done] { m_bank.fence(key, done); }, done);
    }
    void exchange(const std::string& number, std::function<void(std::optional<bank::ExchangedCard>)> done) override
    {
        m_bank.exchange(number, std::move(done));
    }

private:
    void pass(std::function<void()> call, const bank::Answered& done, bool waits = false)
    {
        if (!m_isShut && !waits)
            return call();
        m_waiting.push_back(std::move(call));
        if (m_isSilent)
            QTimer::singleShot(0, &m_home, [done] { done({}); });
    }

    bank::LedgerBank& m_bank;
    bool m_isShut = false;
    bool m_isSilent = false;
    bool m_areChargesShut = false;
    int m_fences = 0;
    std::vector<std::function<void()>> m_waiting;
    std::optional<idempotency::BankRow> m_nextChargeAnswer;
    QObject m_home;
};

} // namespace payonce::shop
