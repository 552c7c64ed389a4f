// Shop: a small server around the real ledger: claim, then the bank, then settle; a reconciler and an outbox every second; it
// crashes, and it freezes and goes on as if nothing had been. Several share one database.
#pragma once

#include "idempotency/retention_rules.h"
#include "retry/wire_result.h"
#include "simulation/bank.h"
#include "simulation/database.h"

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

    Shop(World& world, Database& database, Bank& bank, Referee& referee, std::string name);

    [[nodiscard]] bool isUp() const { return m_isUp; }
    void receive(const Request& request, const Reply& reply);
    /// The bank tells by itself what it decided. False: nobody is there.
    bool hear(const idempotency::KeyRecord& record, const idempotency::BankRow& row);
    /// Called at every crash, so that the network can break the open connections.
    void whenCrashed(std::function<void()> hear) { m_hearCrash = std::move(hear); }

private:
    using BankAnswer = std::function<void(const std::optional<idempotency::BankRow>&)>;
    enum class Verb { Charge, Lookup, Fence };

    void start();
    void crash();
    /// Runs `task` a little later, unless the process dies before.
    void step(Micros low, Micros high, const std::function<void()>& task);
    void stepOf(int epoch, Micros delay, const std::function<void()>& task);

    void claim(const Request& request, const Reply& reply);
    void pay(const idempotency::KeyRecord& record, const Reply& reply);
    void payThenClaim(const idempotency::ClaimRequest& request, const idempotency::ClaimStamp& stamp,
                      const idempotency::KeyRecord& record, const Reply& reply);
    void answerLater(const values::ActionId& id, const Reply& reply);
    void answerFromRecord(Request::Kind kind, const values::ActionId& id, Micros until, const Reply& reply);
    void askBank(Verb verb, const idempotency::KeyRecord& record, const BankAnswer& answer);
    void carryOut(Verb verb, const idempotency::KeyRecord& record, const Bank::Answer& answer);
    /// False: it died before the commit.
    [[nodiscard]] bool settle(const idempotency::KeyRecord& record, const std::optional<idempotency::BankRow>& row);
    void abandon(const Request& request, const Reply& reply);
    void fence(const idempotency::KeyRecord& record);
    void purge();
    void reconcile();
    void reconcileOne(const idempotency::KeyRecord& record);
    void decideFor(const idempotency::KeyRecord& record, const idempotency::BankRow& row);
    void sendMails();
    [[nodiscard]] idempotency::ClockReading clocks() const;
    [[nodiscard]] std::string owner() const { return m_name + "/" + std::to_string(m_epoch); }
    void trace(const std::string& what) const { m_world.trace(m_name, what); }

    World& m_world;
    Database& m_database;
    Bank& m_bank;
    Referee& m_referee;
    std::string m_name;
    bool m_isUp = false;
    int m_epoch = 0;
    Micros m_frozenUntil{};
    idempotency::ClockReading m_trusted; ///< what the purge goes by
    std::vector<values::ActionId> m_busy;
    int m_deliveries = 0;
    std::function<void()> m_hearCrash;
};

} // namespace payonce::simulation
