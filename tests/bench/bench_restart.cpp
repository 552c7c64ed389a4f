#include "bench/bench_restart.h"

#include "automation/app_process.h"
#include "automation/shop_control.h"
#include "support/bank_rows.h"
#include "values/check.h"

#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <csignal>

namespace payonce::bench {

namespace {

constexpr int kRuns = 8;
constexpr int kPatience = 60'000;
constexpr std::chrono::milliseconds kLimit(1500);

/// Pays without a display and dies of SIGKILL as soon as the last byte of the POST is with the system. Its server lives on.
void dieWithThePaymentOnItsWay(const QTemporaryDir& dir)
{
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("PAYONCE_FAULT"), QStringLiteral("sent:1=crash"));
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(PAYONCE_PROGRAM), {QStringLiteral("--headless"), QStringLiteral("--data-dir"), dir.path()});
    CHECK(process.waitForFinished(kPatience));
    CHECK(process.exitStatus() == QProcess::CrashExit && process.exitCode() == SIGKILL);
}

Microseconds startToPaid(const QTemporaryDir& dir)
{
    support::AppProcess app(dir.filePath(QStringLiteral("automation")), {QStringLiteral("--data-dir"), dir.path()});
    const auto start = BenchClock::now();
    CHECK(app.start());
    CHECK(QTest::qWaitFor([&app] { return app.state().value(QLatin1String("state")).toString() == QLatin1String("Paid"); },
                          kPatience));
    const auto time = since(start);
    CHECK(support::chargesIn(dir.path()) == 1);
    return time;
}

} // namespace

std::vector<Figure> benchRestart()
{
    Samples samples;
    for (int run = 0; run < kRuns; ++run) {
        const QTemporaryDir dir;
        dieWithThePaymentOnItsWay(dir);
        samples.add(startToPaid(dir));
        support::ShopControl(dir.path()).endServer();
    }
    auto figure = heldAgainst("kill -9 after the body left, started again: the process's start to Paid in its window", samples,
                              99, kLimit);
    figure.against = "bare QNetworkAccessManager: keeps nothing, so it never knows";
    return {figure};
}

} // namespace payonce::bench
