#include "bench/bench_faults.h"

#include "bench/load_client.h"
#include "bench/payment_requests.h"
#include "bench/shop_thread.h"
#include "faults/arrival_journal.h"
#include "faults/scenario_engine.h"
#include "values/check.h"

#include <QtCore/QDir>

#include <algorithm>
#include <memory>
#include <utility>

namespace payonce::bench {

namespace {

constexpr int kTurns = 5;
constexpr int kWarmUps = 500;

class NoPoints final : public faults::FaultPoints
{
public:
    void reach(console::Point /*point*/, faults::Arrival& /*arrival*/, Proceed proceed) override { proceed(); }
    void answer(faults::Arrival& arrival, const http::Response& response) override { arrival.exchange->answer(response); }
};

/// As payonce-server has it without a scenario.
struct Simulator
{
    explicit Simulator(std::unique_ptr<faults::ArrivalJournal> arrivals) : journal(std::move(arrivals)), engine(*journal)
    {
        engine.actOn({});
        engine.load({});
    }

    std::unique_ptr<faults::ArrivalJournal> journal;
    faults::ScenarioEngine engine;
};

std::shared_ptr<faults::FaultPoints> noPoints(const QString& /*directory*/)
{
    return std::make_shared<NoPoints>();
}

std::shared_ptr<faults::FaultPoints> simulator(const QString& directory)
{
    auto journal = faults::ArrivalJournal::open(QDir(directory).filePath(QStringLiteral("arrivals.jsonl")));
    CHECK(journal);
    const auto made = std::make_shared<Simulator>(*std::move(journal));
    return {made, &made->engine};
}

LoadResult paid(const ShopThread& shop, int payments)
{
    const PaymentRequests requests(shop.port(), ShopThread::token());
    const auto pay = [&](int count) {
        return runLoad(
            {.port = shop.port(), .requests = requests.of(mintKeys(count, KeyOrder::AsMade)), .expectedStatus = 201});
    };
    CHECK(pay(kWarmUps).refused == 0);
    auto result = pay(payments);
    CHECK(result.refused == 0);
    return result;
}

/// Payments a second, in order.
std::vector<double> sorted(std::vector<double> rates)
{
    std::sort(rates.begin(), rates.end());
    return rates;
}

} // namespace

std::vector<Figure> benchFaultLayer(int payments)
{
    std::vector<double> with;
    std::vector<double> without;
    for (int turn = 0; turn < kTurns; ++turn) {
        without.push_back(paid(ShopThread(noPoints), payments).perSecond());
        with.push_back(paid(ShopThread(simulator), payments).perSecond());
    }
    without = sorted(without);
    with = sorted(with);
    const double spread = (without.back() - without.front()) / without[kTurns / 2];
    const double cost = 1 - with[kTurns / 2] / without[kTurns / 2];
    return {{"Fresh payments through a simulator without a scenario (" + std::to_string(kTurns) + " turns of " +
                 std::to_string(payments) + ")",
             "median " + inRate(with[kTurns / 2]),
             "without it: " + inRate(without[kTurns / 2]) + ", between its turns " + inPercent(spread) + " | cost " +
                 inPercent(cost),
             "less than between its turns", cost < spread}};
}

} // namespace payonce::bench
