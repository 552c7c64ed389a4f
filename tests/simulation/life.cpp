#include "simulation/life.h"

#include "simulation/canceller.h"
#include "simulation/person.h"

namespace payonce::simulation {

using namespace std::chrono_literals;

LifeReport live(std::uint64_t seed, Planted planted, World::Tracing tracing)
{
    World world(seed, planted, tracing);
    Referee referee(world);
    Bank bank(world, referee);
    Shop shop(world, bank, referee);
    Network network(world, shop, referee);
    MemoryJournal journal(world);
    App app(world, journal, network, referee);
    app.start();
    const Person person(world, app, journal);
    const Canceller canceller(world, app, network, referee);

    const Micros stormOver = world.weather().storm;
    const Micros zombiesOver = stormOver + 130s; // the latest message of the storm has arrived
    const Micros limit = stormOver + 40min;
    const auto isOver = [&] {
        return world.now() > zombiesOver && app.isRunning() && person.isDone() && app.snapshot().savesPending == 0;
    };
    while (referee.violation().empty() && !isOver() && world.runNext(limit))
        continue;

    const bool paidEarlier = app.isRunning() && !app.snapshot().action && journal.holdsPaid();
    if (app.isRunning() && !paidEarlier)
        referee.lifeEnded(app.snapshot());
    LifeReport report;
    report.violation = referee.violation();
    report.end = paidEarlier ? nameOf(retry::State::Paid) : app.isRunning() ? describe(app.snapshot()) : "crashed";
    report.seen = referee.seen();
    report.charges = referee.charges();
    report.posts = app.posts();
    report.probes = app.probes();
    report.appCrashes = app.crashes();
    report.purchases = person.purchases();
    return report;
}

} // namespace payonce::simulation
