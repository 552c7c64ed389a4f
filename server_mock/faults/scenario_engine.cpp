#include "faults/scenario_engine.h"

#include "http/response_writer.h"
#include "protocol/digest.h"
#include "protocol/scenario_json.h"
#include "values/check.h"

#include <QtCore/QTimer>

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <utility>

namespace payonce::faults {

namespace {

using console::Point;

template <class... Handlers> struct Overloaded : Handlers...
{
    using Handlers::operator()...;
};
template <class... Handlers> Overloaded(Handlers...) -> Overloaded<Handlers...>;

/// As a power cut would, but for what the kernel already has.
void endProcess()
{
    static_cast<void>(::kill(::getpid(), SIGKILL));
}

http::End endOf(console::ConnectionEnd end)
{
    return end == console::ConnectionEnd::Fin ? http::End::Fin : http::End::Rst;
}

http::Response responseOf(const console::Reply& reply)
{
    http::Response response;
    response.status = reply.status;
    response.body = QByteArray::fromStdString(reply.body);
    for (const auto& [name, value] : reply.headers) {
        const auto line = QByteArray::fromStdString(name);
        if (line.compare("Content-Type", Qt::CaseInsensitive) == 0)
            response.contentType = QByteArray::fromStdString(value);
        else
            response.headers.emplaceBack(line, QByteArray::fromStdString(value));
    }
    return response;
}

RowEnd rowEndOf(const console::FaultAction& action)
{
    return std::visit(
        Overloaded{[](const console::Delay&) { return RowEnd::None; }, [](const console::Hang&) { return RowEnd::Silence; },
                   [](const console::Fin&) { return RowEnd::Fin; }, [](const console::Rst&) { return RowEnd::Rst; },
                   [](const console::Cut& cut) { return cut.end == console::ConnectionEnd::Fin ? RowEnd::Fin : RowEnd::Rst; },
                   [](const console::Reply&) { return RowEnd::Answer; }, [](const console::Crash&) { return RowEnd::Crash; },
                   [](const auto& /*others end no connection yet*/) { return RowEnd::None; }},
        action);
}

http::ByteFault faultOf(const console::Rule& rule)
{
    http::ByteFault fault;
    fault.part = rule.point == Point::ReplyHead ? http::ByteFault::Part::Head : http::ByteFault::Part::Body;
    fault.offset = rule.offset;
    fault.kind = http::ByteFault::Kind::End;
    std::visit(Overloaded{[&](const console::Delay& delay) {
                              fault.kind = http::ByteFault::Kind::Pause;
                              fault.pause = delay.time;
                          },
                          [&](const console::Hang&) { fault.kind = http::ByteFault::Kind::Silence; },
                          [&](const console::Fin&) { fault.end = http::End::Fin; },
                          [&](const console::Rst&) { fault.end = http::End::Rst; },
                          [&](const console::Cut& cut) { fault.end = endOf(cut.end); },
                          [&](const console::Reply&) {
                              CHECK(false); /* refused where scenarios are read */
                          },
                          [&](const console::Crash&) { fault.kind = http::ByteFault::Kind::Silence; },
                          [&](const auto& /*others leave the bytes alone yet*/) { fault.kind = http::ByteFault::Kind::Pause; }},
               rule.action);
    return fault;
}

/// Bytes of head and body that leave before the fault.
std::int64_t bytesBefore(const http::ByteFault& fault, const http::Request& request, const http::Response& response)
{
    const auto afterwards = request.keepsConnection ? http::Afterwards::KeepOpen : http::Afterwards::Close;
    const auto head = http::encodeHead(response, afterwards).size();
    if (fault.part == http::ByteFault::Part::Head)
        return std::min<std::int64_t>(fault.offset, head);
    return head + std::min<std::int64_t>(fault.offset, response.body.size());
}

ArrivalRow rowFor(Point point, const Arrival& arrival)
{
    ArrivalRow row;
    row.account = arrival.account;
    row.actionId = arrival.actionId;
    row.attempt = arrival.attempt;
    row.operation = arrival.operation;
    row.point = point;
    if (!arrival.exchange)
        return row;
    const auto& request = arrival.exchange->request();
    row.connection = request.connection;
    row.request = request.number;
    row.bytesIn = request.bytesIn;
    return row;
}

ArrivalRow rowFor(const console::Rule& rule, const Arrival& arrival)
{
    auto row = rowFor(rule.point, arrival);
    row.offset = rule.offset;
    row.rule = rule.id;
    row.end = rowEndOf(rule.action);
    return row;
}

} // namespace

void ScenarioEngine::load(std::optional<console::Scenario> scenario)
{
    m_scenario = std::move(scenario);
    m_journal.startScenario(m_scenario ? protocol::sha256Hex(protocol::renderScenario(*m_scenario)) : std::string());
}

void ScenarioEngine::reset()
{
    m_journal.startEpoch();
    m_sleep = std::make_unique<QObject>(); // what slept is let go, and with it its exchange, which ends the connection
    m_sleepers = 0;
    for (const auto& exchange : std::exchange(m_silent, {}))
        exchange->end(http::End::Fin);
}

bool ScenarioEngine::applies(const console::Rule& rule, const Arrival& arrival) const
{
    return (!rule.match.operation || *rule.match.operation == arrival.operation) &&
           (!rule.match.nth || *rule.match.nth == arrival.nth) &&
           (!rule.times || m_journal.tally().hitsOf(rule.id) < *rule.times);
}

const console::Rule* ScenarioEngine::firstMatch(Point point, const Arrival& arrival) const
{
    if (!m_scenario)
        return nullptr;
    for (const auto& rule : m_scenario->rules)
        if (rule.point == point && applies(rule, arrival))
            return &rule;
    return nullptr;
}

const console::Rule* ScenarioEngine::firstReplyMatch(const Arrival& arrival) const
{
    if (!m_scenario)
        return nullptr;
    for (const auto& rule : m_scenario->rules)
        if (console::isReplyPart(rule.point) && applies(rule, arrival))
            return &rule;
    return nullptr;
}

bool ScenarioEngine::dropsStale(const Arrival& arrival) const
{
    if (arrival.epoch == m_journal.epoch())
        return false;
    if (arrival.exchange)
        arrival.exchange->end(http::End::Fin);
    return true;
}

void ScenarioEngine::reach(Point point, Arrival& arrival, std::function<void()> proceed)
{
    CHECK(arrival.exchange != nullptr || arrival.operation == console::Operation::Mail);
    if (isArrival(point)) {
        arrival.epoch = m_journal.epoch();
        arrival.nth = m_journal.tally().nextNth({arrival.account, arrival.actionId, arrival.operation});
    } else if (dropsStale(arrival)) {
        return;
    }
    if (const auto* rule = firstMatch(point, arrival))
        return carryOut(*rule, arrival, std::move(proceed));
    if (isArrival(point))
        m_journal.append(rowFor(point, arrival));
    proceed();
}

void ScenarioEngine::carryOut(const console::Rule& rule, Arrival& arrival, std::function<void()> proceed)
{
    auto row = rowFor(rule, arrival);
    const auto action = rule.action; // the rule itself may be gone after proceed()
    const bool goesOn = rule.point != Point::Received;
    const auto* reply = std::get_if<console::Reply>(&action);
    const auto answer = reply != nullptr ? responseOf(*reply) : http::Response();
    if (reply != nullptr)
        row.bytesOut = http::encodeHead(answer, http::Afterwards::KeepOpen).size() + answer.body.size();
    const auto written = m_journal.append(std::move(row));

    if (const auto* delay = std::get_if<console::Delay>(&action))
        return sleep(delay->time, std::move(proceed));
    if (std::holds_alternative<console::Crash>(action)) {
        if (written == ArrivalJournal::Written::Durable) // or else it would crash again after every start
            endProcess();
        return proceed();
    }
    arrival.isHit = true;
    if (!arrival.exchange)
        return proceed();
    std::visit(Overloaded{[](const auto&) {},
                          [&](const console::Hang&) {
                              arrival.exchange->silence();
                              keepSilent(arrival.exchange);
                          },
                          [&](const console::Fin&) { arrival.exchange->end(http::End::Fin); },
                          [&](const console::Rst&) { arrival.exchange->end(http::End::Rst); },
                          [](const console::Cut&) {
                              CHECK(false); /* refused where scenarios are read */
                          },
                          [&](const console::Reply&) { arrival.exchange->answer(answer); }},
               action);
    if (goesOn)
        proceed();
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
    const auto* rule = arrival.isHit ? nullptr : firstMatch(Point::ReplyBuilt, arrival);
    if (rule == nullptr)
        return write(arrival, response);
    // After any other action the connection is hit, and write() would have nothing to do.
    if (std::holds_alternative<console::Delay>(rule->action) || std::holds_alternative<console::Crash>(rule->action))
        return carryOut(*rule, arrival, [this, arrival, response] { write(arrival, response); });
    carryOut(*rule, arrival, [] {});
}

void ScenarioEngine::write(const Arrival& arrival, const http::Response& response)
{
    if (arrival.isHit)
        return;
    if (!arrival.exchange->isOpen()) {
        auto row = rowFor(Point::ReplyBuilt, arrival);
        row.end = RowEnd::Closed;
        m_journal.append(std::move(row));
        return;
    }
    const auto* rule = firstReplyMatch(arrival);
    if (rule == nullptr)
        return arrival.exchange->answer(response);
    const auto fault = faultOf(*rule);
    const bool crashes = std::holds_alternative<console::Crash>(rule->action);
    auto row = rowFor(*rule, arrival);
    row.bytesOut = bytesBefore(fault, arrival.exchange->request(), response);
    const auto written = m_journal.append(std::move(row));
    if (crashes && written == ArrivalJournal::Written::MemoryOnly)
        return arrival.exchange->answer(response);
    arrival.exchange->answer(response, fault);
    if (crashes)
        endProcess();
    if (fault.kind == http::ByteFault::Kind::Silence)
        keepSilent(arrival.exchange);
}

void ScenarioEngine::sleep(std::chrono::milliseconds time, std::function<void()> proceed)
{
    if (m_sleepers >= kMostSleepers)
        return proceed();
    ++m_sleepers;
    QTimer::singleShot(time, Qt::PreciseTimer, m_sleep.get(), [this, proceed = std::move(proceed)] {
        --m_sleepers;
        proceed();
    });
}

void ScenarioEngine::keepSilent(const std::shared_ptr<http::Exchange>& exchange)
{
    m_silent.push_back(exchange);
    if (m_silent.size() <= kMostSilent)
        return;
    m_silent.front()->end(http::End::Fin);
    m_silent.pop_front();
}

} // namespace payonce::faults
