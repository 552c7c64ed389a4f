// Shop: a small server around the real ledger: claim, then the bank, then settle; a reconciler every second; crashes.
#pragma once

#include "idempotency/memory_ledger_store.h"
#include "retry/wire_result.h"
#include "simulation/bank.h"

#include <memory>

namespace payonce::simulation {

/// What reaches the shop.
struct Request
{
    enum class Kind { Post, Probe, Abandon };
    Kind kind = Kind::Post;
    values::ActionId id;
    std::optional<idempotency::PaymentTerms> terms{}; ///< of Post
    std::string body{};                               ///< of Post
};

class Shop
{
public:
    using Reply = std::function<void(const retry::WireResult&)>;

    Shop(World& world, Bank& bank, Referee& referee);

    [[nodiscard]] bool isUp() const { return m_isUp; }
    void receive(const Request& request, const Reply& reply);
    /// Called at every crash, so that the network can break the open connections.
    void whenCrashed(std::function<void()> hear) { m_hearCrash = std::move(hear); }

private:
    using BankAnswer = std::function<void(const std::optional<idempotency::BankRow>&)>;
    enum class Verb { Charge, Lookup, Fence };

    void start();
    void crash();
    /// Runs `task` a little later, unless the process dies before.
    void step(Micros low, Micros high, const std::function<void()>& task);

    void claim(const Request& request, const Reply& reply);
    void pay(const idempotency::KeyRecord& record, const Reply& reply);
    void answerFromRecord(Request::Kind kind, const values::ActionId& id, Micros until, const Reply& reply);
    void askBank(Verb verb, const idempotency::KeyRecord& record, const BankAnswer& answer);
    void settle(const idempotency::KeyRecord& record, const std::optional<idempotency::BankRow>& row);
    void abandon(const Request& request, const Reply& reply);
    void fence(const idempotency::KeyRecord& record);
    void purge();
    [[nodiscard]] std::optional<idempotency::KeyRecord> known(const values::ActionId& id);
    void reconcile();
    void reconcileOne(const idempotency::KeyRecord& record);
    [[nodiscard]] std::string owner() const { return "shop/" + std::to_string(m_epoch); }

    World& m_world;
    Bank& m_bank;
    Referee& m_referee;
    std::unique_ptr<idempotency::MemoryLedgerStore> m_store;
    bool m_isUp = false;
    int m_epoch = 0;
    std::vector<values::ActionId> m_busy;
    std::function<void()> m_hearCrash;
};

} // namespace payonce::simulation
