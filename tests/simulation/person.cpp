#include "simulation/person.h"

#include <algorithm>

namespace payonce::simulation {

using namespace std::chrono_literals;
using retry::State;

Person::Person(World& world, const Devices& devices, Database& database)
    : m_world(world), m_devices(devices), m_database(database), m_card(world.chance(0.25) ? "declined" : "good")
{
    m_world.after(1ms, [this] { act(); });
}

void Person::actLater()
{
    const bool isLate = m_world.now() > m_world.weather().storm + 20min;
    m_world.after(m_world.isStormy() ? m_world.between(100ms, 6s)
                  : isLate           ? m_world.between(5min, 10min)
                                     : m_world.between(2s, 20s),
                  [this] { act(); });
}

void Person::act()
{
    actLater();
    if (!m_world.isStormy()) { // looks at every window that is left
        for (const auto& device : m_devices)
            for (const auto& window : device->windows())
                if (window->isAwake())
                    press(*device, *window);
        return;
    }
    Device& device = *m_devices.at(m_devices.size() > 1 && m_world.chance(0.4) ? 1 : 0);
    auto& windows = device.windows();
    App& window = *windows.at(windows.size() > 1 && m_world.chance(0.4) ? 1 : 0);
    if (!mishap(device) && window.isAwake())
        actAt(device, window);
}

bool Person::mishap(Device& device)
{
    const auto& weather = m_world.weather();
    if (m_world.strikes(weather.shopClock)) {
        const auto step = m_world.clockStep();
        m_world.trace("shop", "clock stepped to " + std::to_string(step.count()) + " ms from the truth");
        m_world.stepClock(step);
        return true;
    }
    if (m_world.strikes(weather.signOut)) {
        m_world.trace("shop", "signs the account out");
        m_database.signOut(m_world.now() + m_world.between(1s, 30s));
        return true;
    }
    if (m_world.strikes(weather.appClock)) {
        device.stepClock();
        return true;
    }
    if (!m_world.strikes(weather.appCrash))
        return false;
    device.crash();
    return true;
}

void Person::actAt(Device& device, App& window)
{
    const auto& weather = m_world.weather();
    if (m_world.strikes(4 * weather.appCrash))
        return window.crash(); // also where nothing is under way
    if (m_world.strikes(weather.impatient))
        return pressAnyway(window);
    if (retry::mayCancel(window.snapshot()) && m_world.strikes(weather.cancel))
        return cancel(window);
    if (!device.journal().holdsPaid())
        press(device, window);
}

void Person::cancel(App& window)
{
    m_card = m_world.chance(0.5) ? "other" : "good";
    window.cancel();
}

void Person::press(const Device& device, App& window)
{
    const auto& snapshot = window.snapshot();
    switch (snapshot.state) {
    case State::Editing:
        if (snapshot.action || !isDone()) // an action that is begun goes on under its ID
            pay(window);
        return;
    case State::NotStarted:
        if (m_world.chance(0.5))
            window.tryAgain();
        return;
    case State::OfflineUnknown:
    case State::Unresolved:
        if (m_world.chance(0.4))
            window.checkAgain();
        return;
    case State::Declined:
    case State::NotCharged:
    case State::Cancelled:
        m_card = m_card == "other" ? "other" : "good";
        if (!isDone() || device.journal().hasOpen()) // which may wait behind this end
            window.startOver();
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

void Person::pressAnyway(App& window)
{
    switch (m_world.draw() % 7) {
    case 0: return window.hint(retry::NetworkHint{});
    case 1: return window.hint(retry::ClockJumped{});
    case 2: return window.checkAgain();
    case 3:
        if (window.snapshot().action)
            window.tryAgain();
        return;
    case 4: return window.cancel();
    case 5: return window.startOver();
    default: return pay(window);
    }
}

void Person::pay(App& window)
{
    const auto& snapshot = window.snapshot();
    if (snapshot.state == State::Editing && !snapshot.action)
        ++m_purchases;
    window.pay(m_card);
}

bool Person::holdsPaid() const
{
    return std::any_of(m_devices.begin(), m_devices.end(), [](const auto& device) { return device->journal().holdsPaid(); });
}

bool Person::isDone() const
{
    return holdsPaid() || m_purchases >= kPurchasesMost;
}

} // namespace payonce::simulation
