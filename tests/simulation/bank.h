// Bank: the outside world. Charge, lookup and fence, idempotent by key; it never crashes and never forgets.
#pragma once

#include "idempotency/key_record.h"
#include "simulation/referee.h"

namespace payonce::simulation {

class Bank
{
public:
    Bank(World& world, Referee& referee) : m_world(world), m_referee(referee) {}

    idempotency::BankRow charge(const idempotency::KeyRecord& record);
    [[nodiscard]] idempotency::BankRow lookup(const idempotency::KeyRecord& record) const;
    idempotency::BankRow fence(const idempotency::KeyRecord& record);

private:
    World& m_world;
    Referee& m_referee;
    std::map<values::BankKey, idempotency::BankRow> m_rows;
};

} // namespace payonce::simulation
