// RunnerBench: an ActionRunner between a fake disk and a fake shop, with delays short enough for a test.
#pragma once

#include "runner/action_runner.h"
#include "runner/system_environment.h"
#include "support/fake_journal.h"
#include "support/fake_transport.h"

#include <memory>

namespace payonce::runnertest {

inline constexpr int kPatience = 15'000;

[[nodiscard]] inline retry::Numbers quickNumbers()
{
    using ms = std::chrono::milliseconds;
    retry::Numbers numbers;
    numbers.backoff = {ms(5), ms(10), ms(20)};
    numbers.backoffFloor = ms(1);
    numbers.offlineRetry = {ms(20), ms(20), ms(20), ms(20)};
    numbers.probe = {ms(0), ms(5), ms(10), ms(20), ms(20), ms(20), ms(20)};
    numbers.probeLimit = ms(200);
    numbers.softDeadline = ms(50);
    numbers.frozenAfter = ms(50);
    numbers.saveAgain = {ms(10), ms(10), ms(10)};
    return numbers;
}

[[nodiscard]] inline retry::Scope here()
{
    return {.account = "acct_1", .serverId = "srv_1"};
}

[[nodiscard]] inline retry::Purchase aPurchase(const std::string& cart = "cart_1")
{
    return {.cartId = cart, .amount = {4200, *values::Currency::fromCode("EUR")}, .email = "a@example.com"};
}

[[nodiscard]] inline retry::Card aCard()
{
    return {.number = "4242424242424242", .expiryMonth = 12, .expiryYear = 2031, .securityCode = "987"};
}

/// The real clocks, with a wall clock that can be made to jump.
class JumpingEnvironment : public runner::SystemEnvironment
{
public:
    [[nodiscard]] values::Now now() override
    {
        values::Now now = SystemEnvironment::now();
        now.wall += m_jumped;
        return now;
    }
    void jump(std::chrono::milliseconds distance) { m_jumped += distance; }

private:
    std::chrono::milliseconds m_jumped{0};
};

struct RunnerBench
{
    std::shared_ptr<support::FakeDisk> disk = std::make_shared<support::FakeDisk>();
    support::FakeTransport shop;
    JumpingEnvironment environment;
    retry::Numbers numbers = quickNumbers();
    std::unique_ptr<runner::ActionRunner> runner;

    /// A new process on the same disk, with the same shop.
    void launch()
    {
        runner.reset();
        launch(std::make_unique<support::FakeJournal>(disk));
    }

    void launch(std::unique_ptr<retry::Journal> journal)
    {
        runner.reset();
        runner = std::make_unique<runner::ActionRunner>(std::move(journal), shop, environment, numbers);
        QObject::connect(runner.get(), &runner::ActionRunner::ready, runner.get(), [this] { isReady = true; });
        isReady = false;
        runner->start(here());
    }

    [[nodiscard]] retry::State state() const { return runner->snapshot().state; }
    [[nodiscard]] retry::Cause cause() const { return runner->snapshot().cause; }

    bool isReady = false;
};

} // namespace payonce::runnertest
