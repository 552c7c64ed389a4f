#include "simulation/shop.h"

#include "simulation/answers.h"

#include "values/check.h"

#include <algorithm>

namespace payonce::simulation {

using namespace std::chrono_literals;
using idempotency::BankRow;
using idempotency::KeyRecord;
using idempotency::ReconcileStep;

namespace {

constexpr const char* kAccount = "acct_1";
const idempotency::LedgerNumbers kNumbers;
/// Shorter than a life, so that records go while copies of their requests are still under way.
constexpr std::chrono::minutes kRetention{2};

std::unique_ptr<idempotency::MemoryLedgerStore> emptyStore()
{
    const auto render = [](const KeyRecord& record) {
        return idempotency::StoredAnswer{record.state == values::RecordState::Succeeded ? 201 : 402, {}};
    };
    auto store = std::make_unique<idempotency::MemoryLedgerStore>(render, kNumbers);
    store->addPaymentMethod(kAccount, "pm_good");
    store->addPaymentMethod(kAccount, "pm_declined");
    return store;
}

idempotency::Fingerprint fingerprintOf(const std::string& body)
{
    idempotency::Fingerprint fingerprint;
    const auto hash = std::hash<std::string>{}(body);
    for (std::size_t i = 0; i < sizeof hash; ++i)
        fingerprint.bytes.at(i) = static_cast<std::uint8_t>(hash >> (8 * i));
    return fingerprint;
}

values::UuidRandom randomBytes(World& world)
{
    values::UuidRandom bytes{};
    for (auto& byte : bytes)
        byte = static_cast<std::uint8_t>(world.draw());
    return bytes;
}

} // namespace

Shop::Shop(World& world, Bank& bank, Referee& referee) : m_world(world), m_bank(bank), m_referee(referee), m_store(emptyStore())
{
    start();
}

void Shop::start()
{
    m_isUp = true;
    ++m_epoch;
    m_world.trace("shop", "starts");
    reconcile();
    purge();
}

void Shop::crash()
{
    m_world.trace("shop", "CRASH");
    m_store->loseBatch();
    if (m_world.planted() == Planted::ShopForgetsClaims)
        m_store = emptyStore();
    m_isUp = false;
    ++m_epoch;
    m_busy.clear();
    if (m_hearCrash)
        m_hearCrash();
    const Micros away = m_world.chance(0.2) ? m_world.between(2s, 40s) : m_world.between(50ms, 2s);
    m_world.after(away, [this] { start(); });
}

void Shop::step(Micros low, Micros high, const std::function<void()>& task)
{
    m_world.after(m_world.between(low, high), [this, task, epoch = m_epoch] {
        if (epoch != m_epoch)
            return;
        if (m_world.strikes(m_world.weather().shopCrash))
            return crash();
        task();
    });
}

void Shop::receive(const Request& request, const Reply& reply)
{
    step(50us, 2ms, [this, request, reply] {
        // Nothing before the claim is ever remembered.
        if (m_world.strikes(m_world.weather().strange))
            return reply(strangeAnswer(request.id, m_world.draw()));
        if (request.kind == Request::Kind::Post)
            claim(request, reply);
        else if (request.kind == Request::Kind::Abandon)
            abandon(request, reply);
        else
            answerFromRecord(request.kind, request.id, m_world.now() + 4s, reply);
    });
}

void Shop::claim(const Request& request, const Reply& reply)
{
    if (m_world.strikes(m_world.weather().storeFails))
        return reply(problem(request.id, 503, "store-unavailable", 1s));
    const auto key = values::BankKey::mint(request.id.madeAt().value(), randomBytes(m_world));
    const std::string tail = reference(request.id);
    CHECK(m_store->beginBatch().has_value());
    const auto decision = m_store->claim({kAccount, request.id, "policy-1", fingerprintOf(request.body), request.terms.value()},
                                         {owner(), m_world.wall(), key, "pay_" + tail, "ord_" + tail});
    if (m_world.strikes(m_world.weather().shopCrash))
        return crash(); // before the commit
    CHECK(m_store->commitBatch().has_value() && decision.has_value());
    if (const auto* execute = std::get_if<idempotency::Execute>(&*decision)) {
        m_world.trace("shop", "claimed " + tail);
        m_busy.push_back(request.id);
        return step(50us, 5ms, [this, record = execute->record, reply] { pay(record, reply); });
    }
    if (std::holds_alternative<idempotency::Mismatch>(*decision))
        return reply(problem(request.id, 422, "key-reused"));
    if (const auto* refused = std::get_if<idempotency::RefuseClaim>(&*decision)) {
        const auto& rule = idempotency::ruleOf(refused->code);
        return reply(problem(request.id, rule.status, std::string(rule.name)));
    }
    answerFromRecord(request.kind, request.id, m_world.now() + 25s, reply);
}

void Shop::pay(const KeyRecord& record, const Reply& reply)
{
    askBank(Verb::Charge, record, [this, record, reply](const std::optional<BankRow>& row) {
        settle(record, row);
        m_busy.erase(std::remove(m_busy.begin(), m_busy.end(), record.id), m_busy.end());
        // Held until it settles or becomes unknown, then answered from the record as it stands.
        step(20us, 2ms, [this, id = record.id, reply] { answerFromRecord(Request::Kind::Post, id, m_world.now(), reply); });
    });
}

void Shop::answerFromRecord(Request::Kind kind, const values::ActionId& id, Micros until, const Reply& reply)
{
    const auto record = known(id);
    if (!record)
        return reply(problem(id, 404, "action-unknown"));
    if (!values::isTerminal(record->state) && m_world.now() < until)
        return step(150ms, 250ms, [this, kind, id, until, reply] { answerFromRecord(kind, id, until, reply); });
    reply(kind == Request::Kind::Post ? postAnswer(*record) : probeAnswer(*record));
}

/// The record, or what is left of it below the watermark.
std::optional<KeyRecord> Shop::known(const values::ActionId& id)
{
    const auto record = m_store->find(kAccount, id).value();
    return record ? record : m_store->findPurged({kAccount, id}).value();
}

void Shop::abandon(const Request& request, const Reply& reply)
{
    if (m_world.strikes(m_world.weather().storeFails))
        return reply(problem(request.id, 503, "store-unavailable", 1s));
    CHECK(m_store->beginBatch().has_value());
    const auto decision = m_store->abandon({kAccount, request.id}, {owner(), m_world.wall()});
    const bool isForgotten = m_world.planted() == Planted::AbandonLeavesNoTombstone && decision &&
                             std::holds_alternative<idempotency::WriteTombstone>(*decision);
    if (isForgotten)
        m_store->loseBatch();
    if (m_world.strikes(m_world.weather().shopCrash))
        return crash(); // before the commit
    CHECK(isForgotten || m_store->commitBatch().has_value());
    CHECK(decision.has_value());
    if (isForgotten)
        return reply(probeAnswer(std::get<idempotency::WriteTombstone>(*decision).record));
    const auto* open = std::get_if<idempotency::FenceAtBank>(&*decision);
    if (open != nullptr && m_world.planted() == Planted::AbandonAsksNoBank) {
        KeyRecord closed = open->record;
        closed.state = values::RecordState::Abandoned;
        return reply(probeAnswer(closed));
    }
    if (open != nullptr)
        fence(open->record);
    answerFromRecord(request.kind, request.id, m_world.now() + kNumbers.abandonLimit, reply);
}

/// The second durable step: whoever hears the bank first takes the record over.
void Shop::fence(const KeyRecord& record)
{
    m_world.trace("shop", "fences " + reference(record.id));
    askBank(Verb::Fence, record, [this, record](const std::optional<BankRow>& row) {
        if (!row)
            return;
        CHECK(m_store->beginBatch().has_value());
        CHECK(m_store->takeOverAndSettle({kAccount, record.id}, {owner(), m_world.wall()}, *row).has_value());
        CHECK(m_store->commitBatch().has_value());
    });
}

/// The watermark is durable before anything is deleted.
void Shop::purge()
{
    CHECK(m_store->beginBatch().has_value());
    CHECK(m_store->raiseWatermark(m_world.wall() - kRetention).has_value());
    CHECK(m_store->commitBatch().has_value());
    CHECK(m_store->beginBatch().has_value());
    const auto gone = m_store->purge(100);
    CHECK(m_store->commitBatch().has_value() && gone.has_value());
    if (*gone > 0)
        m_world.trace("shop", "purges " + std::to_string(*gone));
    step(20s, 20s, [this] { purge(); });
}

/// The bank carries out what reached it whether or not the shop still lives or listens.
void Shop::askBank(Verb verb, const KeyRecord& record, const BankAnswer& answer)
{
    const auto carryOut = [this, verb, record]() -> BankRow {
        switch (verb) {
        case Verb::Charge: return m_bank.charge(record);
        case Verb::Lookup: return m_bank.lookup(record);
        case Verb::Fence: return m_bank.fence(record);
        }
        return {};
    };
    if (!m_world.strikes(m_world.weather().bankUnknown)) {
        return m_world.after(m_world.between(1ms, m_world.isStormy() ? Micros(3s) : Micros(30ms)),
                             [this, carryOut, answer, epoch = m_epoch] {
                                 const BankRow row = carryOut();
                                 if (epoch == m_epoch)
                                     step(1ms, 20ms, [row, answer] { answer(row); });
                             });
    }
    if (!m_world.chance(0.3)) // else it never reached the bank
        m_world.after(m_world.between(1ms, 20s), [carryOut] { (void)carryOut(); });
    step(kNumbers.bankLimit, kNumbers.bankLimit, [answer] { answer({}); });
}

void Shop::settle(const KeyRecord& record, const std::optional<BankRow>& row)
{
    CHECK(m_store->beginBatch().has_value());
    const idempotency::Ownership by{kAccount, record.id, record.owner, record.fence};
    const auto after = row ? m_store->settle(by, *row, m_world.wall()) : m_store->markUnknown(by);
    CHECK(after.has_value());
    CHECK(m_store->commitBatch().has_value());
    m_world.trace("shop", reference(record.id) + " is " + nameOf(after->state));
}

void Shop::reconcile()
{
    CHECK(m_store->beginBatch().has_value());
    const auto taken = m_store->takeOverOpen(owner(), m_world.wall(), 10, m_busy);
    CHECK(m_store->commitBatch().has_value() && taken.has_value());
    for (const auto& record : *taken)
        reconcileOne(record);
    step(1s, 1s, [this] { reconcile(); });
}

void Shop::reconcileOne(const KeyRecord& record)
{
    askBank(Verb::Lookup, record, [this, record](const std::optional<BankRow>& row) {
        if (!row)
            return;
        const auto settleWith = [this, record](const std::optional<BankRow>& later) {
            if (later)
                settle(record, later);
        };
        KeyRecord seen = record;
        if (m_world.planted() == Planted::ReconcilerIgnoresWishes)
            seen.cancelRequested = false;
        const auto next = nextStep(seen, *row, m_world.wall());
        if (next == ReconcileStep::Charge)
            m_referee.reconcilerCharges(record.id, record.cancelRequested);
        switch (next) {
        case ReconcileStep::Settle: return settle(record, row);
        case ReconcileStep::Charge: return askBank(Verb::Charge, record, settleWith);
        case ReconcileStep::Fence: return askBank(Verb::Fence, record, settleWith);
        case ReconcileStep::AskLater: return;
        }
    });
}

} // namespace payonce::simulation
