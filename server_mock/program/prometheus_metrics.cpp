#include "program/prometheus_metrics.h"

#include "shop/request_log.h"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <array>
#include <map>
#include <utility>
#include <vector>

namespace payonce::program {

namespace {

using Counters = prometheus::Family<prometheus::Counter>;
using Histograms = prometheus::Family<prometheus::Histogram>;
using Gauges = prometheus::Family<prometheus::Gauge>;
using Names = std::vector<std::string>;
/// One counter an enumerator, in the order of the enum.
using ByEnum = std::vector<prometheus::Counter*>;

const Names kKinds{"payment", "account", "support"};
const Names kClaimEnds{"run", "closed", "replayed", "in_progress", "outcome_unknown", "abandoned", "mismatch", "refused"};
const Names kBankVerbs{"charge", "lookup", "fence", "exchange"};
const Names kBankEnds{"answered", "unknown"};
const Names kSources{"attempt", "report"};

constexpr std::array kRecordStates{values::RecordState::InProgress, values::RecordState::Succeeded, values::RecordState::Failed,
                                   values::RecordState::Abandoned, values::RecordState::Unknown};
using Event = idempotency::EventOutcome;
constexpr std::array kEvents{Event::Applied, Event::Agrees,        Event::SameFact, Event::Late,
                             Event::Parked,  Event::Contradiction, Event::Duplicate};
constexpr std::array kReasons{idempotency::AbandonReason::Cancelled, idempotency::AbandonReason::Expired,
                              idempotency::AbandonReason::CartTaken};
constexpr std::array kPreviousEnds{retry::PreviousEnd::None,   retry::PreviousEnd::NotSent,   retry::PreviousEnd::Timeout,
                                   retry::PreviousEnd::Closed, retry::PreviousEnd::BadAnswer, retry::PreviousEnd::Http5xx};

// Seconds, and pieces of work in one commit.
const prometheus::Histogram::BucketBoundaries kRequestTimes{.0005, .001, .0025, .005, .01, .025, .05, .1,
                                                            .25,   .5,   1,     2.5,  5,   10,   25};
const prometheus::Histogram::BucketBoundaries kCommitTimes{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, 1};
const prometheus::Histogram::BucketBoundaries kBatchSizes{1, 2, 4, 8, 16, 32, 64, 128, 256};

template <class Enum> std::size_t indexOf(Enum value)
{
    return static_cast<std::size_t>(value);
}

double secondsOf(std::chrono::nanoseconds time)
{
    return std::chrono::duration<double>(time).count();
}

Counters& counters(prometheus::Registry& registry, const char* name, const char* help)
{
    return prometheus::BuildCounter().Name(name).Help(help).Register(registry);
}

Histograms& histograms(prometheus::Registry& registry, const char* name, const char* help)
{
    return prometheus::BuildHistogram().Name(name).Help(help).Register(registry);
}

prometheus::Gauge& gauge(prometheus::Registry& registry, const char* name, const char* help)
{
    return prometheus::BuildGauge().Name(name).Help(help).Register(registry).Add({});
}

ByEnum eachOf(Counters& family, const std::string& label, const Names& names, const prometheus::Labels& more = {})
{
    ByEnum result;
    for (const std::string& name : names) {
        prometheus::Labels labels = more;
        labels.emplace(label, name);
        result.push_back(&family.Add(labels));
    }
    return result;
}

/// Names of `values`, sorted as the enum is, so that an enumerator is its index.
template <class Values, class Naming> Names namesOf(const Values& values, Naming naming)
{
    Names names(std::size(values));
    for (const auto value : values)
        names.at(indexOf(value)) = std::string(naming(value));
    return names;
}

const char* nameOfGauge(Gauge gauge)
{
    switch (gauge) {
    case Gauge::Connections: return "payonce_connections_open";
    case Gauge::RequestsHeld: return "payonce_requests_held";
    case Gauge::WaitsHeld: return "payonce_waits_held";
    case Gauge::ClockSuspect: return "payonce_clock_suspect";
    }
    return "";
}

const char* helpOfGauge(Gauge gauge)
{
    switch (gauge) {
    case Gauge::Connections: return "Open connections to the shop.";
    case Gauge::RequestsHeld: return "Requests that wait for their answer now.";
    case Gauge::WaitsHeld: return "Requests held because of Prefer: wait, at most 256.";
    case Gauge::ClockSuspect: return "1 while nothing is purged because somebody moved the clock.";
    }
    return "";
}

} // namespace

struct PrometheusMetrics::Series
{
    prometheus::Registry registry;
    std::array<ByEnum, 3> claims;
    ByEnum suppressed;
    ByEnum records;
    ByEnum abandoned;
    ByEnum reconciled;
    ByEnum attempts;
    ByEnum events;
    std::array<prometheus::Gauge*, 2> backlogs{}; // in the order of the enum
    Counters* retries = nullptr;
    Counters* presses = nullptr;
    Counters* requests = nullptr;
    Histograms* requestTimes = nullptr;
    std::array<std::array<prometheus::Histogram*, 2>, 4> bankTimes{};
    prometheus::Histogram* commitTimes = nullptr;
    prometheus::Histogram* batchSizes = nullptr;
    std::vector<std::pair<prometheus::Gauge*, std::function<double()>>> gauges;
    // Made when first seen; their labels are names of endpoints and operations, and statuses that this program writes.
    std::map<std::pair<std::string_view, int>, prometheus::Counter*> requestsSeen;
    std::map<std::string_view, prometheus::Histogram*> timesSeen;
    std::map<console::Operation, prometheus::Counter*> retriesSeen;
    std::map<std::pair<shop::PressSource, retry::State>, prometheus::Counter*> pressesSeen;

