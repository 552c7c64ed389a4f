// The server's advice about waiting is obeyed (docs/client.md, Numbers).
#include "core/retry/machine_driver.h"
#include "core/retry/wire_results.h"

#include <QtCore/QRegularExpression>
#include <QtTest/QTest>

using namespace payonce::retry;
using namespace payonce::retry_tests;
using ms = std::chrono::milliseconds;

class TestRetryAdvice : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void timeout408_isAskedAboutThenRepeatedByItsAdvice();
    void adviceOfAnOpenAnswer_delaysTheNextPost();
    void rateLimitedProbe_delaysPostAndProbe();
};

void TestRetryAdvice::timeout408_isAskedAboutThenRepeatedByItsAdvice()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, withRetryAfter(problem(408, "timeout"), ms(3000))});
    QCOMPARE(driver.state(), State::Confirming);
    QVERIFY(driver.has<SendProbe>());
    QVERIFY(driver.left(TimerKind::NextPost).value() >= ms(3000));
}

void TestRetryAdvice::adviceOfAnOpenAnswer_delaysTheNextPost()
{
    for (const auto& open : {problem(409, "in-progress"), problem(409, "outcome-unknown"), problem(500, "internal")}) {
        MachineDriver driver;
        driver.toSending();
        driver.give(PostEnded{1, withRetryAfter(open, ms(3000))});
        QVERIFY(driver.has<SendProbe>()); // asking is not sending
        QVERIFY(driver.left(TimerKind::NextPost).value() >= ms(3000));
    }
}

void TestRetryAdvice::rateLimitedProbe_delaysPostAndProbe()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, lost()});
    driver.give(ProbeEnded{withRetryAfter(problem(429, "rate-limited"), ms(9000))});
    QVERIFY(driver.left(TimerKind::NextPost).value() >= ms(9000));
    QVERIFY(driver.left(TimerKind::NextProbe).value() >= ms(9000));
    QVERIFY(driver.fire(TimerKind::NextPost));
    QVERIFY(driver.has<SaveAttemptRow>());
}

QTEST_APPLESS_MAIN(TestRetryAdvice)
#include "tst_retry_advice.moc"
