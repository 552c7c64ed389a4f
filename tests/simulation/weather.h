// Weather: how nasty one life is. Calm once the storm is over.
#pragma once

#include "values/time.h"

#include <array>
#include <bitset>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace payonce::simulation {

using Micros = std::chrono::microseconds;

struct Weather
{
    Micros storm{};

    // The network.
    double refuse = 0; ///< a connection is refused: no byte taken
    double lose = 0;   ///< a message never arrives
    double late = 0;   ///< a message arrives seconds to minutes late
    double twice = 0;  ///< a request arrives twice
    double broken = 0; ///< an answer is cut or falsified: its digest is wrong
    double mixed = 0;  ///< the answer about another action comes instead

    // The shop.
    double secondShop = 0; ///< whether there is another server on the same database
    double strange = 0;    ///< it refuses or fails before it reads the key
    double storeFails = 0;
    double bankUnknown = 0; ///< a bank call's answer is lost or late
    double shopCrash = 0;   ///< before a step
    double shopFreeze = 0;  ///< before a step; it goes on later as if nothing had been
    double shopClock = 0;   ///< its clock is stepped
    double signOut = 0;     ///< for a while every request is answered with 401

    // The app.
    double secondWindow = 0; ///< whether another process has the same journal
    double secondDevice = 0; ///< whether there is another journal of the same account
    double appCrash = 0;     ///< before a step
    double appFreeze = 0;    ///< before a step
    double appClock = 0;     ///< the computer's clock is stepped
    double deviceLost = 0;   ///< a crash takes the journal along
    double diskFails = 0;
    double diskLies = 0; ///< a save is durable but reported as failed
    double diskStalls = 0;

    // People.
    double impatient = 0; ///< presses what is not offered
    double cancel = 0;    ///< cancels, or abandons from elsewhere
};

struct WeatherMember
{
    std::string_view name;
    double Weather::*value;
    double most;
};

inline constexpr std::array kWeatherMembers = {
    WeatherMember{"refuse", &Weather::refuse, 0.6},
    WeatherMember{"lose", &Weather::lose, 0.5},
    WeatherMember{"late", &Weather::late, 0.4},
    WeatherMember{"twice", &Weather::twice, 0.4},
    WeatherMember{"broken", &Weather::broken, 0.3},
    WeatherMember{"mixed", &Weather::mixed, 0.1},
    WeatherMember{"second-shop", &Weather::secondShop, 1.0},
    WeatherMember{"strange", &Weather::strange, 0.2},
    WeatherMember{"store-fails", &Weather::storeFails, 0.3},
    WeatherMember{"bank-unknown", &Weather::bankUnknown, 0.5},
    WeatherMember{"shop-crash", &Weather::shopCrash, 0.2},
    WeatherMember{"shop-freeze", &Weather::shopFreeze, 0.1},
    WeatherMember{"shop-clock", &Weather::shopClock, 0.2},
    WeatherMember{"sign-out", &Weather::signOut, 0.1},
    WeatherMember{"second-window", &Weather::secondWindow, 1.0},
    WeatherMember{"second-device", &Weather::secondDevice, 0.7},
    WeatherMember{"app-crash", &Weather::appCrash, 0.1},
    WeatherMember{"app-freeze", &Weather::appFreeze, 0.1},
    WeatherMember{"app-clock", &Weather::appClock, 0.2},
    WeatherMember{"device-lost", &Weather::deviceLost, 0.1},
    WeatherMember{"disk-fails", &Weather::diskFails, 0.15},
    WeatherMember{"disk-lies", &Weather::diskLies, 0.15},
    WeatherMember{"disk-stalls", &Weather::diskStalls, 0.2},
    WeatherMember{"impatient", &Weather::impatient, 1.0},
    WeatherMember{"cancel", &Weather::cancel, 0.5},
};

/// What is taken away from a life: how a failing one is cut short.
struct Cuts
{
    std::bitset<kWeatherMembers.size()> without;
    std::optional<Micros> storm; ///< it ends so early
    friend bool operator==(const Cuts&, const Cuts&) = default;
};

/// Calm, rough and wild lives; each kind of fault is left out of some of them, so that rare orders get room.
[[nodiscard]] Weather drawWeather(const std::function<std::uint64_t()>& draw, const Cuts& cuts);

} // namespace payonce::simulation
