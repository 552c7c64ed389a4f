#include "simulation/canceller.h"

namespace payonce::simulation {

using namespace std::chrono_literals;

Canceller::Canceller(World& world, const App& app, Network& network, Referee& referee)
    : m_world(world), m_app(app), m_network(network), m_referee(referee)
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
    if (m_world.strikes(m_world.weather().cancel) && m_app.isRunning() && m_app.snapshot().action)
        abandon(m_app.snapshot().action->id);
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
