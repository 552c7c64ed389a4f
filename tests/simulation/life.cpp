#include "simulation/life.h"

#include "simulation/canceller.h"

#include <algorithm>

namespace payonce::simulation {

using namespace std::chrono_literals;

namespace {

/// Everything in one life, wired together.
class Stage
{
public:
    Stage(const Script& script, World::Tracing tracing);

    void play();
    [[nodiscard]] LifeReport report() const;

private:
    [[nodiscard]] static Network::Shops openShops(World& world, Database& database, Bank& bank, Referee& referee);
    [[nodiscard]] Person::Devices buyDevices();
    /// The bank's own word about a charge: at least once, late, to any server.
    void tell(const idempotency::KeyRecord& record, const idempotency::BankRow& row, int tries);
    [[nodiscard]] bool isOver() const;
    void judge();

    World m_world;
    Referee m_referee;
    Database m_database;
    Bank m_bank;
    Network::Shops m_shops;
    Network m_network;
    Person::Devices m_devices;
    Person m_person;
    Canceller m_canceller;
};

Stage::Stage(const Script& script, World::Tracing tracing)
    : m_world(script.seed, script.planted, tracing, script.cuts),
      m_referee(m_world),
      m_database(m_world),
      m_bank(m_world, m_referee),
      m_shops(openShops(m_world, m_database, m_bank, m_referee)),
      m_network(m_world, m_shops, m_referee),
      m_devices(buyDevices()),
      m_person(m_world, m_devices, m_database),
      m_canceller(m_world, m_devices, m_network, m_referee)
{
    m_referee.watch([this](const values::ActionId& id) { return m_database.mayStillCharge(id); });
    m_bank.whenDecided([this](const idempotency::KeyRecord& record, const idempotency::BankRow& row) {
        constexpr int kTries = 4;
        for (int copies = m_world.chance(0.3) ? 2 : 1; copies > 0; --copies)
            tell(record, row, kTries);
    });
}

Network::Shops Stage::openShops(World& world, Database& database, Bank& bank, Referee& referee)
{
    Network::Shops shops;
    shops.push_back(std::make_unique<Shop>(world, database, bank, referee, "shop1"));
    if (world.chance(world.weather().secondShop))
        shops.push_back(std::make_unique<Shop>(world, database, bank, referee, "shop2"));
    return shops;
}

Person::Devices Stage::buyDevices()
{
    Person::Devices devices;
    const int windows = m_world.chance(m_world.weather().secondWindow) ? 2 : 1;
    devices.push_back(std::make_unique<Device>(m_world, m_network, m_referee, "desk", windows));
    if (m_world.chance(m_world.weather().secondDevice))
        devices.push_back(std::make_unique<Device>(m_world, m_network, m_referee, "phone", 1));
    return devices;
}

void Stage::tell(const idempotency::KeyRecord& record, const idempotency::BankRow& row, int tries)
{
    const Micros delay = m_world.isStormy() ? m_world.between(10ms, 20s) : m_world.between(10ms, 1s);
    m_world.after(delay, [this, record, row, tries] {
        const bool isHeard = m_shops.at(m_world.draw() % m_shops.size())->hear(record, row);
        if (!isHeard && tries > 1)
            tell(record, row, tries - 1);
    });
}

bool Stage::isOver() const
{
    const Micros zombiesOver = m_world.weather().storm + 130s; // the latest message of the storm has arrived
    return m_world.now() > zombiesOver && m_person.isDone() && m_database.isQuiet() && !m_database.hasUnsentMail() &&
           std::all_of(m_devices.begin(), m_devices.end(), [](const auto& device) { return device->isQuiet(); });
}

void Stage::play()
{
    // A clock that was a day ahead when an action was made: it is over a day and a quarter of an hour later.
    const Micros limit = m_world.weather().storm + 25h;
    while (m_referee.violation().empty() && !isOver() && m_world.runNext(limit))
        continue;
    if (m_referee.violation().empty())
        judge();
}

void Stage::judge()
{
    if (!m_database.isQuiet())
        m_referee.fail("the life does not end: a record is open at the shop");
    for (const auto& device : m_devices) {
        for (const auto& window : device->windows()) {
            if (window->isRunning())
                m_referee.windowEnded(window->snapshot());
            else
                m_referee.fail("the life does not end: a window is closed");
        }
        for (const auto& action : device->journal().actions())
            if (m_referee.isCharged(action.id) && (!action.final || action.final->state != retry::State::Paid))
                m_referee.fail("charged, and the journal does not know: " + reference(action.id));
    }
    m_referee.lifeEnded();
}

LifeReport Stage::report() const
{
    LifeReport report;
    report.violation = m_referee.violation();
    report.seen = m_referee.seen();
    report.storm = m_world.weather().storm;
    report.charges = m_referee.charges();
    report.purchases = m_person.purchases();
    const auto& first = *m_devices.front()->windows().front();
    report.end = m_person.holdsPaid() ? nameOf(retry::State::Paid) : first.isRunning() ? describe(first.snapshot()) : "crashed";
    for (const auto& device : m_devices) {
        for (const auto& window : device->windows()) {
            report.posts += window->posts();
            report.probes += window->probes();
            report.appCrashes += window->crashes();
        }
    }
    return report;
}

} // namespace

LifeReport live(const Script& script, World::Tracing tracing)
{
    Stage stage(script, tracing);
    stage.play();
    return stage.report();
}

} // namespace payonce::simulation
