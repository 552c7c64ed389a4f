#include "simulation/shop.h"

#include "idempotency/event_rules.h"
#include "simulation/answers.h"

#include <algorithm>
#include <utility>

namespace payonce::simulation {

using namespace std::chrono_literals;
using idempotency::BankRow;
using idempotency::BankState;
using idempotency::KeyRecord;
using idempotency::ReconcileStep;

namespace {

idempotency::Fingerprint fingerprintOf(const std::string& body)
{
    idempotency::Fingerprint fingerprint;
    const auto hash = std::hash<std::string>{}(body);
    for (std::size_t i = 0; i < sizeof hash; ++i)
        fingerprint.bytes.at(i) = static_cast<std::uint8_t>(hash >> (8 * i));
    return fingerprint;
}

} // namespace

Shop::Shop(World& world, Database& database, Bank& bank, Referee& referee, std::string name)
    : m_world(world), m_database(database), m_bank(bank), m_referee(referee), m_name(std::move(name))
{
    start();
}

void Shop::start()
{
    m_isUp = true;
    ++m_epoch;
    trace("starts");
    m_trusted = clocks();
    reconcile();
    purge();
    sendMails();
}

void Shop::crash()
{
    trace("CRASH");
    m_database.lose();
    if (m_world.has(Planted::ShopForgetsClaims))
        m_database.forgetEverything();
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
    stepOf(m_epoch, m_world.between(low, high), task);
}

void Shop::stepOf(int epoch, Micros delay, const std::function<void()>& task)
{
    m_world.after(delay, [this, task, epoch] {
        if (epoch != m_epoch)
            return;
        const auto& weather = m_world.weather();
        if (m_world.strikes(weather.shopCrash))
            return crash();
        if (m_world.now() >= m_frozenUntil && m_world.strikes(weather.shopFreeze)) {
            m_frozenUntil = m_world.now() + m_world.between(1s, 40s);
            trace("freezes");
        }
        if (m_world.now() < m_frozenUntil)
            return stepOf(epoch, m_frozenUntil - m_world.now(), task);
        task();
    });
}

void Shop::receive(const Request& request, const Reply& reply)
{
    step(50us, 2ms, [this, request, reply] {
        if (m_database.isSignedOut())
            return reply(problem(request.id, idempotency::ProblemCode::Unauthorized));
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
        return reply(problem(request.id, idempotency::ProblemCode::StoreUnavailable, 1s));
    const auto key = values::BankKey::mint(request.id.madeAt().value(), m_world.randomBytes());
    const std::string tail = reference(request.id);
    const idempotency::ClaimRequest asked{{}, request.id, "policy-1", fingerprintOf(request.body), request.terms.value()};
    const idempotency::ClaimStamp stamp{owner(), m_world.wall(), key, "pay_" + tail, "ord_" + tail};
    m_database.begin();
    const auto decision = m_database.claim(asked, stamp);
    if (m_world.strikes(m_world.weather().shopCrash))
        return crash(); // before the commit
    const auto* execute = std::get_if<idempotency::Execute>(&decision);
    if (execute != nullptr && m_world.has(Planted::AskBankBeforeClaim)) {
        m_database.lose();
        return payThenClaim(asked, stamp, execute->record, reply);
    }
    m_database.commit();
    if (execute != nullptr) {
        trace("claimed " + tail);
        m_busy.push_back(request.id);
        return step(50us, 5ms, [this, record = execute->record, reply] { pay(record, reply); });
    }
    if (const auto* written = std::get_if<idempotency::WriteTombstone>(&decision))
        return reply(postAnswer(written->record));
    if (std::holds_alternative<idempotency::Mismatch>(decision))
        return reply(problem(request.id, idempotency::ProblemCode::KeyReused));
    if (const auto* refused = std::get_if<idempotency::RefuseClaim>(&decision))
        return reply(problem(request.id, refused->code));
    answerFromRecord(request.kind, request.id, m_world.now() + 25s, reply);
}

void Shop::pay(const KeyRecord& record, const Reply& reply)
{
    askBank(Verb::Charge, record, [this, record, reply](const std::optional<BankRow>& row) {
        if (!settle(record, row))
            return;
        m_busy.erase(std::remove(m_busy.begin(), m_busy.end(), record.id), m_busy.end());
        answerLater(record.id, reply);
    });
}

/// Planted::AskBankBeforeClaim.
void Shop::payThenClaim(const idempotency::ClaimRequest& request, const idempotency::ClaimStamp& stamp, const KeyRecord& record,
                        const Reply& reply)
{
    askBank(Verb::Charge, record, [this, request, stamp, record, reply](const std::optional<BankRow>& row) {
        m_database.begin();
        (void)m_database.claim(request, stamp);
        m_database.commit();
        if (settle(record, row))
            answerLater(record.id, reply);
    });
}

/// Held until it settles or becomes unknown, then answered from the record as it stands.
void Shop::answerLater(const values::ActionId& id, const Reply& reply)
{
    step(20us, 2ms, [this, id, reply] { answerFromRecord(Request::Kind::Post, id, m_world.now(), reply); });
}

void Shop::answerFromRecord(Request::Kind kind, const values::ActionId& id, Micros until, const Reply& reply)
{
    const auto record = m_database.known(id);
    if (!record)
        return reply(problem(id, idempotency::ProblemCode::ActionUnknown));
    if (!values::isTerminal(record->state) && m_world.now() < until)
        return step(150ms, 250ms, [this, kind, id, until, reply] { answerFromRecord(kind, id, until, reply); });
    reply(kind == Request::Kind::Post ? postAnswer(*record) : probeAnswer(*record));
}

void Shop::abandon(const Request& request, const Reply& reply)
{
    if (m_world.strikes(m_world.weather().storeFails))
        return reply(problem(request.id, idempotency::ProblemCode::StoreUnavailable, 1s));
    m_database.begin();
    const auto decision = m_database.abandon(request.id, {owner(), m_world.wall()});
    if (m_world.strikes(m_world.weather().shopCrash))
        return crash(); // before the commit
    m_database.commit();
    if (const auto* written = std::get_if<idempotency::WriteTombstone>(&decision))
        return reply(probeAnswer(written->record));
    const auto* open = std::get_if<idempotency::FenceAtBank>(&decision);
    if (open != nullptr && m_world.has(Planted::AbandonAsksNoBank)) {
        KeyRecord closed = open->record;
        closed.state = values::RecordState::Abandoned;
        return reply(probeAnswer(closed));
    }
    if (open != nullptr)
        fence(open->record);
    answerFromRecord(request.kind, request.id, m_world.now() + m_database.numbers().abandonLimit, reply);
}

/// The second durable step: whoever hears the bank first takes the record over.
void Shop::fence(const KeyRecord& record)
{
    trace("fences " + reference(record.id));
    askBank(Verb::Fence, record, [this, record](const std::optional<BankRow>& row) {
        if (!row)
            return;
        m_database.begin();
        m_database.takeOverAndSettle(record.id, owner(), *row);
        m_database.commit();
    });
}

bool Shop::hear(const KeyRecord& record, const BankRow& row)
{
    if (!m_isUp)
        return false;
    step(1ms, 50ms, [this, record, row] {
        const idempotency::BankEvent event{record.orderNumber,   record.bankKey.value(), row, 1,
                                           record.terms->amount, m_world.wall()};
        const auto known = m_database.known(record.id);
        const bool isItsKey = known && known->bankKey == record.bankKey;
        if (!isItsKey || decideEvent(event, {known, false, {}}) != idempotency::EventOutcome::Applied)
            return;
        trace("hears of " + reference(record.id));
        m_database.begin();
        m_database.takeOverAndSettle(record.id, owner(), row);
        m_database.commit();
    });
    return true;
}

idempotency::ClockReading Shop::clocks() const
{
    return {m_world.wall(), std::chrono::floor<std::chrono::milliseconds>(m_world.now())};
}

/// The watermark is durable before anything is deleted; nothing is deleted by a clock that was moved.
void Shop::purge()
{
    step(20s, 20s, [this] { purge(); });
    const auto now = clocks();
    if (idempotency::wasMoved(m_trusted, now, m_database.numbers()))
        return;
    m_trusted = now;
    m_database.begin();
    const auto watermark = m_database.raiseWatermark(now.wall - m_database.numbers().recordRetention);
    m_database.commit();
    if (idempotency::isAheadOfClock(watermark, now.wall, m_database.numbers()))
        return;
    m_database.begin();
    const int gone = m_database.purge();
    m_database.commit();
    if (gone > 0)
        trace("purges " + std::to_string(gone));
}

void Shop::carryOut(Verb verb, const KeyRecord& record, const Bank::Answer& answer)
{
    switch (verb) {
    case Verb::Charge: return m_bank.charge(record, answer);
    case Verb::Lookup: return answer(m_bank.lookup(record));
    case Verb::Fence: return answer(m_bank.fence(record));
    }
}

/// The bank carries out what reached it whether or not the shop still lives or listens. An answer behind the limit is none.
void Shop::askBank(Verb verb, const KeyRecord& record, const BankAnswer& answer)
{
    if (m_world.strikes(m_world.weather().bankUnknown)) {
        if (!m_world.chance(0.3)) // else it never reached the bank
            m_world.after(m_world.between(1ms, 20s), [this, verb, record] { carryOut(verb, record, [](const BankRow&) {}); });
        const auto limit = m_database.numbers().bankLimit;
        return step(limit, limit, [answer] { answer({}); });
    }
    m_world.after(m_world.between(1ms, m_world.isStormy() ? Micros(3s) : Micros(30ms)),
                  [this, verb, record, answer, epoch = m_epoch] {
                      carryOut(verb, record, [this, answer, epoch](const BankRow& row) {
                          stepOf(epoch, m_world.between(1ms, 20ms), [row, answer] { answer(row); });
                      });
                  });
}

bool Shop::settle(const KeyRecord& record, const std::optional<BankRow>& row)
{
    const BankRow declined{BankState::Declined, {}, "timeout"};
    const auto heard = !row && m_world.has(Planted::TimeoutIsDecline) ? std::optional(declined) : row;
    m_database.begin();
    const auto after = heard ? m_database.settle(record, *heard) : m_database.markUnknown(record);
    if (m_world.strikes(m_world.weather().shopCrash)) { // before the commit
        crash();
        return false;
    }
    m_database.commit();
    trace(reference(record.id) + " is " + nameOf(after.state));
    if (m_world.has(Planted::MailAfterCommit) && after.state == values::RecordState::Succeeded)
        step(1ms, 20ms, [this, id = record.id] { m_database.putReceipt(id); });
    return true;
}

void Shop::reconcile()
{
    step(1s, 1s, [this] { reconcile(); });
    if (m_database.isQuiet())
        return;
    m_database.begin();
    const auto taken = m_database.takeOverOpen(owner(), m_busy);
    m_database.commit();
    for (const auto& record : taken)
        reconcileOne(record);
}

void Shop::reconcileOne(const KeyRecord& record)
{
    KeyRecord seen = record;
    if (m_world.has(Planted::SecondBankKey))
        seen.bankKey = values::BankKey::mint(m_world.wall(), m_world.randomBytes());
    if (m_world.has(Planted::ReconcilerIgnoresWishes))
        seen.cancelRequested = false;
    askBank(Verb::Lookup, seen, [this, seen, isToBeCancelled = record.cancelRequested](const std::optional<BankRow>& row) {
        if (!row)
            return;
        if (nextStep(seen, *row, m_world.wall()) == ReconcileStep::Charge)
            m_referee.reconcilerCharges(seen.id, isToBeCancelled);
        decideFor(seen, *row);
    });
}

void Shop::decideFor(const KeyRecord& record, const BankRow& row)
{
    const auto settleWith = [this, record](const std::optional<BankRow>& later) {
        if (later)
            (void)settle(record, later);
    };
    switch (nextStep(record, row, m_world.wall())) {
    case ReconcileStep::Settle: return settleWith(row);
    case ReconcileStep::Charge: return askBank(Verb::Charge, record, settleWith);
    case ReconcileStep::Fence: return askBank(Verb::Fence, record, settleWith);
    case ReconcileStep::AskLater: return;
    }
}

/// At least once: it may die between the delivery and the note that it was made.
void Shop::sendMails()
{
    step(1s, 1s, [this] { sendMails(); });
    const auto mail = m_database.takeMail();
    if (!mail)
        return;
    step(1ms, 500ms, [this, mail = *mail] {
        const bool isAnew = m_world.has(Planted::MailWithoutDeliveryId);
        m_referee.mailed(mail.fact, isAnew ? owner() + std::to_string(++m_deliveries) : mail.deliveryId);
        step(1ms, 100ms, [this, id = mail.deliveryId] { m_database.markSent(id); });
    });
}

} // namespace payonce::simulation
