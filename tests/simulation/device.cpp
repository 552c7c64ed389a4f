#include "simulation/device.h"

#include <algorithm>

namespace payonce::simulation {

using namespace std::chrono_literals;

Device::Device(World& world, Network& network, Referee& referee, const std::string& name, int windows)
    : m_world(world), m_computer(world)
{
    m_computer.clockError = std::chrono::floor<std::chrono::milliseconds>(world.between(-1s, 1s));
    if (world.chance(0.2))
        m_computer.numbers.validFor = 20s; // so that some lives run out of it
    for (int i = 0; i < windows; ++i) {
        const char letter = static_cast<char>('a' + i);
        m_windows.push_back(std::make_unique<App>(world, m_computer, network, referee, name + letter));
        m_windows.back()->start();
    }
}

bool Device::isQuiet() const
{
    return !m_computer.journal.hasOpen() &&
           std::all_of(m_windows.begin(), m_windows.end(), [](const auto& window) { return window->isQuiet(); });
}

void Device::stepClock()
{
    m_computer.clockError = m_world.clockStep();
    m_world.trace("device", "clock stepped to " + std::to_string(m_computer.clockError.count()) + " ms from the truth");
    for (const auto& window : m_windows)
        if (window->isAwake() && m_world.chance(0.8)) // else it is noticed by the next answer
            window->hint(retry::ClockJumped{});
}

void Device::crash()
{
    const bool isLost = m_world.strikes(m_world.weather().deviceLost);
    for (const auto& window : m_windows)
        if (window->isRunning())
            window->crash();
    if (!isLost)
        return;
    m_world.trace("person", "goes on at another computer");
    m_computer.journal.forgetEverything();
}

} // namespace payonce::simulation
