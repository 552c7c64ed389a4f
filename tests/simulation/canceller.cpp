#include "simulation/canceller.h"

namespace payonce::simulation {

using namespace std::chrono_literals;

Canceller::Canceller(World& world, const Person::Devices& devices, Network& network, Referee& referee)
    : m_world(world), m_devices(devices), m_network(network), m_referee(referee)
{
    actLater();
}

void Canceller::actLater()
{
    m_world.after(m_world.between(10ms, 8s), [this] { act(); });
}

void Canceller::act()
{
    if (!m_world.isStormy())
        return; // what it began may still be on its way
    const auto& window = *m_devices.front()->windows().front();
    if (m_world.strikes(m_world.weather().cancel) && window.isRunning() && window.snapshot().action)
        abandon(window.snapshot().action->id);
    actLater();
}

void Canceller::abandon(const values::ActionId& id)
{
    m_world.trace("other", "abandons " + reference(id));
    const Request request{Request::Kind::Abandon, id};
    (void)m_network.send(request, [this, id](const retry::WireResult& answer) {
        const bool isAuthentic = answer.complete && answer.digestMatches && answer.status == 200 && answer.body;
        if (isAuthentic && answer.body->state == values::RecordState::Abandoned)
            m_referee.toldAbandoned(id);
    });
}

} // namespace payonce::simulation
