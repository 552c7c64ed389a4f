// Bank: the outside world. Charge, lookup and fence, idempotent by key; it never crashes and never forgets, and tells by itself
// what it did.
#pragma once

#include "idempotency/key_record.h"
#include "simulation/referee.h"

#include <functional>
#include <map>

namespace payonce::simulation {

class Bank
{
public:
    using Answer = std::function<void(const idempotency::BankRow&)>;
    using Hear = std::function<void(const idempotency::KeyRecord&, const idempotency::BankRow&)>;

    Bank(World& world, Referee& referee) : m_world(world), m_referee(referee) {}

    /// Takes a while; whoever asks about the key meanwhile hears *running*.
    void charge(const idempotency::KeyRecord& record, const Answer& answer);
    [[nodiscard]] idempotency::BankRow lookup(const idempotency::KeyRecord& record) const;
    idempotency::BankRow fence(const idempotency::KeyRecord& record);
    /// Called at every decision about a charge.
    void whenDecided(Hear hear) { m_hear = std::move(hear); }

private:
    void decide(const idempotency::KeyRecord& record);

    World& m_world;
    Referee& m_referee;
    std::map<values::BankKey, idempotency::BankRow> m_rows;
    Hear m_hear;
};

} // namespace payonce::simulation
