// The story of one action: gap-free, causes before effects, and attempts that never arrived.
#include "console/timeline.h"

#include <QtTest/QTest>

using namespace payonce::console;
using namespace std::chrono_literals;
using payonce::values::Currency;
using payonce::values::Money;
using payonce::values::WallTime;

namespace {

const WallTime kNow{std::chrono::milliseconds(1'000'000)};

ArrivalFact arrival(std::chrono::milliseconds at, Operation operation = Operation::Pay, std::optional<int> attempt = {})
{
    ArrivalFact fact;
    fact.at = kNow + at;
    fact.operation = operation;
    fact.attempt = attempt;
    return fact;
}

ArrivalFact fault(std::chrono::milliseconds at, Point point, ArrivalEnd end, std::optional<int> attempt = {})
{
    ArrivalFact fact = arrival(at, Operation::Pay, attempt);
    fact.point = point;
    fact.end = end;
    fact.rule = "r1";
    return fact;
}

RecordFact paidRecord()
{
    RecordFact record;
    record.firstSeen = kNow + 2ms;
    record.settledAt = kNow + 6ms;
    record.end = RecordFact::End::Succeeded;
    record.hasOrder = true;
    record.orderId = "ord_1";
    record.orderNumber = "1001";
    record.paymentId = "pay_1";
    record.chargeId = "ch_1";
    return record;
}

BankFact charge(std::chrono::milliseconds at)
{
    BankFact fact;
    fact.at = kNow + at;
    fact.bankKey = "key";
    fact.chargeId = "ch_1";
    fact.amount = Money{4200, *Currency::fromCode("EUR")};
    return fact;
}

/// `payment#1 claimed charged paid`.
QByteArray kinds(const std::vector<TimelineRow>& rows)
{
    QByteArray text;
    for (const TimelineRow& row : rows) {
        text += (text.isEmpty() ? "" : " ") + QByteArray::fromStdString(row.kind);
        if (row.attempt)
            text += '#' + QByteArray::number(*row.attempt);
    }
    return text;
}

const TimelineRow& rowOf(const std::vector<TimelineRow>& rows, const std::string& kind)
{
    for (const TimelineRow& row : rows)
        if (row.kind == kind)
            return row;
    qFatal("no row %s", kind.c_str());
}

} // namespace

class TimelineTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cleanPayment_isToldFromArrivalToMail();
    void sequence_hasNoGaps();
    void nothing_isAnEmptyStory();
    void lostAttempt_isKnownFromALaterNumber();
    void lostAttempt_isKnownFromAProbe();
    void lostAttempt_isKnownFromTheReport();
    void unsentAttempt_isToldApartFromALostOne();
    void replay_pointsAtTheOriginal();
    void requestThatWasNotRead_isNotTheOriginal();
    void otherContent_isAMismatchAndNoReplay();
    void refusedRequest_isNotTheOriginal();
    void triesOfAMail_areNoAttemptsOfTheClient();
    void bankThatDoesNotAnswer_isToldLast();
    void disagreeingClocks_keepCausesBeforeEffects();
    void onlyTheCharge_carriesAnAmount();
    void boastingClient_isBounded();
    void tombstone_saysWhy_data();
    void tombstone_saysWhy();
    void repeatedWebhook_pointsAtTheFirst();
    void staff_isToldWithItsReason();
};

void TimelineTest::cleanPayment_isToldFromArrivalToMail()
{
    Story story;
    story.arrivals = {arrival(1ms, Operation::Pay, 1)};
    story.record = paidRecord();
    story.bank = {charge(4ms)};
    story.mails = {{kNow + 6ms, kNow + 9ms, "receipt", false, "dlv_1"}};
    const auto rows = joinTimeline(story);
    QCOMPARE(kinds(rows), QByteArray("payment#1 claimed charged paid mail_queued mail_sent"));
    QCOMPARE(rowOf(rows, "claimed").at.value(), kNow + 2ms);
    QVERIFY(rowOf(rows, "paid").words.find("order 1001") != std::string::npos);
    QVERIFY(!rowOf(rows, "payment").replayOf);
}

void TimelineTest::sequence_hasNoGaps()
{
    Story story;
    story.arrivals = {arrival(1ms, Operation::Pay, 3), arrival(20ms, Operation::Status, 3)};
    story.record = paidRecord();
    story.bank = {charge(4ms)};
    int expected = 0;
    for (const TimelineRow& row : joinTimeline(story))
        QCOMPARE(row.seq, ++expected);
    QCOMPARE(expected, 7);
}

void TimelineTest::nothing_isAnEmptyStory()
{
    QVERIFY(joinTimeline({}).empty());
}

