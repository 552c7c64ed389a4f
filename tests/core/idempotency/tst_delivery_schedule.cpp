#include "idempotency/delivery_schedule.h"

#include <QtTest/QTest>

using namespace payonce::idempotency;
using namespace std::chrono_literals;

class TestDeliverySchedule : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void pauses_areTheContracts_data()
    {
        QTest::addColumn<int>("failed");
        QTest::addColumn<int>("seconds");
        QTest::newRow("no try yet") << 0 << 1;
        QTest::newRow("first") << 1 << 1;
        QTest::newRow("second") << 2 << 5;
        QTest::newRow("third") << 3 << 30;
        QTest::newRow("fourth") << 4 << 120;
        QTest::newRow("fifth") << 5 << 600;
        QTest::newRow("sixth") << 6 << 3600;
        QTest::newRow("hundredth: hourly, for ever") << 100 << 3600;
    }
    void pauses_areTheContracts()
    {
        QFETCH(int, failed);
        QFETCH(int, seconds);
        QCOMPARE(pauseAfter(failed).count(), std::chrono::milliseconds(std::chrono::seconds(seconds)).count());
    }
    void event_isGivenUpAfterItsLastPause() { QCOMPARE(kEventTriesMost, 7); } // six pauses lie between seven tries
};

QTEST_APPLESS_MAIN(TestDeliverySchedule)
#include "tst_delivery_schedule.moc"
