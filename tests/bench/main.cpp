// payonce-bench: the figures of docs/client.md, Targets. Prints; never fails a build over a slow machine.
#include "bench/bench_journal.h"
#include "bench/bench_payments.h"
#ifdef PAYONCE_BENCH_UI
#include "bench/bench_click.h"
#include <QtWidgets/QApplication>
#endif

#include <QtCore/QCoreApplication>

#include <cstdio>

namespace {

#ifdef PAYONCE_BENCH_UI
using Application = QApplication;
#else
using Application = QCoreApplication;
#endif

} // namespace

int main(int argc, char** argv)
{
    using namespace payonce::bench;
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    const Application application(argc, argv);
    std::printf("PayOnce, figures of the client; every ratio is between two things measured in this run.\n\n");
#ifdef PAYONCE_BENCH_UI
    print(benchClick());
#endif
    print(benchJournal());
    print(benchCleanPayment());
    print(benchLostReplies());
    return 0;
}
