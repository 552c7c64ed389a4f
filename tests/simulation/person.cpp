#include "simulation/person.h"

namespace payonce::simulation {

using namespace std::chrono_literals;
using retry::State;

Person::Person(World& world, App& app, const MemoryJournal& journal)
    : m_world(world), m_app(app), m_journal(journal), m_card(world.chance(0.25) ? "declined" : "good")
{
    m_world.after(1ms, [this] { act(); });
}

void Person::actLater()
{
    m_world.after(m_world.isStormy() ? m_world.between(100ms, 6s) : m_world.between(2s, 20s), [this] { act(); });
}

void Person::act()
{
    actLater();
    if (!m_app.isRunning())
        return;
    if (m_world.strikes(4 * m_world.weather().appCrash))
        return m_app.crash(); // also where nothing is under way
    if (m_world.strikes(m_world.weather().impatient))
        return pressAnyway();
    if (retry::mayCancel(m_app.snapshot()) && m_world.strikes(m_world.weather().cancel))
        return m_app.cancel();
    press(m_app.snapshot());
}

void Person::press(const retry::Snapshot& snapshot)
{
    switch (snapshot.state) {
    case State::Editing:
        if (!isDone())
            pay();
        return;
    case State::NotStarted:
        if (m_world.chance(0.5))
            m_app.tryAgain();
        return;
    case State::OfflineUnknown:
    case State::Unresolved:
        if (m_world.chance(0.4))
            m_app.checkAgain();
        return;
    case State::Declined:
    case State::NotCharged:
    case State::Cancelled:
        m_card = "good";
        if (m_purchases < kPurchasesMost)
            m_app.startOver();
        return;
    case State::Saving:
    case State::Sending:
    case State::Confirming:
    case State::ServerWorking:
    case State::RetryWait:
    case State::Offline:
    case State::Paid:
    case State::Fencing:
    case State::Conflict: return;
    }
}

void Person::pressAnyway()
{
    switch (m_world.draw() % 6) {
    case 0: return m_app.hint(retry::NetworkHint{});
    case 1: return m_app.hint(retry::ClockJumped{});
    case 2:
        if (m_app.snapshot().action)
            m_app.checkAgain();
        return;
    case 3:
        if (m_app.snapshot().action)
            m_app.tryAgain();
        return;
    case 4: return m_app.startOver();
    default: return pay();
    }
}

void Person::pay()
{
    const auto& snapshot = m_app.snapshot();
    if (snapshot.state == State::Editing && !snapshot.action)
        ++m_purchases;
    m_app.pay(m_card);
}

bool Person::isDone() const
{
    if (m_journal.holdsPaid())
        return true;
    if (!m_app.isRunning() || m_purchases < kPurchasesMost)
        return false;
    return isFinal(m_app.snapshot().state);
}

} // namespace payonce::simulation