    Series()
    {
        addLedger();
        addClients();
        addEvents();
        addWork();
    }

    void addLedger()
    {
        auto& claimed = counters(registry, "payonce_claims_total", "Keyed POSTs by how their claim ended.");
        for (std::size_t kind = 0; kind < kKinds.size(); ++kind)
            claims.at(kind) = eachOf(claimed, "result", kClaimEnds, {{"kind", kKinds[kind]}});
        suppressed = eachOf(counters(registry, "payonce_duplicates_suppressed_total",
                                     "Repeats that were answered from the record instead of being run again."),
                            "kind", kKinds);
        const Names states = namesOf(kRecordStates, [](auto state) { return values::nameOf(state); });
        records =
            eachOf(counters(registry, "payonce_records_total", "Records that this server moved to a state."), "state", states);
        reconciled = eachOf(counters(registry, "payonce_reconciled_total", "Records that the reconciler brought to their end."),
                            "state", states);
        abandoned = eachOf(counters(registry, "payonce_abandoned_total", "Actions closed without a charge."), "reason",
                           namesOf(kReasons, [](auto reason) { return idempotency::nameOf(reason); }));
    }

    void addEvents()
    {
        events = eachOf(counters(registry, "payonce_bank_events_total", "Events of the bank by what became of them."),
                        "outcome", namesOf(kEvents, [](auto outcome) { return idempotency::nameOf(outcome); }));
        backlogs = {
            &gauge(registry, "payonce_mails_waiting", "Mails in the outbox not known to be sent; counted up to 10,000."),
            &gauge(registry, "payonce_bank_events_parked",
                   "Events of the bank that wait for their payment; counted up to 10,000.")};
    }

    void addClients()
    {
        attempts = eachOf(counters(registry, "payonce_client_attempts_total",
                                   "Requests with Action-Attempt by how the client's attempt before ended."),
                          "prev", namesOf(kPreviousEnds, [](auto end) { return protocol::nameOf(end); }));
        retries = &counters(registry, "payonce_retries_total", "Requests that are an attempt after the first one.");
        presses =
            &counters(registry, "payonce_client_presses_total", "Presses of the button that clients told of, by their state.");
    }

