// Person: wants to pay one cart, presses what is offered, sometimes too early and too often.
#pragma once

#include "simulation/app.h"

namespace payonce::simulation {

class Person
{
public:
    Person(World& world, App& app, const MemoryJournal& journal);

    /// Nothing more will be pressed that could change anything.
    [[nodiscard]] bool isDone() const;
    [[nodiscard]] int purchases() const { return m_purchases; }

private:
    static constexpr int kPurchasesMost = 4;

    void actLater();
    void act();
    void press(const retry::Snapshot& snapshot);
    void pressAnyway();
    void pay();

    World& m_world;
    App& m_app;
    const MemoryJournal& m_journal;
    int m_purchases = 0;
    std::string m_card;
};

} // namespace payonce::simulation
