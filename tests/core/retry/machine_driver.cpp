#include "core/retry/machine_driver.h"

#include "core/retry/wire_results.h"

#include "values/check.h"

namespace payonce::retry_tests {

using namespace retry; // NOLINT(google-build-using-namespace): the whole file speaks of it

MachineDriver::MachineDriver(const Numbers& numbers)
    : m_machine(std::make_unique<ActionMachine>(numbers)),
      m_now{anId().madeAt().value() + std::chrono::seconds(1), values::MonotonicTime(std::chrono::hours(1))}
{
}

void MachineDriver::give(const Event& event)
{
    m_effects = m_machine->handle(event, m_now, m_draw++);
    for (const auto& effect : m_effects) {
        if (const auto* start = std::get_if<StartTimer>(&effect))
            m_timers[start->timer] = m_now.mono + start->delay;
        if (const auto* stop = std::get_if<StopTimer>(&effect))
            m_timers.erase(stop->timer);
    }
}

void MachineDriver::advance(ms time)
{
    m_now.wall += time;
    m_now.mono += time;
}

bool MachineDriver::fire(TimerKind timer)
{
    const auto due = left(timer);
    if (!due)
        return false;
    advance(std::max(*due, ms(0)));
    m_timers.erase(timer);
    give(TimerFired{timer});
    return true;
}

std::optional<MachineDriver::ms> MachineDriver::left(TimerKind timer) const
{
    const auto found = m_timers.find(timer);
    if (found == m_timers.end())
        return {};
    return std::chrono::ceil<ms>(found->second - m_now.mono);
}

void MachineDriver::press()
{
    give(PayPressed{anId(), aScope(), aPurchase()});
}

void MachineDriver::toExchange()
{
    press();
    give(ActionSaved{1});
}

void MachineDriver::toReadySave()
{
    toExchange();
    give(CardExchanged{exchanged()});
}

void MachineDriver::toSending()
{
    toReadySave();
    give(ReadySaved{aRequest(), AttemptBegun::Inserted});
    CHECK(has<SendPost>());
}

void MachineDriver::toRowSave()
{
    toSending();
    give(PostEnded{1, notSent()});
    CHECK(fire(TimerKind::NextPost));
    CHECK(has<SaveAttemptRow>());
}

void MachineDriver::saveRow(int number)
{
    give(AttemptRowSaved{number});
    CHECK(has<SendPost>());
}

void MachineDriver::loseAndAllowNext(int number)
{
    give(PostEnded{number, lost()});
    give(ProbeEnded{notFound()});
    CHECK(fire(TimerKind::NextPost));
    CHECK(has<SaveAttemptRow>());
}

void MachineDriver::toAttemptsSpent()
{
    toSending();
    for (int number = 1; number < 4; ++number) {
        loseAndAllowNext(number);
        saveRow(number + 1);
    }
    give(PostEnded{4, lost()});
    give(ProbeEnded{notFound()});
    CHECK(state() == State::Unresolved);
}

Scope MachineDriver::aScope()
{
    return Scope{"acct_1", "srv_1"};
}

Purchase MachineDriver::aPurchase()
{
    return Purchase{"cart_1", anAmount(), "a@example.com"};
}

PreparedRequest MachineDriver::aRequest()
{
    return PreparedRequest{CardToken{"pm_1", "visa", "4242"}, "{\"cart_id\":\"cart_1\"}", "0011"};
}

ExchangeResult MachineDriver::exchanged()
{
    ExchangeResult result;
    result.kind = ExchangeResult::Kind::Exchanged;
    result.token = aRequest().card;
    return result;
}

StoredAction MachineDriver::stored() const
{
    return StoredAction{anId(), aScope(), aPurchase(), m_now.wall, m_now.wall + std::chrono::minutes(15),
                        2,      false,    aRequest(),  {},         {}};
}

Attempt MachineDriver::attempt(int number, std::optional<std::int64_t> bytesTaken)
{
    Attempt attempt{number, {}, {}};
    if (bytesTaken)
        attempt.end = AttemptEnd{*bytesTaken, {}, TransportError::RemoteClosed, EndReason::Finished};
    return attempt;
}

} // namespace payonce::retry_tests
