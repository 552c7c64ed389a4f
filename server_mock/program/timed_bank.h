// A bank that measures how long another one takes.
#pragma once

#include "bank/bank.h"
#include "program/prometheus_metrics.h"

namespace payonce::program {

/// Bank and metrics outlive it.
class TimedBank final : public bank::Bank
{
public:
    TimedBank(bank::Bank& bank, PrometheusMetrics& metrics) : m_bank(bank), m_metrics(metrics) {}

    void charge(const bank::ChargeOrder& order, bank::Answered done) override;
    void lookup(const values::BankKey& key, bank::Answered done) override;
    void fence(const values::BankKey& key, bank::Answered done) override;
    void exchange(const std::string& number, std::function<void(std::optional<bank::ExchangedCard>)> done) override;

private:
    [[nodiscard]] bank::Answered timed(BankVerb verb, bank::Answered done);

    bank::Bank& m_bank;
    PrometheusMetrics& m_metrics;
};

} // namespace payonce::program
