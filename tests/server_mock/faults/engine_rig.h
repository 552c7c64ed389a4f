// The engine of a test, with surroundings that say what was done to them, and a request on its way through the shop.
#pragma once

#include "faults/scenario_engine.h"
#include "server_mock/faults/fake_exchange.h"
#include "server_mock/faults/scenarios.h"

#include <QtCore/QTemporaryDir>

#include <memory>
#include <utility>
#include <vector>

namespace payonce::tests {

inline constexpr auto kActionId = "0198c0de-7a11-7c3e-9f00-6b1f0a2c4d5e";

inline http::Response answerOf(const QByteArray& body = "{}")
{
    http::Response response;
    response.body = body;
    return response;
}

/// One request of account one.
struct Passage
{
    explicit Passage(console::Operation operation = console::Operation::Pay, const std::string& action = kActionId)
    {
        http::Request request;
        request.path = "/v1/payments";
        request.connection = 7;
        exchange = std::make_shared<FakeExchange>(request);
        arrival.exchange = exchange;
        arrival.account = std::string("acct_1");
        arrival.actionId = action;
        arrival.operation = operation;
    }
    /// The plans of answers hold arrivals, and these the exchange that keeps the plans.
    ~Passage() { exchange->faults.clear(); }
    Passage(const Passage&) = delete;
    Passage& operator=(const Passage&) = delete;
    Passage(Passage&&) = delete;
    Passage& operator=(Passage&&) = delete;
    /// True if the work went on before reach() returned.
    bool reach(faults::FaultPoints& points, console::Point point)
    {
        const int before = proceeded;
        points.reach(point, arrival, [this] { ++proceeded; });
        return proceeded > before;
    }

    std::shared_ptr<FakeExchange> exchange;
    faults::Arrival arrival;
    int proceeded = 0;
};

class EngineRig
{
public:
    EngineRig() { restart(); }

    /// A server that begins again in the same directory.
    void restart()
    {
        m_engine.reset();
        m_journal.reset();
        m_journal = std::move(*faults::ArrivalJournal::open(m_dir.filePath(QStringLiteral("arrivals.jsonl"))));
        m_engine = std::make_unique<faults::ScenarioEngine>(*m_journal);
        faults::Surroundings around;
        around.refuse = [this](auto time) { did.append("refuse " + QByteArray::number(qint64(time.count()))); };
        around.stepClock = [this](auto by) { did.append("step " + QByteArray::number(qint64(by.count()))); };
        around.forget = [this](const std::string& account, const std::string& action, const auto& done) {
            did.append("forget " + QByteArray::fromStdString(account) + ' ' + QByteArray::fromStdString(action));
            done();
        };
        around.deliver = [this](std::shared_ptr<http::Exchange> exchange) { deliver(std::move(exchange)); };
        m_engine->actOn(std::move(around));
    }
    [[nodiscard]] faults::ScenarioEngine& engine() { return *m_engine; }
    [[nodiscard]] const faults::ArrivalJournal& journal() const { return *m_journal; }
    [[nodiscard]] int hits() const { return m_journal->tally().hitsOf("r1"); }

    QByteArrayList did;
    std::vector<std::shared_ptr<http::Exchange>> delivered;

private:
    void deliver(std::shared_ptr<http::Exchange> exchange)
    {
        delivered.push_back(std::move(exchange));
        faults::Arrival copy;
        copy.exchange = delivered.back();
        copy.account = std::string("acct_1");
        copy.actionId = kActionId;
        m_engine->reach(console::Point::Received, copy, [this] { did.append("copy"); });
    }

    QTemporaryDir m_dir;
    std::unique_ptr<faults::ArrivalJournal> m_journal;
    std::unique_ptr<faults::ScenarioEngine> m_engine;
};

} // namespace payonce::tests
