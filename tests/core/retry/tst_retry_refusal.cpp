#include "core/retry/machine_driver.h"
#include "core/retry/wire_results.h"

#include <QtCore/QRegularExpression>
#include <QtTest/QTest>

using namespace payonce::retry;
using namespace payonce::retry_tests;
using payonce::values::RecordState;
using ms = std::chrono::milliseconds;

Q_DECLARE_METATYPE(payonce::retry::WireResult)

/// Refusals that are not remembered (docs/client.md, invariant 7).
class TestRetryRefusal : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void refusalBeforeAnyByte_isNotCharged();
    void refusalAfterBytes_isFencedFirst_data();
    void refusalAfterBytes_isFencedFirst();
    void refusalThatTurnsOutPaid_isPaid();
};

void TestRetryRefusal::refusalBeforeAnyByte_isNotCharged()
{
    WireResult refusal = problem(431, "header-too-large");
    refusal.bytesTaken = 0;
    refusal.body->detail = "The head is too long.";
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, refusal});
    QCOMPARE(driver.state(), State::NotCharged);
    QCOMPARE(driver.cause(), Cause::Refused);
    QCOMPARE(driver.all<SaveFinal>().at(0).answer.detail, std::string("The head is too long."));
    QVERIFY(!driver.has<SaveWish>());
}

void TestRetryRefusal::refusalAfterBytes_isFencedFirst_data()
{
    QTest::addColumn<WireResult>("refusal");
    for (const int status : {400, 404, 405, 411, 413, 414, 415, 416, 417, 418, 422, 426, 428, 431, 451, 501, 505})
        QTest::addRow("%d", status) << problem(status, "body-invalid");
    QTest::newRow("410 of a kind that is not known") << problem(410, "gone");
    QTest::newRow("409 of a kind that is not known") << problem(409, "conflict");
    QTest::newRow("amount-mismatch") << problem(422, "amount-mismatch");
}

void TestRetryRefusal::refusalAfterBytes_isFencedFirst()
{
    QFETCH(WireResult, refusal);
    refusal.body->detail = "So it is.";
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, refusal});
    QCOMPARE(driver.state(), State::Fencing);
    QCOMPARE(driver.cause(), Cause::Refused);
    QCOMPARE(driver.snapshot().detail, std::string("So it is."));
    driver.give(WishSaved{WishKept::Fence});
    QCOMPARE(driver.all<SendProbe>().at(0).request.purpose, ProbeRequest::Purpose::Fence);
    WireResult closed = found(RecordState::Abandoned);
    closed.body->reason = "cancelled";
    driver.give(ProbeEnded{closed});
    QCOMPARE(driver.state(), State::NotCharged);
    QCOMPARE(driver.snapshot().answer.detail, std::string("So it is."));
}

void TestRetryRefusal::refusalThatTurnsOutPaid_isPaid()
{
    MachineDriver driver;
    driver.toSending();
    driver.give(PostEnded{1, lost()});
    driver.give(ProbeEnded{notFound()});
    QVERIFY(driver.fire(TimerKind::NextPost));
    driver.saveRow(2);
    driver.give(PostEnded{2, problem(400, "body-invalid")});
    driver.give(WishSaved{WishKept::Fence});
    driver.give(ProbeEnded{found(RecordState::Succeeded)});
    QCOMPARE(driver.state(), State::Paid);
}

QTEST_APPLESS_MAIN(TestRetryRefusal)
#include "tst_retry_refusal.moc"
