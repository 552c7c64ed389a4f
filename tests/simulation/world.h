// World: simulated time, seeded chance, and how nasty this life is.
#pragma once

#include "values/time.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <string>
#include <vector>

namespace payonce::simulation {

using Micros = std::chrono::microseconds;

/// Faults planted into the world (never into production code) to show that the referee finds them.
enum class Planted {
    Nothing,
    BankNotIdempotent,        ///< every call of charge is a new charge
    ShopForgetsClaims,        ///< a crash of the shop loses its records
    NotFoundIsFinal,          ///< a probe's 404 is taken as "closed, not charged"
    JournalForgetsRows,       ///< an attempt row is reported as saved and is not durable
    JournalForgetsReady,      ///< save 2 is reported as saved and is not durable
    LostAnswerIsNotSent,      ///< a POST whose answer is lost is reported as if no byte had been taken
    AbandonAsksNoBank,        ///< an open record is called abandoned without the bank's fence
    AbandonLeavesNoTombstone, ///< an abandon of an unknown action is answered and not written
    ReconcilerIgnoresWishes,  ///< the reconciler charges a record that is to be cancelled
};

[[nodiscard]] const char* nameOf(Planted planted);
[[nodiscard]] std::optional<Planted> plantedOf(const std::string& name);

/// Probabilities of one life; all zero once the storm is over.
struct Weather
{
    Micros storm{};
    double refuse = 0;  ///< a connection is refused: no byte taken
    double lose = 0;    ///< a message never arrives
    double late = 0;    ///< a message arrives seconds to minutes late
    double twice = 0;   ///< a request arrives twice
    double broken = 0;  ///< an answer is cut or its digest is wrong
    double strange = 0; ///< the shop refuses or fails before it reads the key
    double storeFails = 0;
    double bankUnknown = 0; ///< a bank call's answer is lost or late
    double shopCrash = 0;   ///< before a step of the shop
    double appCrash = 0;    ///< before a step of the app
    double diskFails = 0;
    double diskLies = 0; ///< a save is durable but reported as failed
    double diskStalls = 0;
    double impatient = 0;
    double cancel = 0; ///< somebody else abandons what the person is at
};

class World
{
public:
    enum class Tracing { Off, On };

    World(std::uint64_t seed, Planted planted, Tracing tracing);

    [[nodiscard]] Planted planted() const { return m_planted; }
    [[nodiscard]] const Weather& weather() const { return m_weather; }
    [[nodiscard]] bool isStormy() const { return m_now < m_weather.storm; }

    [[nodiscard]] Micros now() const { return m_now; }
    /// The server's clock; also the bank's.
    [[nodiscard]] values::WallTime wall() const;

    [[nodiscard]] std::uint64_t draw();
    [[nodiscard]] Micros between(Micros low, Micros high);
    /// Always false once the storm is over.
    [[nodiscard]] bool strikes(double probability);
    /// Also when it is quiet.
    [[nodiscard]] bool chance(double probability);

    void after(Micros delay, std::function<void()> task);
    /// Runs the next task. False: nothing is left before `limit`.
    bool runNext(Micros limit);

    void trace(const std::string& who, const std::string& what) const;

private:
    struct Task
    {
        Micros at;
        std::uint64_t order;
        std::function<void()> run;
        friend bool operator<(const Task& left, const Task& right)
        {
            return left.at != right.at ? left.at > right.at : left.order > right.order;
        }
    };

    void drawWeather();

    std::uint64_t m_random;
    Planted m_planted;
    Tracing m_tracing;
    Weather m_weather;
    Micros m_now{};
    std::uint64_t m_order = 0;
    std::priority_queue<Task> m_tasks;
};

} // namespace payonce::simulation
