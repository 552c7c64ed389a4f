#include "simulation/app.h"

#include "simulation/misreading.h"

#include <algorithm>
#include <utility>

namespace payonce::simulation {

using namespace std::chrono_literals;
using namespace retry; // NOLINT(google-build-using-namespace): the whole file speaks of it

namespace {

const Scope kHere{"acct_1", "srv_1"};
const Purchase kPurchase{"cart_1", values::Money{4200, values::Currency::fromCode("EUR").value()}, "a@example.com"};

} // namespace

App::App(World& world, Computer& computer, Network& network, Referee& referee, std::string name)
    : m_world(world),
      m_computer(computer),
      m_network(network),
      m_referee(referee),
      m_name(std::move(name)),
      m_process(referee.newProcess())
{
}

MemoryJournal& App::journal()
{
    m_computer.journal.speakFor(m_process);
    return m_computer.journal;
}

void App::start()
{
    m_world.trace(m_name, "starts");
    run();
    later(1s, [this] { tick(); });
    const auto open = journal().takeOverOpen().value();
    if (!open.empty())
        give(Resumed{open.front(), kHere}, "resumed");
}

void App::run()
{
    m_machine = std::make_unique<ActionMachine>(m_computer.numbers);
    m_diskFree = m_world.now();
    journal().beat();
}

void App::end()
{
    m_machine.reset();
    ++m_epoch;
    m_timers.clear();
    m_post.reset();
    m_probe.reset();
    m_card.clear();
    m_frozenUntil = {};
    m_clockOffset = {};
    journal().forgetProcess();
    m_referee.processEnded(m_process);
}

void App::crash()
{
    m_world.trace(m_name, "CRASH");
    end();
    ++m_crashes;
    m_world.after(m_world.chance(0.15) ? m_world.between(60s, 200s) : m_world.between(100ms, 5s), [this] { start(); });
}

void App::reopen()
{
    end();
    start();
}

bool App::isQuiet() const
{
    if (!isAwake() || m_machine->snapshot().savesPending > 0)
        return false;
    const auto& snapshot = m_machine->snapshot();
    const bool isHeld = snapshot.cause == Cause::CartHeld || snapshot.cause == Cause::OtherOwner;
    return !snapshot.action || isHeld || isOver(snapshot.state);
}

bool App::isViewer()
{
    return !snapshot().action && journal().isHeldElsewhere();
}

void App::tick()
{
    later(1s, [this] { tick(); });
    journal().beat();
    if (yields()) {
        m_world.trace(m_name, "sees that it was displaced");
        return reopen();
    }
    const auto& action = snapshot().action;
    if (action && journal().isMine(action->id))
        if (const auto press = journal().takePress())
            return *press == MemoryJournal::Press::Cancel ? cancel() : checkAgain();
    if (!maySearch())
        return;
    const auto open = journal().takeOverUnresolved();
    if (open.empty())
        return;
    if (action)
        return reopen();
    give(Resumed{open.front(), kHere}, "takes over");
}

/// Sometimes the heartbeat is the first to see it, sometimes a write that is refused.
bool App::yields()
{
    const auto& action = snapshot().action;
    return action && !isFinal(snapshot().state) && m_computer.journal.durable(action->id) && !journal().isMine(action->id) &&
           m_world.chance(0.3);
}

bool App::maySearch() const
{
    return !snapshot().action || snapshot().cause == Cause::OtherOwner;
}

values::WallTime App::serverTime() const
{
    return m_world.trueWall() + m_computer.clockError + m_clockOffset;
}

values::Now App::now() const
{
    values::Now now{serverTime(), values::MonotonicTime(m_world.now() + Micros(1h))};
    const auto& action = m_machine->snapshot().action;
    if (m_world.has(Planted::ValidityIsIgnored) && action && action->createdAt != values::WallTime{})
        now.wall = std::min(now.wall, action->createdAt);
    return now;
}

/// Only a whole answer is known to be the server's own.
void App::learnTime(const WireResult& result)
{
    if (result.serverTime && result.complete && result.digestMatches)
        m_clockOffset = *result.serverTime - (m_world.trueWall() + m_computer.clockError);
}

values::ActionId App::mint()
{
    return values::ActionId::mint(now().wall, m_world.randomBytes());
}

void App::give(const Event& event, const std::string& what)
{
    const Effects effects = m_machine->handle(event, now(), m_world.draw());
    if (m_world.isTraced())
        m_world.trace(m_name, what + " -> " + describe(snapshot()));
    for (const auto& effect : effects)
        std::visit([this](const auto& one) { perform(one); }, effect);
    const auto& action = snapshot().action;
    const bool isStale = action && m_computer.journal.durable(action->id) && !journal().isMine(action->id);
    const bool hasTimers = std::any_of(m_timers.begin(), m_timers.end(), [](const auto& one) { return one.second.isRunning; });
    m_referee.shown({m_process, hasTimers, isStale}, misshown(m_world.planted(), snapshot(), m_fenceIsOpen));
}

void App::later(Micros delay, const std::function<void()>& task)
{
    laterOf(m_epoch, delay, task);
}

void App::laterOf(int epoch, Micros delay, const std::function<void()>& task)
{
    m_world.after(delay, [this, task, epoch] {
        if (epoch != m_epoch)
            return;
        const auto& weather = m_world.weather();
        if (m_world.strikes(weather.appCrash))
            return crash();
        if (m_world.now() >= m_frozenUntil && m_world.strikes(weather.appFreeze)) {
            m_frozenUntil = m_world.now() + m_world.between(100ms, 30s);
            m_world.trace(m_name, "freezes");
        }
        if (m_world.now() < m_frozenUntil)
            return laterOf(epoch, m_frozenUntil - m_world.now(), task);
        task();
    });
}

void App::onDisk(const std::function<void(Disk)>& job)
{
    const Micros stall = m_world.strikes(m_world.weather().diskStalls) ? m_world.between(100ms, 3s) : Micros(0);
    m_diskFree = std::max(m_diskFree, m_world.now()) + m_world.between(100us, 3ms) + stall;
    later(m_diskFree - m_world.now(), [this, job] {
        const auto& weather = m_world.weather();
        job(m_world.strikes(weather.diskFails) ? Disk::Fails : m_world.strikes(weather.diskLies) ? Disk::Lies : Disk::Works);
    });
}

/// The answer has its own way to the machine, and the process may die or freeze on it.
void App::answer(const Event& event, const std::string& what)
{
    later(50us, [this, event, what] { give(event, what); });
}

// The person

void App::pay(const std::string& card)
{
    m_referee.pressed(snapshot().action ? std::optional(snapshot().action->id) : std::nullopt);
    const bool isNew = snapshot().state == State::Editing || snapshot().state == State::NotStarted;
    if (isNew)
        m_card = card;
    give(PayPressed{mint(), kHere, kPurchase}, "Pay with " + card);
}

void App::tryAgain()
{
    m_referee.pressed(snapshot().action->id);
    give(TryAgainPressed{}, "Try again");
}

void App::checkAgain()
{
    if (isViewer())
        return journal().press(MemoryJournal::Press::CheckAgain);
    if (!snapshot().action)
        return;
    m_referee.checkedAgain(snapshot().action->id);
    give(CheckAgainPressed{}, "Check again");
}

void App::cancel()
{
    if (isViewer())
        return journal().press(MemoryJournal::Press::Cancel);
    give(CancelPressed{}, "Cancel");
}

} // namespace payonce::simulation
