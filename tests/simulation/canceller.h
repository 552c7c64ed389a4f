// Canceller: another hand on the same account (a second device, support). It abandons actions of the person, over the same
// bad network, and believes what it is told.
#pragma once

#include "simulation/app.h"

namespace payonce::simulation {

class Canceller
{
public:
    Canceller(World& world, const App& app, Network& network, Referee& referee);

private:
    void actLater();
    void act();
    void abandon(const values::ActionId& id);

    World& m_world;
    const App& m_app;
    Network& m_network;
    Referee& m_referee;
};

} // namespace payonce::simulation
