#include "faults/scenario_engine.h"

#include "faults/arrival_rows.h"
#include "faults/bank_gate.h"
#include "faults/end_process.h"
#include "faults/fault_bytes.h"
#include "protocol/digest.h"
#include "protocol/scenario_json.h"
#include "values/check.h"

#include <utility>
#include <variant>

namespace payonce::faults {

namespace {

using console::Point;

/// Whatever ends the connection there means that the request is never worked on.
bool isBeforeWork(Point point)
{
    return point == Point::Accept || point == Point::Head || point == Point::Received;
}

/// Here an arrival begins; what it is counted by is not known before.
bool isBeginning(Point point)
{
    return isBeforeWork(point) || isArrival(point);
}

} // namespace

void ScenarioEngine::actOn(Surroundings around)
{
    m_deeds.actOn(std::move(around));
}

void ScenarioEngine::load(std::optional<console::Scenario> scenario)
{
    m_rules.load(std::move(scenario), m_deeds.around().uptime());
    m_journal.startScenario(m_rules.scenario() ? protocol::sha256Hex(protocol::renderScenario(*m_rules.scenario()))
                                               : std::string());
    forget();
}

void ScenarioEngine::forget()
{
    m_accepted = 0;
    m_heads.clear();
    m_streams.forget();
    m_answers.forget();
}

bool ScenarioEngine::addRule(console::Rule rule)
{
    const auto id = rule.id;
    if (!m_rules.add(std::move(rule), m_deeds.around().uptime()))
        return false;
    m_journal.forgetRule(id);
    return true;
}

bool ScenarioEngine::removeRule(const std::string& id)
{
    return m_rules.remove(id);
}

void ScenarioEngine::dropWork()
{
    ++m_generation;
    m_deeds.held().letGo();
}

void ScenarioEngine::reset()
{
    m_journal.startEpoch();
    dropWork();
    forget();
}

const console::Rule* ScenarioEngine::pick(Point point, const Arrival& arrival) const
{
    if (!watches(point))
        return nullptr; // no clock is asked where there is nothing to decide
    const auto* rule = m_rules.pick(point, arrival, m_journal.tally(), m_deeds.around().uptime());
    const bool isCopyOfCopy =
        rule != nullptr && m_deeds.isDeliveringCopy() && std::holds_alternative<console::ProcessTwice>(rule->action);
    return isCopyOfCopy ? nullptr : rule;
}

bool ScenarioEngine::dropsStale(const Arrival& arrival) const
{
    if (arrival.epoch == m_generation)
        return false;
    if (arrival.exchange)
        arrival.exchange->end(http::End::Fin);
    return true;
}

void ScenarioEngine::begin(Point point, Arrival& arrival)
{
    arrival.epoch = m_generation;
    const auto connection = arrival.exchange ? arrival.exchange->request().connection : 0;
    auto counted = point == Point::Received ? m_heads.extract(connection) : decltype(m_heads)::node_type();
    if (point == Point::Accept)
        arrival.nth = ++m_accepted;
    else if (!counted.empty())
        arrival.nth = counted.mapped();
    else
        arrival.nth = m_journal.tally().nextNth({arrival.account, arrival.actionId, arrival.operation});
    if (point == Point::Head) {
        if (m_heads.size() >= kMostHeads)
            m_heads.clear();
        m_heads[connection] = arrival.nth;
    }
    if (m_rules.draws())
        m_streams.name(arrival);
}

void ScenarioEngine::reach(Point point, Arrival& arrival, Proceed proceed)
{
    CHECK(arrival.exchange != nullptr || arrival.operation == console::Operation::Mail);
    if (isBeginning(point))
        begin(point, arrival);
    else if (dropsStale(arrival))
        return;
    if (const auto* rule = pick(point, arrival))
        return carryOut(*rule, arrival, std::move(proceed));
    if (isArrival(point) || point == Point::Head || isWrittenDown(point))
        m_journal.append(rowFor(point, arrival));
    goOn(arrival, proceed);
}

void ScenarioEngine::accept(std::shared_ptr<http::Exchange> exchange)
{
    const auto arrival = std::make_shared<Arrival>();
    arrival->exchange = std::move(exchange);
    reach(Point::Accept, *arrival, [arrival] { arrival->exchange->resume(); });
}

/// A save that is to fail is the next one of this work, however late that comes.
void ScenarioEngine::goOn(Arrival& arrival, const Proceed& proceed)
{
    if (!arrival.failsSave)
        return proceed();
    auto* const before = std::exchange(m_saving, &arrival);
    proceed();
    m_saving = before;
}

bool ScenarioEngine::failsSave()
{
    return m_saving != nullptr && std::exchange(m_saving->failsSave, false);
}

ArrivalJournal::Written ScenarioEngine::write(const console::Rule& rule, const Arrival& arrival, std::int64_t bytesOut)
{
    auto row = rowFor(rule, arrival);
    row.bytesOut = bytesOut;
    return m_journal.append(std::move(row));
}

void ScenarioEngine::carryOut(const console::Rule& rule, Arrival& arrival, Proceed proceed)
{
    const auto action = rule.action; // the rule itself may be gone after proceed()
    const bool goesOn = !isBeforeWork(rule.point);
    const auto* reply = std::get_if<console::Reply>(&action);
    const auto written =
        write(rule, arrival, reply != nullptr ? encodedSize(responseOf(*reply), http::Request()) : std::int64_t(0));
    const Proceed next = [this, &arrival, proceed = std::move(proceed)] { goOn(arrival, proceed); };
    if (std::holds_alternative<console::Crash>(action)) {
        if (written == ArrivalJournal::Written::Durable) // or else it would crash again after every start
            endProcess();
        return next();
    }
    if (m_deeds.waits(rule, arrival, next) || m_deeds.actsAround(action, arrival, next))
        return;
    arrival.isHit = true;
    if (arrival.exchange)
        m_deeds.endConnection(action, arrival);
    if (goesOn)
        next();
    else if (arrival.exchange)
        m_heads.erase(arrival.exchange->request().connection); // never received
}

void ScenarioEngine::answer(Arrival& arrival, const http::Response& response)
{
    CHECK(arrival.exchange != nullptr);
    if (dropsStale(arrival))
        return;
    if (!arrival.refusal.empty()) {
        auto row = rowFor(Point::ReplyBuilt, arrival);
        row.refusal = arrival.refusal;
        m_journal.append(std::move(row));
    }
    const auto* rule = arrival.isHit ? nullptr : pick(Point::ReplyBuilt, arrival);
    if (rule != nullptr)
        return answerBy(*rule, arrival, response);
    if (isWrittenDown(Point::ReplyBuilt))
        m_journal.append(rowFor(Point::ReplyBuilt, arrival));
    if (m_rules.remembers() && !arrival.isHit)
        m_answers.keep(arrival, response);
    send(arrival, response, {});
}

void ScenarioEngine::answerBy(const console::Rule& rule, Arrival& arrival, const http::Response& response)
{
    if (std::holds_alternative<console::Stale>(rule.action) || std::holds_alternative<console::Swap>(rule.action)) {
        const bool isStale = std::holds_alternative<console::Stale>(rule.action);
        const auto other = isStale ? m_answers.stale(arrival) : m_answers.swapped(arrival, response);
        static_cast<void>(write(rule, arrival, encodedSize(other, arrival.exchange->request())));
        return send(arrival, other, {});
    }
    if (std::holds_alternative<console::Double>(rule.action)) {
        http::ByteFault twice;
        twice.kind = http::ByteFault::Kind::None;
        twice.copies = 2;
        static_cast<void>(write(rule, arrival, 2 * encodedSize(response, arrival.exchange->request())));
        return send(arrival, response, twice);
    }
    if (std::holds_alternative<console::Drip>(rule.action)) {
        static_cast<void>(write(rule, arrival));
        return send(arrival, response, faultOf(rule, {}));
    }
    // One arrival for both: after whatever ends the connection there is nothing left to send.
    const auto kept = std::make_shared<Arrival>(arrival);
    carryOut(rule, *kept, [this, kept, response] { send(*kept, response, {}); });
    arrival.isHit = kept->isHit;
}

void ScenarioEngine::send(const Arrival& arrival, const http::Response& response, std::optional<http::ByteFault> fault)
{
    if (arrival.isHit)
        return;
    if (!arrival.exchange->isOpen()) {
        auto row = rowFor(Point::ReplyBuilt, arrival);
        row.end = RowEnd::Closed;
        m_journal.append(std::move(row));
        return;
    }
    if (!fault)
        fault = faultWithin(arrival, response);
    if (watches(Point::ReplyFlushed)) {
        if (!fault)
            fault.emplace().kind = http::ByteFault::Kind::None;
        fault->flushed = [this, kept = std::make_shared<Arrival>(arrival), response] { flushed(kept, response); };
    }
    arrival.exchange->answer(response, fault);
    if (!fault)
        return;
    if (fault->kind == http::ByteFault::Kind::Silence || fault->kind == http::ByteFault::Kind::HalfClose)
        m_deeds.held().keepSilent(arrival.exchange);
    if (fault->kind == http::ByteFault::Kind::Pause || fault->kind == http::ByteFault::Kind::Drip)
        m_deeds.held().keepSlow(arrival.exchange);
}

std::optional<http::ByteFault> ScenarioEngine::faultWithin(const Arrival& arrival, const http::Response& response)
{
    if (!watches(Point::ReplyHead) && !watches(Point::ReplyBody))
        return {};
    const auto* rule = m_rules.pickWithinReply(arrival, m_journal.tally(), m_deeds.around().uptime());
    if (rule == nullptr)
        return {};
    auto fault = planned(*rule, arrival);
    const auto written = write(*rule, arrival, bytesBefore(fault, arrival.exchange->request(), response));
    if (written == ArrivalJournal::Written::MemoryOnly && std::holds_alternative<console::Crash>(rule->action))
        return {};
    return fault;
}

/// What no byte can do is done when its place among them is reached.
http::ByteFault ScenarioEngine::planned(const console::Rule& rule, const Arrival& arrival)
{
    return faultOf(rule, [this, rule, kept = std::make_shared<Arrival>(arrival)] {
        if (std::holds_alternative<console::Crash>(rule.action))
            return endProcess();
        const Proceed resume = [kept] { kept->exchange->resume(); };
        if (!dropsStale(*kept) && !m_deeds.waits(rule, *kept, resume))
            CHECK(m_deeds.actsAround(rule.action, *kept, resume));
    });
}

void ScenarioEngine::flushed(const Shared& arrival, const http::Response& response)
{
    if (dropsStale(*arrival))
        return;
    const Proceed resume = [arrival] { arrival->exchange->resume(); };
    const auto* rule = pick(Point::ReplyFlushed, *arrival);
    if (rule == nullptr)
        return resume();
    if (!std::holds_alternative<console::Double>(rule->action))
        return carryOut(*rule, *arrival, resume);
    const auto again = encoded(response, arrival->exchange->request(), m_deeds.around().wall());
    static_cast<void>(write(*rule, *arrival, again.size()));
    arrival->exchange->sendRaw(again);
}

ScenarioEngine::InsideBank ScenarioEngine::insideBank(Arrival& arrival)
{
    const auto* rule = dropsStale(arrival) ? nullptr : pick(Point::BankInside, arrival);
    if (rule == nullptr)
        return {};
    const auto action = rule->action;
    const auto written = write(*rule, arrival);
    if (std::holds_alternative<console::Crash>(action))
        return written == ArrivalJournal::Written::Durable ? insideUntilTheEnd() : InsideBank();
    if (const auto* delay = std::get_if<console::Delay>(&action))
        return insideForTime(delay->time);
    if (std::holds_alternative<console::StoreFail>(action))
        return [] { return false; };
    if (std::holds_alternative<console::Pause>(action)) {
        auto [inside, release] = insideUntilReleased();
        m_deeds.held().pause({Point::BankInside, arrival.account, arrival.actionId, arrival.nth}, std::move(release));
        return inside;
    }
    if (m_deeds.actsAround(action, arrival, [] {}))
        return {};
    arrival.isHit = true; // seen from outside, the transaction has no width
    m_deeds.endConnection(action, arrival);
    return {};
}

} // namespace payonce::faults
