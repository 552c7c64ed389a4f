// A server in miniature for tst_crash: `crash_victim DIR POINT` serves requests through a scenario that crashes once at POINT.
// Prints its port, then serves until it is killed.
#include "faults/scenario_engine.h"
#include "http/listener.h"
#include "server_mock/faults/scenarios.h"

#include <QtCore/QCoreApplication>

#include <cstdio>

using namespace payonce::console;
using namespace payonce::faults;
using payonce::http::Exchange;

int main(int argc, char** argv)
{
    const QCoreApplication app(argc, argv);
    const auto arguments = QCoreApplication::arguments();
    auto journal = ArrivalJournal::open(arguments.at(1) + QStringLiteral("/arrivals.jsonl"));
    const auto point = pointOf(arguments.at(2).toStdString());
    if (!journal || !point)
        return 2;
    ScenarioEngine engine(**journal);
    engine.load(payonce::tests::scenarioOf({payonce::tests::rule(*point, Crash{}, {}, 1, 9)}));
    payonce::http::Listener listener([&](std::shared_ptr<Exchange> exchange) {
        Arrival arrival;
        arrival.exchange = std::move(exchange);
        arrival.actionId = "a";
        engine.reach(Point::Received, arrival,
                     [&] { engine.reach(Point::BankCommitted, arrival, [&] { engine.answer(arrival, {}); }); });
    });
    if (!listener.listen(0))
        return 2;
    std::printf("%d\n", listener.port());
    std::fflush(stdout);
    return QCoreApplication::exec();
}
