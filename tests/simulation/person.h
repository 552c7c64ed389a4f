// Person: wants to pay one cart, at one computer or two, presses what is offered, sometimes too early and too often, and
// changes the card or gives up now and then.
#pragma once

#include "simulation/device.h"

namespace payonce::simulation {

class Person
{
public:
    using Devices = std::vector<std::unique_ptr<Device>>;

    Person(World& world, const Devices& devices, Database& database);

    /// Nothing more will be pressed that could change anything.
    [[nodiscard]] bool isDone() const;
    [[nodiscard]] bool holdsPaid() const;
    [[nodiscard]] int purchases() const { return m_purchases; }

private:
    static constexpr int kPurchasesMost = 4;

    void actLater();
    void act();
    void actAt(Device& device, App& window);
    /// What happens to computers and accounts, not by anybody's will.
    [[nodiscard]] bool mishap(Device& device);
    void press(const Device& device, App& window);
    void pressAnyway(App& window);
    void cancel(App& window);
    void pay(App& window);

    World& m_world;
    const Devices& m_devices;
    Database& m_database;
    int m_purchases = 0;
    std::string m_card;
};

} // namespace payonce::simulation
