#include "bench/bench_machine.h"

#include "retry/action_machine.h"
#include "support/fresh_id.h"
#include "values/check.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <vector>

namespace payonce::bench {

namespace {

constexpr int kTurns = 5;
constexpr int kLives = 200'000; ///< a turn
constexpr double kTarget = 1'000'000;

/// A life as its events in order. The machine never sees the same ID twice in a row.
using Life = std::vector<retry::Event>;

retry::WireResult paidAnswer(const values::ActionId& id, const values::Money& amount)
{
    retry::AnswerBody body;
    body.actionId = id;
    body.state = values::RecordState::Succeeded;
    body.amount = amount;
    body.orderNumber = "1001";
    body.chargeId = "ch_0123456789abcdef";
    body.json = std::string(250, ' '); // as long as the real one
    retry::WireResult result;
    result.bytesTaken = 312;
    result.complete = true;
    result.digestMatches = true;
    result.body = body;
    return result;
}

/// Everything up to the POST that has left.
Life begun(const values::ActionId& id, const retry::Purchase& purchase)
{
    const retry::CardToken card{"pm_0123456789abcdef", "visa", "4242"};
    return {retry::PayPressed{.id = id, .scope = {"acct_bench", "srv_bench"}, .purchase = purchase}, retry::ActionSaved{1},
            retry::CardExchanged{{.kind = retry::ExchangeResult::Kind::Exchanged, .token = card, .detail = {}}},
            retry::ReadySaved{{card, std::string(312, 'b'), std::string(64, 'f')}, retry::AttemptBegun::Inserted}};
}

Life cleanLife(const values::ActionId& id, const retry::Purchase& purchase)
{
    auto life = begun(id, purchase);
    auto answer = paidAnswer(id, purchase.amount);
    answer.status = 201;
    life.insert(life.end(), {retry::PostEnded{1, answer}, retry::FinalSaved{}, retry::StartOverPressed{}});
    return life;
}

/// The reply is lost by close; the first probe tells.
Life lostLife(const values::ActionId& id, const retry::Purchase& purchase)
{
    auto life = begun(id, purchase);
    retry::WireResult lost;
    lost.bytesTaken = 312;
    lost.error = retry::TransportError::RemoteClosed;
    auto answer = paidAnswer(id, purchase.amount);
    answer.status = 200;
    life.insert(life.end(),
                {retry::PostEnded{1, lost}, retry::ProbeEnded{answer}, retry::FinalSaved{}, retry::StartOverPressed{}});
    return life;
}

/// Transitions a second of one turn, by the processor's time: what else runs on the machine is no cost of the rules.
double turn(const std::array<Life, 2>& lives)
{
    retry::ActionMachine machine({});
    values::Now now{support::wallTime(), {}};
    std::uint64_t effects = 0;
    std::uint64_t transitions = 0;
    const std::clock_t start = std::clock();
    for (std::size_t number = 0; number < kLives; ++number) {
        for (const auto& event : lives.at(number % lives.size())) {
            now.mono += std::chrono::microseconds(1);
            effects += machine.handle(event, now, ++transitions).size();
        }
    }
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    CHECK(machine.snapshot().state == retry::State::Editing && machine.snapshot().posts == kLives);
    CHECK(effects > transitions);
    return static_cast<double>(transitions) / seconds;
}

Figure figure(const std::string& what, Life (*lifeOf)(const values::ActionId&, const retry::Purchase&))
{
    const auto euro = values::Currency::fromCode("EUR");
    CHECK(euro);
    const retry::Purchase purchase{"cart_of_the_bench", {4200, *euro}, "you@example.com"};
    const auto now = support::wallTime();
    const std::array lives = {lifeOf(support::freshId(now), purchase), lifeOf(support::freshId(now), purchase)};
    double best = 0;
    double worst = 0;
    for (int run = 0; run < kTurns; ++run) {
        const double rate = turn(lives);
        best = std::max(best, rate);
        worst = run == 0 ? rate : std::min(worst, rate);
    }
    return {"Transitions of the machine, " + what + " (" + std::to_string(kTurns) + " turns of " + std::to_string(kLives) +
                " lives)",
            "best turn " + inRate(best), "worst turn " + inRate(worst), ">= " + inRate(kTarget), best >= kTarget};
}

} // namespace

std::vector<Figure> benchMachine()
{
    return {figure("clean payments", cleanLife), figure("payments whose reply is lost", lostLife)};
}

} // namespace payonce::bench
