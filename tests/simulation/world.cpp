#include "simulation/world.h"

#include <array>
#include <iostream>

namespace payonce::simulation {

namespace {

constexpr std::array kAllPlanted = {Planted::Nothing,
                                    Planted::BankNotIdempotent,
                                    Planted::ShopForgetsClaims,
                                    Planted::NotFoundIsFinal,
                                    Planted::JournalForgetsRows,
                                    Planted::JournalForgetsReady,
                                    Planted::LostAnswerIsNotSent,
                                    Planted::AbandonAsksNoBank,
                                    Planted::AbandonLeavesNoTombstone,
                                    Planted::ReconcilerIgnoresWishes};

} // namespace

const char* nameOf(Planted planted)
{
    switch (planted) {
    case Planted::Nothing: return "nothing";
    case Planted::BankNotIdempotent: return "bank-not-idempotent";
    case Planted::ShopForgetsClaims: return "shop-forgets-claims";
    case Planted::NotFoundIsFinal: return "not-found-is-final";
    case Planted::JournalForgetsRows: return "journal-forgets-rows";
    case Planted::JournalForgetsReady: return "journal-forgets-ready";
    case Planted::LostAnswerIsNotSent: return "lost-answer-is-not-sent";
    case Planted::AbandonAsksNoBank: return "abandon-asks-no-bank";
    case Planted::AbandonLeavesNoTombstone: return "abandon-leaves-no-tombstone";
    case Planted::ReconcilerIgnoresWishes: return "reconciler-ignores-wishes";
    }
    return "";
}

std::optional<Planted> plantedOf(const std::string& name)
{
    for (const auto planted : kAllPlanted)
        if (name == nameOf(planted))
            return planted;
    return {};
}

World::World(std::uint64_t seed, Planted planted, Tracing tracing) : m_random(seed), m_planted(planted), m_tracing(tracing)
{
    (void)draw();
    drawWeather();
}

/// Calm, rough and wild lives; each kind of fault is left out of some of them, so that rare orders get room.
void World::drawWeather()
{
    const double roughness = static_cast<double>(1 + draw() % 3);
    const auto some = [this, roughness](double most) {
        return draw() % 3 == 0 ? 0.0 : most * roughness * static_cast<double>(draw() % 1000) / 3000.0;
    };
    m_weather.storm = std::chrono::seconds(5 + draw() % 100);
    m_weather.refuse = some(0.6);
    m_weather.lose = some(0.5);
    m_weather.late = some(0.4);
    m_weather.twice = some(0.4);
    m_weather.broken = some(0.3);
    m_weather.strange = some(0.2);
    m_weather.storeFails = some(0.3);
    m_weather.bankUnknown = some(0.5);
    m_weather.shopCrash = some(0.2);
    m_weather.appCrash = some(0.1);
    m_weather.diskFails = some(0.15);
    m_weather.diskLies = some(0.15);
    m_weather.diskStalls = some(0.2);
    m_weather.impatient = some(1.0);
    m_weather.cancel = some(0.5);
}

values::WallTime World::wall() const
{
    constexpr auto kStart = values::WallTime(std::chrono::milliseconds(1'796'040'000'000)); // 2026-11-30T12:00:00Z
    return kStart + std::chrono::floor<std::chrono::milliseconds>(m_now);
}

std::uint64_t World::draw()
{
    m_random += 0x9E3779B97F4A7C15U;
    std::uint64_t mixed = m_random;
    mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
    return mixed ^ (mixed >> 31U);
}

Micros World::between(Micros low, Micros high)
{
    const auto span = static_cast<std::uint64_t>((high - low).count()) + 1;
    return low + Micros(static_cast<Micros::rep>(draw() % span));
}

bool World::strikes(double probability)
{
    return isStormy() && chance(probability);
}

bool World::chance(double probability)
{
    return static_cast<double>(draw() % 1'000'000) < probability * 1'000'000;
}

void World::after(Micros delay, std::function<void()> task)
{
    m_tasks.push(Task{m_now + delay, m_order++, std::move(task)});
}

bool World::runNext(Micros limit)
{
    if (m_tasks.empty() || m_tasks.top().at > limit)
        return false;
    const Task task = m_tasks.top();
    m_tasks.pop();
    m_now = task.at;
    task.run();
    return true;
}

void World::trace(const std::string& who, const std::string& what) const
{
    if (m_tracing == Tracing::Off)
        return;
    const auto micros = m_now.count();
    std::string fraction = std::to_string(micros % 1'000'000);
    fraction.insert(0, 6 - fraction.size(), '0');
    std::cout << std::string(micros < 10'000'000    ? "  "
                             : micros < 100'000'000 ? " "
                                                    : "")
              << micros / 1'000'000 << '.' << fraction << "  " << who << std::string(who.size() < 8 ? 8 - who.size() : 1, ' ')
              << what << '\n';
}

} // namespace payonce::simulation
