#include "bench/bench_payments.h"

#include "bench/bare_client.h"
#include "bench/bare_commits.h"
#include "bench/client_rig.h"
#include "values/check.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace payonce::bench {

namespace {

constexpr int kWarmUps = 5;
constexpr int kCleanRuns = 60;
constexpr int kLostRuns = 30;
constexpr int kHangRuns = 8;
constexpr int kBareRuns = 3;
constexpr std::chrono::seconds kPatience(60);
constexpr std::chrono::seconds kBarePatience(10); ///< for a client that would wait for ever
constexpr int kCreated = 201;

/// What the program does, without what makes it safe: the exchange and the payment, and two durable commits between which
/// they stand.
Microseconds bareTurn(BareClient& client, BareCommits& commits)
{
    const auto start = BenchClock::now();
    static_cast<void>(commits.commitOne());
    static_cast<void>(commits.commitOne());
    const auto end = client.pay(kPatience);
    CHECK(end.status == kCreated);
    return since(start);
}

QByteArray losing(const QByteArray& action, const QByteArray& point)
{
    return R"({"schema":1,"name":"bench","seed":1,"about":"Every first reply is lost.","steps":[],)"
           R"("rules":[{"id":"lost","match":{"op":"pay","nth":1},"at":")" +
           point + R"(","do":{")" + action + R"(":{}}}],"expect":{}})";
}

struct Fault
{
    const char* what;
    QByteArray point;
    QByteArray action;
    Microseconds PaymentTimes::*time;
    int runs;
    std::chrono::milliseconds limit;
};

/// Beside a bare client that meets the same fault.
Figure faced(const Fault& fault)
{
    ClientRig rig(losing(fault.action, fault.point));
    Samples samples;
    for (int run = 0; run < fault.runs; ++run)
        samples.add(rig.payOnce().*fault.time);
    auto figure = heldAgainst(fault.what, samples, 99, fault.limit);
    BareClient bare(rig.address());
    figure.against = bareEnds(bare, kBareRuns, kBarePatience);
    return figure;
}

} // namespace

std::vector<Figure> benchCleanPayment()
{
    ClientRig rig({});
    BareClient bareClient(rig.address());
    BareCommits commits(rig.directory());
    Samples ours;
    Samples bare;
    for (int run = 0; run < kWarmUps + kCleanRuns; ++run) {
        const auto own = rig.payOnce().clickToFinal;
        const auto other = bareTurn(bareClient, commits);
        if (run < kWarmUps)
            continue;
        ours.add(own);
        bare.add(other);
    }
    return {{"Clean payment, click to Paid, beside two bare POSTs and two durable commits (" + std::to_string(kCleanRuns) +
                 " runs)",
             "p50 " + inMilliseconds(ours.median()) + ", p99 " + inMilliseconds(ours.percentile(99)),
             "bare: p50 " + inMilliseconds(bare.median()) + " | ratio " + asRatio(ours.median(), bare.median()), "<= 1.2 x",
             static_cast<double>(ours.median().count()) <= 1.2 * static_cast<double>(bare.median().count())}};
}

std::vector<Figure> benchLostAnswers()
{
    using std::chrono::milliseconds;
    Microseconds PaymentTimes::*const fromEnd = &PaymentTimes::firstPostEndToFinal;
    Microseconds PaymentTimes::*const fromClick = &PaymentTimes::clickToFinal;
    const std::array faults = {
        Fault{"Reply lost by close: the close to Paid", "bank.committed", "fin", fromEnd, kLostRuns, milliseconds(100)},
        Fault{"Reply lost by reset: the reset to Paid", "bank.committed", "rst", fromEnd, kLostRuns, milliseconds(100)},
        Fault{"Reply lost and the connection hangs: click to Paid", "bank.committed", "hang", fromClick, kHangRuns,
              milliseconds(1300)},
        Fault{"Request frozen before delivery: click to Paid", "received", "hang", fromClick, kHangRuns, milliseconds(6000)},
    };
    std::vector<Figure> figures;
    std::transform(faults.begin(), faults.end(), std::back_inserter(figures), faced);
    return figures;
}

} // namespace payonce::bench
