#include "retry/time_scale.h"

#include <QtTest/QTest>

using namespace payonce::retry;
using ms = Numbers::ms;

class TimeScaleTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void one_changesNothing()
    {
        const Numbers plain;
        const auto same = scaled(plain, 1);
        QCOMPARE(same.backoff, plain.backoff);
        QCOMPARE(same.probe, plain.probe);
        QCOMPARE(same.hardLimit, plain.hardLimit);
        QCOMPARE(same.postWaitSeconds, plain.postWaitSeconds);
    }

    void everyWait_isShorter_andNoneVanishes()
    {
        const auto fast = scaled({}, 0.1);
        QCOMPARE(fast.backoff, (std::array{ms(30), ms(100), ms(200)}));
        QCOMPARE(fast.probe.front(), ms(0)); // at once stays at once
        QCOMPARE(fast.softDeadline, ms(100));
        QCOMPARE(fast.hardLimit, ms(3000));
        QCOMPARE(fast.unresolvedAfter, ms(6000));
        QCOMPARE(fast.postWaitSeconds, 3);
        QCOMPARE(fast.probeWaitSeconds, 1);
        QCOMPARE(scaled({}, 0.000001).softDeadline, ms(1));
    }

    void probe_hasTimeForTheAnswerThatTheShopHolds()
    {
        for (const double factor : {0.01, 0.1, 0.2, 0.5, 1.0, 3.0}) {
            const auto numbers = scaled({}, factor);
            QVERIFY(numbers.probeLimit > std::chrono::seconds(numbers.probeWaitSeconds));
        }
    }

    void prefer_staysWithinWhatTheShopTakes() { QCOMPARE(scaled({}, 100).postWaitSeconds, 25); }

    void whatTheShopSays_isNotScaled()
    {
        const auto fast = scaled({}, 0.1);
        QCOMPARE(fast.validFor, Numbers().validFor);
        QCOMPARE(fast.retryAfterLimit, Numbers().retryAfterLimit);
        QCOMPARE(fast.adviceMost, Numbers().adviceMost);
    }
};

QTEST_APPLESS_MAIN(TimeScaleTest)
#include "tst_retry_time_scale.moc"
