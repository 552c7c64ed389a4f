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
    m_waiting = journal().takeOverOpen().value();
    resumeNext();
    look();
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
    m_waiting.clear();
    m_isLooking = false;
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

bool App::isQuiet() const
{
    if (!isAwake() || m_machine->snapshot().savesPending > 0)
        return false;
    const auto& snapshot = m_machine->snapshot();
    const bool isNothing = snapshot.cause == Cause::CartHeld; // and nobody holds it any more
    return !snapshot.isViewer && (!snapshot.action || isNothing || isOver(snapshot.state));
}

void App::tick()
{
    later(1s, [this] { tick(); });
    look();
}

void App::look()
{
    if (std::exchange(m_isLooking, true))
        return;
    const Look look = nextLook();
    onDisk([this, look](Disk disk) {
        if (disk == Disk::Fails) {
            m_isLooking = false;
            return;
        }
        const Sight sight = journal().look(look).value();
        later(50us, [this, sight] {
            m_isLooking = false;
            saw(sight);
        });
    });
}

Look App::nextLook() const
{
    Look look;
    look.here = kHere;
    const auto& now = snapshot();
    if (!now.action)
        return look;
    look.wantsAll = now.cause == Cause::OtherOwner;
    look.current = now.action->id;
    look.cartId = now.action->purchase.cartId;
    look.lease = now.action->lease;
    if (!now.isViewer && !isOver(now.state))
        look.shown = Shown{now.state, now.cause, now.detail, now.isLong, now.nextTry};
    return look;
}

void App::saw(const Sight& sight)
{
    for (const auto& action : sight.taken) {
        if (snapshot().action && snapshot().action->id == action.id)
            give(Resumed{action, kHere}, "takes over");
        else
            m_waiting.push_back(action);
    }
    if (sight.watched)
        give(Watched{*sight.watched}, "looks on");
    for (const Press what : sight.presses)
        what == Press::Cancel ? cancel() : checkAgain();
    resumeNext();
}

void App::resumeNext()
{
    const auto& now = snapshot();
    const bool isFree = (now.state == State::Editing && !now.action) ||
                        (now.state == State::NotStarted && now.cause == Cause::CartHeld && !now.isViewer);
    if (m_waiting.empty() || !isFree)
        return;
    const StoredAction next = m_waiting.front();
    m_waiting.erase(m_waiting.begin());
    give(Resumed{next, kHere}, "resumes");
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
    const Cause before = snapshot().cause;
    const Effects effects = m_machine->handle(event, now(), m_world.draw());
    if (m_world.isTraced() && !(std::holds_alternative<Watched>(event) && snapshot() == m_traced))
        m_world.trace(m_name, what + " -> " + describe(snapshot()));
    if (m_world.isTraced())
        m_traced = snapshot();
    for (const auto& effect : effects)
        std::visit([this](const auto& one) { perform(one); }, effect);
    const auto& action = snapshot().action;
    const bool isStale = action && m_computer.journal.durable(action->id) && !journal().isMine(action->id);
    const bool hasTimers = std::any_of(m_timers.begin(), m_timers.end(), [](const auto& one) { return one.second.isRunning; });
    m_referee.shown({m_process, hasTimers, isStale}, misshown(m_world.planted(), snapshot(), m_fenceIsOpen));
    if (snapshot().cause == Cause::OtherOwner && before != Cause::OtherOwner)
        look();
    resumeNext();
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
    if (snapshot().isViewer)
        return;
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
    if (snapshot().action && !snapshot().isViewer)
        m_referee.checkedAgain(snapshot().action->id);
    pressHere(Press::CheckAgain, CheckAgainPressed{});
}

void App::cancel()
{
    pressHere(Press::Cancel, CancelPressed{});
}

void App::pressHere(Press what, const Event& event)
{
    if (!snapshot().isViewer)
        return give(event, what == Press::Cancel ? "Cancel" : "Check again");
    m_world.trace(m_name, "passes a press on");
    (void)journal().press(snapshot().action->id, what);
}

} // namespace payonce::simulation
