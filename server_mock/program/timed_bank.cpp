#include "program/timed_bank.h"

#include <chrono>
#include <utility>

namespace payonce::program {

namespace {

using Clock = std::chrono::steady_clock;

BankEnd endOf(bool isAnswered)
{
    return isAnswered ? BankEnd::Answered : BankEnd::Unknown;
}

} // namespace

void TimedBank::charge(const bank::ChargeOrder& order, bank::Answered done)
{
    m_bank.charge(order, timed(BankVerb::Charge, std::move(done)));
}

void TimedBank::lookup(const values::BankKey& key, bank::Answered done)
{
    m_bank.lookup(key, timed(BankVerb::Lookup, std::move(done)));
}

void TimedBank::fence(const values::BankKey& key, bank::Answered done)
{
    m_bank.fence(key, timed(BankVerb::Fence, std::move(done)));
}

void TimedBank::exchange(const std::string& number, std::function<void(std::optional<bank::ExchangedCard>)> done)
{
    m_bank.exchange(number, [this, done = std::move(done), since = Clock::now()](std::optional<bank::ExchangedCard> card) {
        m_metrics.bankAnswered(BankVerb::Exchange, endOf(card.has_value()), Clock::now() - since);
        done(std::move(card));
    });
}

bank::Answered TimedBank::timed(BankVerb verb, bank::Answered done)
{
    return [this, verb, done = std::move(done), since = Clock::now()](bank::BankAnswer answer) {
        m_metrics.bankAnswered(verb, endOf(answer.row.has_value()), Clock::now() - since);
        done(std::move(answer));
    };
}

} // namespace payonce::program