void TimelineTest::lostAttempt_isKnownFromALaterNumber()
{
    Story story;
    story.arrivals = {arrival(100ms, Operation::Pay, 3)};
    const auto rows = joinTimeline(story);
    QCOMPARE(kinds(rows), QByteArray("attempt_lost#1 attempt_lost#2 payment#3"));
    QCOMPARE(rows.front().words, std::string("Attempt 1 never reached us."));
    QVERIFY(!rows.front().at);
    QVERIFY(rows.front().source == Teller::Client);
}

void TimelineTest::lostAttempt_isKnownFromAProbe()
{
    Story story;
    story.arrivals = {arrival(100ms, Operation::Status, 1)};
    QCOMPARE(kinds(joinTimeline(story)), QByteArray("attempt_lost#1 asked#1"));
}

void TimelineTest::lostAttempt_isKnownFromTheReport()
{
    Story story;
    story.reported = {{1, kNow, "unknown", "soft_deadline", {}}, {2, kNow + 50ms, "final", "", 201}};
    story.arrivals = {arrival(60ms, Operation::Pay, 2)};
    const auto rows = joinTimeline(story);
    QCOMPARE(kinds(rows), QByteArray("attempt_lost#1 attempt#2 payment#2"));
    QCOMPARE(rows.front().at.value(), kNow);
    QCOMPARE(rows.front().words, std::string("Attempt 1 never reached us. For the program it ended unknown (soft_deadline)."));
    QCOMPARE(rows.at(1).ids.front().second, std::string("201"));
}

void TimelineTest::unsentAttempt_isToldApartFromALostOne()
{
    Story story;
    story.reported = {{1, kNow, "not_sent", "connect", {}}};
    story.arrivals = {arrival(60ms, Operation::Pay, 2)};
    const auto rows = joinTimeline(story);
    QCOMPARE(kinds(rows), QByteArray("attempt_not_sent#1 payment#2"));
    QVERIFY(rows.front().words.find("never sent") != std::string::npos);
}

void TimelineTest::replay_pointsAtTheOriginal()
{
    Story story;
    story.arrivals = {arrival(1ms, Operation::Pay, 1), fault(7ms, Point::ReplyHead, ArrivalEnd::Closed, 1),
                      arrival(100ms, Operation::Pay, 2), arrival(200ms, Operation::Pay, 2)};
    story.record = paidRecord();
    story.bank = {charge(4ms)};
    const auto rows = joinTimeline(story);
    QCOMPARE(kinds(rows), QByteArray("payment#1 claimed charged paid fault#1 payment_again#2 payment_again#2"));
    QCOMPARE(rows.at(5).replayOf, std::optional(1));
    QCOMPARE(rows.at(6).replayOf, std::optional(1));
    QVERIFY(!rows.at(4).replayOf);
    QVERIFY(rows.at(4).words.find("(Simulated.)") != std::string::npos);
}

void TimelineTest::requestThatWasNotRead_isNotTheOriginal()
{
    Story story;
    story.arrivals = {fault(1ms, Point::Received, ArrivalEnd::Closed, 1), arrival(100ms, Operation::Pay, 2),
                      arrival(200ms, Operation::Pay, 3)};
    const auto rows = joinTimeline(story);
    QCOMPARE(kinds(rows), QByteArray("not_read#1 payment#2 payment_again#3"));
    QVERIFY(!rows.at(1).replayOf);
    QCOMPARE(rows.at(2).replayOf, std::optional(2));
}

void TimelineTest::otherContent_isAMismatchAndNoReplay()
{
    Story story;
    story.arrivals = {arrival(1ms, Operation::Pay, 1), arrival(100ms, Operation::Pay, 2), arrival(200ms, Operation::Pay, 3)};
    story.arrivals.at(1).refusal = "key-reused";
    story.record = paidRecord();
    story.bank = {charge(4ms)};
    const auto rows = joinTimeline(story);
    QCOMPARE(kinds(rows), QByteArray("payment#1 claimed charged paid mismatch#2 payment_again#3"));
    QVERIFY(!rows.at(4).replayOf);
    QVERIFY(rows.at(4).words.find("other content") != std::string::npos);
    QVERIFY(rows.at(4).words.find("answered from the record") == std::string::npos);
    QCOMPARE(rows.at(5).replayOf, std::optional(1));
}

void TimelineTest::refusedRequest_isNotTheOriginal()
{
    Story story;
    story.arrivals = {arrival(1ms, Operation::Pay, 1), arrival(100ms, Operation::Pay, 2)};
    story.arrivals.front().refusal = "body-invalid";
    const auto rows = joinTimeline(story);
    QCOMPARE(kinds(rows), QByteArray("refused#1 payment#2"));
    QVERIFY(rows.front().words.find("body-invalid") != std::string::npos);
}

