// shop::Metrics in a registry of prometheus-cpp, with what only this program can see: bank calls, commits, connections.
#pragma once

#include "shop/metrics.h"

#include <functional>
#include <memory>
#include <string>

namespace payonce::program {

enum class BankVerb { Charge, Lookup, Fence, Exchange };
enum class BankEnd { Answered, Unknown };

/// What is read at the moment of the scrape.
enum class Gauge { Connections, RequestsHeld, WaitsHeld, ClockSuspect };

/// Lives on the main thread. Which series there are: docs/operations.md.
class PrometheusMetrics final : public shop::Metrics
{
public:
    PrometheusMetrics();
    PrometheusMetrics(const PrometheusMetrics&) = delete;
    PrometheusMetrics& operator=(const PrometheusMetrics&) = delete;
    PrometheusMetrics(PrometheusMetrics&&) = delete;
    PrometheusMetrics& operator=(PrometheusMetrics&&) = delete;
    ~PrometheusMetrics() override;

    void claimed(idempotency::RecordKind kind, shop::ClaimEnd end) override;
    void became(values::RecordState state) override;
    void abandoned(idempotency::AbandonReason reason) override;
    void reconciled(values::RecordState state) override;
    void heard(console::Operation operation, const retry::AttemptNote& note) override;
    void pressed(shop::PressSource source, retry::State state, int times) override;
    void ended(const shop::RequestFacts& request) override;
    void bankTold(idempotency::EventOutcome outcome) override;
    void waiting(shop::Backlog backlog, std::int64_t count) override;

    /// In the text format of Prometheus, 0.0.4.
    [[nodiscard]] std::string text() const;

    void bankAnswered(BankVerb verb, BankEnd end, std::chrono::nanoseconds took);
    /// One transaction of the shop's database, shared by `jobs` pieces of work.
    void committed(std::size_t jobs, std::chrono::nanoseconds took);
    /// `read` is called by text() and outlives this object.
    void watch(Gauge watched, std::function<double()> read);

private:
    struct Series;
    std::unique_ptr<Series> m_series;
};

} // namespace payonce::program
