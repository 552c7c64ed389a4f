#include "console/scenario.h"

#include <QtTest/QTest>

#include <optional>

using namespace payonce::console;

namespace {

QByteArray bytes(std::string_view text)
{
    return {text.data(), static_cast<qsizetype>(text.size())};
}

} // namespace

class ScenarioTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyPoint_isFoundByItsName_data();
    void everyPoint_isFoundByItsName();
    void everyOperation_isFoundByItsName_data();
    void everyOperation_isFoundByItsName();
    void everyAction_hasItsName();
    void place_isFoundByItsName_data();
    void place_isFoundByItsName();
    void otherNames_areNothing();
};

void ScenarioTest::everyPoint_isFoundByItsName_data()
{
    QTest::addColumn<Point>("point");
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("accept") << Point::Accept << QByteArray("accept");
    QTest::newRow("head") << Point::Head << QByteArray("head");
    QTest::newRow("received") << Point::Received << QByteArray("received");
    QTest::newRow("key.looked_up") << Point::KeyLookedUp << QByteArray("key.looked_up");
    QTest::newRow("key.claimed") << Point::KeyClaimed << QByteArray("key.claimed");
    QTest::newRow("bank.before") << Point::BankBefore << QByteArray("bank.before");
    QTest::newRow("bank.inside") << Point::BankInside << QByteArray("bank.inside");
    QTest::newRow("bank.committed") << Point::BankCommitted << QByteArray("bank.committed");
    QTest::newRow("bank.answered") << Point::BankAnswered << QByteArray("bank.answered");
    QTest::newRow("result.saved") << Point::ResultSaved << QByteArray("result.saved");
    QTest::newRow("reply.built") << Point::ReplyBuilt << QByteArray("reply.built");
    QTest::newRow("reply.head") << Point::ReplyHead << QByteArray("reply.head");
    QTest::newRow("reply.body") << Point::ReplyBody << QByteArray("reply.body");
    QTest::newRow("reply.flushed") << Point::ReplyFlushed << QByteArray("reply.flushed");
    QTest::newRow("webhook.received") << Point::WebhookReceived << QByteArray("webhook.received");
    QTest::newRow("webhook.applied") << Point::WebhookApplied << QByteArray("webhook.applied");
    QTest::newRow("outbox.before") << Point::OutboxBefore << QByteArray("outbox.before");
    QTest::newRow("outbox.sent") << Point::OutboxSent << QByteArray("outbox.sent");
    QTest::newRow("action.saved") << Point::ActionSaved << QByteArray("action.saved");
    QTest::newRow("attempt.saved") << Point::AttemptSaved << QByteArray("attempt.saved");
    QTest::newRow("sent") << Point::Sent << QByteArray("sent");
    QTest::newRow("reply.parsed") << Point::ReplyParsed << QByteArray("reply.parsed");
    QTest::newRow("outcome.saved") << Point::OutcomeSaved << QByteArray("outcome.saved");
}

void ScenarioTest::everyPoint_isFoundByItsName()
{
    QFETCH(Point, point);
    QFETCH(QByteArray, name);
    QCOMPARE(bytes(nameOf(point)), name);
    QVERIFY(pointOf(name.toStdString()) == point);
}

void ScenarioTest::everyOperation_isFoundByItsName_data()
{
    QTest::addColumn<Operation>("operation");
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("pay") << Operation::Pay << QByteArray("pay");
    QTest::newRow("tokenise") << Operation::Tokenise << QByteArray("tokenise");
    QTest::newRow("status") << Operation::Status << QByteArray("status");
    QTest::newRow("abandon") << Operation::Abandon << QByteArray("abandon");
    QTest::newRow("policy") << Operation::Policy << QByteArray("policy");
    QTest::newRow("report") << Operation::Report << QByteArray("report");
    QTest::newRow("cart") << Operation::Cart << QByteArray("cart");
    QTest::newRow("sign up") << Operation::SignUp << QByteArray("sign_up");
    QTest::newRow("orders") << Operation::Orders << QByteArray("orders");
    QTest::newRow("support") << Operation::Support << QByteArray("support");
}

void ScenarioTest::everyOperation_isFoundByItsName()
{
    QFETCH(Operation, operation);
    QFETCH(QByteArray, name);
    QCOMPARE(bytes(nameOf(operation)), name);
    QVERIFY(operationOf(name.toStdString()) == operation);
}

