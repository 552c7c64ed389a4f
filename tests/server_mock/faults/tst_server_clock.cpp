// The clocks the control API moves, and the timers that follow them.
#include "faults/server_clock.h"

#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

#include <vector>

using namespace payonce::faults;
using namespace std::chrono_literals;
using payonce::values::WallTime;

class TestServerClock : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_real = 0ms;
        m_clock =
            std::make_unique<ServerClock>(ServerClock::Base{[this] { return WallTime{} + m_real; }, [this] { return m_real; }});
    }

    void advance_movesBothClocks()
    {
        const QSignalSpy moved(m_clock.get(), &ServerClock::moved);
        m_clock->advance(5s);
        m_real = 1s;
        QCOMPARE((m_clock->wall() - WallTime{}).count(), std::chrono::milliseconds(6s).count());
        QCOMPARE(m_clock->uptime().count(), std::chrono::milliseconds(6s).count());
        QCOMPARE(moved.count(), 1);
    }

    void step_movesTheWallClockAlone()
    {
        const QSignalSpy moved(m_clock.get(), &ServerClock::moved);
        m_clock->step(-24h);
        QCOMPARE((m_clock->wall() - WallTime{}).count(), -std::chrono::milliseconds(24h).count());
        QCOMPARE(m_clock->uptime().count(), 0);
        QCOMPARE(moved.count(), 1);
    }

    void setRight_undoesTheStepsAndNoTime()
    {
        m_clock->step(-24h);
        m_clock->advance(5s);
        m_clock->step(1h);
        m_clock->setRight();
        QCOMPARE((m_clock->wall() - WallTime{}).count(), std::chrono::milliseconds(5s).count());
        QCOMPARE(m_clock->uptime().count(), std::chrono::milliseconds(5s).count());
    }

    void dueTimers_runInTheirOrderBeforeAdvanceReturns()
    {
        std::vector<int> ran;
        m_clock->after(3h, this, [&] { ran.push_back(3); });
        m_clock->after(1h, this, [&] { ran.push_back(1); });
        m_clock->after(2h, this, [&] { ran.push_back(2); });
        m_clock->advance(2h);
        QVERIFY(ran == (std::vector<int>{1, 2}));
        m_clock->advance(1h);
        QVERIFY(ran == (std::vector<int>{1, 2, 3}));
    }

    void timerOfAContextThatIsGone_doesNothing()
    {
        auto context = std::make_unique<QObject>();
        bool ran = false;
        m_clock->after(1h, context.get(), [&] { ran = true; });
        context.reset();
        m_clock->advance(2h);
        QVERIFY(!ran);
    }

    void timerSetByATimer_runsWhenItIsDue()
    {
        int ran = 0;
        m_clock->after(1h, this, [&] {
            ++ran;
            m_clock->after(1h, this, [&] { ++ran; });
        });
        m_clock->advance(90min);
        QCOMPARE(ran, 1);
        m_clock->advance(90min);
        QCOMPARE(ran, 2);
    }

    void realTime_letsTimersRunToo()
    {
        ServerClock clock(
            {[] { return WallTime{}; },
             [] { return std::chrono::duration_cast<ServerClock::ms>(std::chrono::steady_clock::now().time_since_epoch()); }});
        std::vector<int> ran;
        clock.after(30ms, this, [&] { ran.push_back(2); });
        clock.after(5ms, this, [&] { ran.push_back(1); });
        QTRY_COMPARE(ran.size(), std::size_t(2));
        QVERIFY(ran == (std::vector<int>{1, 2}));
    }

private:
    std::chrono::milliseconds m_real{0};
    std::unique_ptr<ServerClock> m_clock;
};

QTEST_GUILESS_MAIN(TestServerClock)
#include "tst_server_clock.moc"
