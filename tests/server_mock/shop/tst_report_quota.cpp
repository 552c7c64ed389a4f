#include "shop/report_quota.h"

#include <QtTest/QTest>

using namespace payonce::shop;
using namespace std::chrono_literals;

namespace {

payonce::idempotency::LedgerNumbers numbersOf(std::int64_t reports, std::int64_t bytes)
{
    payonce::idempotency::LedgerNumbers numbers;
    numbers.reportsMost = reports;
    numbers.reportBytesMost = bytes;
    return numbers;
}

} // namespace

class TestReportQuota : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void oneReportTooMany_waitsForTheEndOfTheHour()
    {
        std::chrono::milliseconds now{5'500};
        ReportQuota quota(numbersOf(2, 1000), [&now] { return now; });
        QVERIFY(!quota.waitFor("a", 10) && !quota.waitFor("a", 10));
        QVERIFY(quota.waitFor("a", 10) == 1h);
        now += 20min;
        QVERIFY(quota.waitFor("a", 10) == 40min);
        now += 40min;
        QVERIFY(!quota.waitFor("a", 10));
    }

    void oneByteTooMany_isRefusedAndNotCounted()
    {
        ReportQuota quota(numbersOf(100, 1000), [] { return 0ms; });
        QVERIFY(!quota.waitFor("a", 600));
        QVERIFY(quota.waitFor("a", 401) == 1h);
        QVERIFY(!quota.waitFor("a", 400));
    }

    void accounts_areCountedApart()
    {
        ReportQuota quota(numbersOf(1, 1000), [] { return 0ms; });
        QVERIFY(!quota.waitFor("a", 1) && !quota.waitFor("b", 1));
        QVERIFY(quota.waitFor("a", 1) && quota.waitFor("b", 1));
    }
};

QTEST_GUILESS_MAIN(TestReportQuota)
#include "tst_report_quota.moc"