void ScenarioTest::everyAction_hasItsName()
{
    QCOMPARE(bytes(nameOf(FaultAction(Delay{}))), QByteArray("delay"));
    QCOMPARE(bytes(nameOf(FaultAction(Hang{}))), QByteArray("hang"));
    QCOMPARE(bytes(nameOf(FaultAction(Pause{}))), QByteArray("pause"));
    QCOMPARE(bytes(nameOf(FaultAction(Fin{}))), QByteArray("fin"));
    QCOMPARE(bytes(nameOf(FaultAction(Rst{}))), QByteArray("rst"));
    QCOMPARE(bytes(nameOf(FaultAction(HalfClose{}))), QByteArray("halfclose"));
    QCOMPARE(bytes(nameOf(FaultAction(Cut{}))), QByteArray("cut"));
    QCOMPARE(bytes(nameOf(FaultAction(ChunkedCut{}))), QByteArray("chunked_cut"));
    QCOMPARE(bytes(nameOf(FaultAction(Drip{}))), QByteArray("drip"));
    QCOMPARE(bytes(nameOf(FaultAction(Reply{}))), QByteArray("reply"));
    QCOMPARE(bytes(nameOf(FaultAction(Garbage{}))), QByteArray("garbage"));
    QCOMPARE(bytes(nameOf(FaultAction(Double{}))), QByteArray("double"));
    QCOMPARE(bytes(nameOf(FaultAction(Swap{}))), QByteArray("swap"));
    QCOMPARE(bytes(nameOf(FaultAction(HoldThenProcess{}))), QByteArray("hold_then_process"));
    QCOMPARE(bytes(nameOf(FaultAction(ProcessTwice{}))), QByteArray("process_twice"));
    QCOMPARE(bytes(nameOf(FaultAction(Stale{}))), QByteArray("stale"));
    QCOMPARE(bytes(nameOf(FaultAction(Redirect{}))), QByteArray("redirect"));
    QCOMPARE(bytes(nameOf(FaultAction(Refuse{}))), QByteArray("refuse"));
    QCOMPARE(bytes(nameOf(FaultAction(StoreFail{}))), QByteArray("store_fail"));
    QCOMPARE(bytes(nameOf(FaultAction(ClockStep{}))), QByteArray("clock_step"));
    QCOMPARE(bytes(nameOf(FaultAction(Crash{}))), QByteArray("crash"));
    QCOMPARE(bytes(nameOf(FaultAction(Forget{}))), QByteArray("forget"));
    QCOMPARE(std::variant_size_v<FaultAction>, std::size_t(22));
}

void ScenarioTest::place_isFoundByItsName_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<std::optional<Place>>("place");
    QTest::newRow("point") << QByteArray("bank.committed") << std::optional(Place{Point::BankCommitted});
    QTest::newRow("part of the reply") << QByteArray("reply.body@7") << std::optional(Place{Point::ReplyBody, 7});
    QTest::newRow("its first byte") << QByteArray("reply.head@0") << std::optional(Place{Point::ReplyHead, 0});
    QTest::newRow("part without a count") << QByteArray("reply.body") << std::optional(Place{Point::ReplyBody});
    for (const auto* text : {"", "@7", "bank.comitted", "bank.committed@7", "reply.body@", "reply.body@x", "reply.body@7x",
                             "reply.body@-1", "reply.body@+1", "reply.body@7@7", "reply.body@9223372036854775808"})
        QTest::addRow("no place: \"%s\"", text) << QByteArray(text) << std::optional<Place>();
}

void ScenarioTest::place_isFoundByItsName()
{
    QFETCH(QByteArray, text);
    QFETCH(std::optional<Place>, place);
    QVERIFY(placeIn(text.toStdString()) == place);
    if (place && (place->offset || !isReplyPart(place->point)))
        QCOMPARE(bytes(placeName(place->point, place->offset.value_or(0))), text);
}

void ScenarioTest::otherNames_areNothing()
{
    QVERIFY(!pointOf("bank.comitted"));
    QVERIFY(!pointOf(""));
    QVERIFY(!operationOf("Pay"));
    QVERIFY(!operationOf(""));
}

QTEST_APPLESS_MAIN(ScenarioTest)
#include "tst_scenario.moc"
