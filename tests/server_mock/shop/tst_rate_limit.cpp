#include "shop/rate_limit.h"

#include <QtTest/QTest>

using namespace payonce::shop;
using namespace std::chrono_literals;

class TestRateLimit : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void oneTooMany_isNotLetInUntilTheNextSecond()
    {
        std::chrono::milliseconds now{5'500};
        RateLimit limit(2, [&now] { return now; });
        QVERIFY(limit.admits("a") && limit.admits("a"));
        QVERIFY(!limit.admits("a"));
        now += 499ms;
        QVERIFY(!limit.admits("a"));
        now += 1ms;
        QVERIFY(limit.admits("a"));
    }

    void accounts_areCountedApart()
    {
        RateLimit limit(1, [] { return 0ms; });
        QVERIFY(limit.admits("a") && limit.admits("b"));
        QVERIFY(!limit.admits("a") && !limit.admits("b"));
    }

    void zero_isNoLimit()
    {
        RateLimit limit(0, [] { return 0ms; });
        for (int i = 0; i < 10'000; ++i)
            QVERIFY(limit.admits("a"));
    }
};

QTEST_GUILESS_MAIN(TestRateLimit)
#include "tst_rate_limit.moc"
