// payonce-bench: the figures of docs/client.md, Targets. Prints; never fails a build over a slow machine.
#include "bench/bench_faults.h"
#include "bench/bench_journal.h"
#include "bench/bench_machine.h"
#include "bench/bench_payments.h"
#include "bench/bench_server.h"
#include "bench/bench_support.h"
#ifdef PAYONCE_BENCH_UI
#include "bench/bench_click.h"
#include "bench/bench_restart.h"
#include <QtWidgets/QApplication>
#endif

#include <QtCore/QCommandLineParser>
#include <QtCore/QCoreApplication>

#include <algorithm>
#include <cstdio>
#include <optional>

namespace {

#ifdef PAYONCE_BENCH_UI
using Application = QApplication;
#else
using Application = QCoreApplication;
#endif

constexpr int kFewestPayments = 1000;
constexpr int kFaultPayments = 5000; ///< a turn

void printClient()
{
    using namespace payonce::bench;
    std::printf("PayOnce, figures of the client; every ratio is between two things measured in this run.\n\n");
    print(benchMachine());
    print(benchJournal());
#ifdef PAYONCE_BENCH_UI
    print(benchClick());
#endif
    print(benchCleanPayment());
    print(benchLostAnswers());
#ifdef PAYONCE_BENCH_UI
    print(benchRestart());
#endif
}

void printServer(const payonce::bench::ServerBench& bench)
{
    using namespace payonce::bench;
    std::printf("PayOnce, figures of the server; every ratio is between two things measured in this run.\n\n");
    print(benchFreshPayments(bench));
    print(benchReplays(bench));
    print(benchStoredRecords(bench));
    print(benchMemory(bench));
}

void printFaults(int payments)
{
    using namespace payonce::bench;
    std::printf("PayOnce, figures of the simulator; every ratio is between two things measured in this run.\n\n");
    print(benchFaultLayer(payments));
}

void printSupport(int actions)
{
    using namespace payonce::bench;
    std::printf("PayOnce, figures of support with %d actions.\n\n", actions);
    print(benchSupport(actions));
}

/// A number of payments; empty if it is none, or too small to measure anything with.
std::optional<int> countOf(const QString& text)
{
    bool ok = false;
    const int count = text.toInt(&ok);
    return ok && count >= kFewestPayments ? std::optional(count) : std::nullopt;
}

} // namespace

int main(int argc, char** argv)
{
    using namespace payonce::bench;
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    const Application application(argc, argv);
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("Prints figures of the client, or with a word those of the server, the simulator or support."));
    parser.addHelpOption();
    parser.addPositionalArgument(
        QStringLiteral("what"),
        QStringLiteral(
            "Measure the client (as without a word), the server, what the simulator costs, or what support waits for."),
        QStringLiteral("[client|server|faults|support]"));
    const QCommandLineOption most(QStringLiteral("most"), QStringLiteral("At most N payments or stored records in one figure."),
                                  QStringLiteral("N"));
    parser.addOption(most);
    parser.process(application);
    const auto words = parser.positionalArguments();
    const auto count = parser.isSet(most) ? countOf(parser.value(most)) : std::optional(ServerBench().stored);
    const bool isClient = words.isEmpty() || words == QStringList{QStringLiteral("client")};
    const bool isServer = words == QStringList{QStringLiteral("server")};
    const bool isSupport = words == QStringList{QStringLiteral("support")};
    const bool isFaults = words == QStringList{QStringLiteral("faults")};
    if (!count || (!isClient && !isServer && !isFaults && !isSupport)) {
        std::fprintf(stderr, "payonce-bench: no such figures; --help tells what there is\n");
        return 2;
    }
    if (isServer)
        printServer({std::min(ServerBench().payments, *count), *count, *count});
    else if (isFaults)
        printFaults(std::min(kFaultPayments, *count));
    else if (isSupport)
        printSupport(std::min(kSupportActions, *count));
    else
        printClient();
    return 0;
}