    void addWork()
    {
        requests = &counters(registry, "payonce_requests_total", "Requests by operation and status; status 0: no answer left.");
        requestTimes = &histograms(registry, "payonce_request_duration_seconds", "From the complete request to its answer.");
        auto& bank = histograms(registry, "payonce_bank_call_duration_seconds", "Calls of the bank.");
        for (std::size_t verb = 0; verb < kBankVerbs.size(); ++verb)
            for (std::size_t end = 0; end < kBankEnds.size(); ++end)
                bankTimes.at(verb).at(end) = &bank.Add({{"verb", kBankVerbs[verb]}, {"end", kBankEnds[end]}}, kRequestTimes);
        commitTimes = &histograms(registry, "payonce_commit_duration_seconds", "Transactions of the shop's database.")
                           .Add({}, kCommitTimes);
        batchSizes = &histograms(registry, "payonce_commit_batch_size", "Pieces of work that shared one transaction.")
                          .Add({}, kBatchSizes);
        prometheus::BuildGauge()
            .Name("payonce_build_info")
            .Help("Always 1; the version is in the label.")
            .Register(registry)
            .Add({{"version", PAYONCE_VERSION}})
            .Set(1);
    }
};

PrometheusMetrics::PrometheusMetrics() : m_series(std::make_unique<Series>()) {}
PrometheusMetrics::~PrometheusMetrics() = default;

void PrometheusMetrics::claimed(idempotency::RecordKind kind, shop::ClaimEnd end)
{
    m_series->claims.at(indexOf(kind)).at(indexOf(end))->Increment();
    if (shop::isSuppressed(end))
        m_series->suppressed.at(indexOf(kind))->Increment();
}

void PrometheusMetrics::became(values::RecordState state)
{
    m_series->records.at(indexOf(state))->Increment();
}

void PrometheusMetrics::abandoned(idempotency::AbandonReason reason)
{
    m_series->abandoned.at(indexOf(reason))->Increment();
}

void PrometheusMetrics::reconciled(values::RecordState state)
{
    m_series->reconciled.at(indexOf(state))->Increment();
}

void PrometheusMetrics::heard(console::Operation operation, const retry::AttemptNote& note)
{
    m_series->attempts.at(indexOf(note.previous))->Increment();
    if (note.number <= 1)
        return;
    auto& counter = m_series->retriesSeen[operation];
    if (counter == nullptr)
        counter = &m_series->retries->Add({{"operation", std::string(console::nameOf(operation))}});
    counter->Increment();
}

void PrometheusMetrics::pressed(shop::PressSource source, retry::State state, int times)
{
    auto& counter = m_series->pressesSeen[{source, state}];
    if (counter == nullptr)
        counter = &m_series->presses->Add(
            {{"source", kSources.at(indexOf(source))}, {"state", std::string(protocol::nameOf(state))}});
    counter->Increment(times);
}

void PrometheusMetrics::bankTold(idempotency::EventOutcome outcome)
{
    m_series->events.at(indexOf(outcome))->Increment();
}

void PrometheusMetrics::waiting(shop::Backlog backlog, std::int64_t count)
{
    m_series->backlogs.at(indexOf(backlog))->Set(static_cast<double>(count));
}

void PrometheusMetrics::ended(const shop::RequestFacts& request)
{
    const std::string_view operation = shop::nameOf(request.endpoint);
    auto& counter = m_series->requestsSeen[{operation, request.status}];
    if (counter == nullptr)
        counter = &m_series->requests->Add({{"operation", std::string(operation)}, {"status", std::to_string(request.status)}});
    counter->Increment();
    if (!request.took)
        return;
    auto& times = m_series->timesSeen[operation];
    if (times == nullptr)
        times = &m_series->requestTimes->Add({{"operation", std::string(operation)}}, kRequestTimes);
    times->Observe(secondsOf(*request.took));
}

void PrometheusMetrics::bankAnswered(BankVerb verb, BankEnd end, std::chrono::nanoseconds took)
{
    m_series->bankTimes.at(indexOf(verb)).at(indexOf(end))->Observe(secondsOf(took));
}

void PrometheusMetrics::committed(std::size_t jobs, std::chrono::nanoseconds took)
{
    m_series->commitTimes->Observe(secondsOf(took));
    m_series->batchSizes->Observe(static_cast<double>(jobs));
}

void PrometheusMetrics::watch(Gauge watched, std::function<double()> read)
{
    m_series->gauges.emplace_back(&gauge(m_series->registry, nameOfGauge(watched), helpOfGauge(watched)), std::move(read));
}

std::string PrometheusMetrics::text() const
{
    for (const auto& [shown, read] : m_series->gauges)
        shown->Set(read());
    return prometheus::TextSerializer().Serialize(m_series->registry.Collect());
}

} // namespace payonce::program
