// Device: one computer: its clock, its journal, and the windows that share it.
#pragma once

#include "simulation/app.h"

#include <memory>
#include <vector>

namespace payonce::simulation {

class Device
{
public:
    Device(World& world, Network& network, Referee& referee, const std::string& name, int windows);

    [[nodiscard]] std::vector<std::unique_ptr<App>>& windows() { return m_windows; }
    [[nodiscard]] const MemoryJournal& journal() const { return m_computer.journal; }
    /// Nothing is left to happen here by itself.
    [[nodiscard]] bool isQuiet() const;
    void stepClock();
    /// Power off; sometimes the disk is gone afterwards.
    void crash();

private:
    World& m_world;
    Computer m_computer;
    std::vector<std::unique_ptr<App>> m_windows;
};

} // namespace payonce::simulation
