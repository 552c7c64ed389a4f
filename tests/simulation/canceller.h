// Canceller: another hand on the same account (support). It abandons actions of the person, over the same bad network, and
// believes what it is told.
#pragma once

#include "simulation/person.h"

namespace payonce::simulation {

class Canceller
{
public:
    Canceller(World& world, const Person::Devices& devices, Network& network, Referee& referee);

private:
    void actLater();
    void act();
    void abandon(const values::ActionId& id);

    World& m_world;
    const Person::Devices& m_devices;
    Network& m_network;
    Referee& m_referee;
};

} // namespace payonce::simulation