void TimelineTest::triesOfAMail_areNoAttemptsOfTheClient()
{
    Story story;
    story.arrivals = {arrival(1ms, Operation::Pay), arrival(10ms, Operation::Mail, 1), arrival(20ms, Operation::Mail, 2),
                      arrival(40ms, Operation::Mail, 3)};
    for (std::size_t i = 1; i < story.arrivals.size(); ++i)
        story.arrivals.at(i).point = Point::OutboxBefore;
    story.arrivals.at(2).end = ArrivalEnd::Closed;
    story.arrivals.at(2).rule = "m";
    story.record = paidRecord();
    story.bank = {charge(4ms)};
    story.mails = {{kNow + 6ms, kNow + 41ms, "receipt", false, "dlv_1"}};
    const auto rows = joinTimeline(story);
    QCOMPARE(kinds(rows), QByteArray("payment claimed charged paid mail_queued mail_try fault mail_try mail_sent"));
    QCOMPARE(rows.at(5).words, std::string("The shop tried to send a mail."));
    QVERIFY(rows.at(5).source == Teller::Mail);
    QCOMPARE(rows.at(6).words, std::string("A try to send a mail lost its connection. (Simulated.)"));
}

void TimelineTest::bankThatDoesNotAnswer_isToldLast()
{
    Story story;
    story.arrivals = {arrival(1ms)};
    story.record = paidRecord();
    story.bankIsSilentAt = kNow;
    const auto rows = joinTimeline(story);
    QCOMPARE(kinds(rows), QByteArray("payment claimed paid bank_silent"));
    QVERIFY(rows.back().source == Teller::Bank);
    QVERIFY(!rows.back().amount);
}

// The client's clock is an hour ahead, the bank's an hour behind.
void TimelineTest::disagreeingClocks_keepCausesBeforeEffects()
{
    Story story;
    story.reported = {{1, kNow + 1h, "unknown", "timeout", {}}};
    story.arrivals = {arrival(1ms, Operation::Pay, 1)};
    story.record = paidRecord();
    story.bank = {charge(-1h)};
    story.mails = {{kNow - 2h, kNow - 2h, "receipt", false, "dlv_1"}};
    const auto rows = joinTimeline(story);
    QCOMPARE(kinds(rows), QByteArray("attempt#1 payment#1 claimed charged paid mail_queued mail_sent"));
    QCOMPARE(rows.front().at.value(), kNow + 1h); // told as it was said
}

void TimelineTest::onlyTheCharge_carriesAnAmount()
{
    Story story;
    story.arrivals = {arrival(1ms)};
    story.record = paidRecord();
    BankFact declined = charge(3ms);
    declined.state = BankFact::State::Declined;
    story.bank = {declined, charge(4ms)};
    int amounts = 0;
    for (const TimelineRow& row : joinTimeline(story)) {
        amounts += row.amount ? 1 : 0;
        QCOMPARE(row.amount.has_value(), row.kind == "charged");
    }
    QCOMPARE(amounts, 1);
}

void TimelineTest::boastingClient_isBounded()
{
    Story story;
    story.arrivals = {arrival(1ms, Operation::Pay, 1'000'000)};
    QVERIFY(joinTimeline(story).size() <= static_cast<std::size_t>(kAttemptsToldMost) + 1);
}

void TimelineTest::tombstone_saysWhy_data()
{
    QTest::addColumn<int>("end");
    QTest::addColumn<QByteArray>("part");
    QTest::newRow("cancelled") << static_cast<int>(RecordFact::End::Cancelled) << QByteArray("before any payment request");
    QTest::newRow("expired") << static_cast<int>(RecordFact::End::Expired) << QByteArray("too late");
    QTest::newRow("cart taken") << static_cast<int>(RecordFact::End::CartTaken) << QByteArray("belongs to another payment");
}

void TimelineTest::tombstone_saysWhy()
{
    QFETCH(const int, end);
    QFETCH(const QByteArray, part);
    Story story;
    RecordFact record;
    record.firstSeen = record.settledAt.emplace(kNow);
    record.end = static_cast<RecordFact::End>(end);
    story.record = record;
    const auto rows = joinTimeline(story);
    QCOMPARE(kinds(rows), QByteArray("closed_unsent"));
    QVERIFY(rows.front().words.find(part.toStdString()) != std::string::npos);
}

void TimelineTest::repeatedWebhook_pointsAtTheFirst()
{
    Story story;
    story.webhooks = {{kNow, "evt_1", "charge.succeeded", "It settled the payment.", false},
                      {kNow + 5ms, "evt_1", "charge.succeeded", "It was known.", true}};
    const auto rows = joinTimeline(story);
    QCOMPARE(kinds(rows), QByteArray("webhook webhook_again"));
    QCOMPARE(rows.back().replayOf, std::optional(1));
}

void TimelineTest::staff_isToldWithItsReason()
{
    Story story;
    story.staff = {{kNow, "support_act", "close", "customer called", "0198"}};
    const auto rows = joinTimeline(story);
    QCOMPARE(rows.front().words, std::string("support_act: close. customer called"));
    QVERIFY(rows.front().source == Teller::Staff);
}

QTEST_APPLESS_MAIN(TimelineTest)
#include "tst_timeline.moc"
