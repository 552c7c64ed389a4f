#include "console/scenario.h"

#include <QtTest/QTest>

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
    void otherNames_areNothing();
};

void ScenarioTest::everyPoint_isFoundByItsName_data()
{
    QTest::addColumn<Point>("point");
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("received") << Point::Received << QByteArray("received");
    QTest::newRow("key.claimed") << Point::KeyClaimed << QByteArray("key.claimed");
    QTest::newRow("bank.before") << Point::BankBefore << QByteArray("bank.before");
    QTest::newRow("bank.committed") << Point::BankCommitted << QByteArray("bank.committed");
    QTest::newRow("result.saved") << Point::ResultSaved << QByteArray("result.saved");
    QTest::newRow("reply.built") << Point::ReplyBuilt << QByteArray("reply.built");
    QTest::newRow("reply.head") << Point::ReplyHead << QByteArray("reply.head");
    QTest::newRow("reply.body") << Point::ReplyBody << QByteArray("reply.body");
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
    QCOMPARE(bytes(nameOf(FaultAction(Fin{}))), QByteArray("fin"));
    QCOMPARE(bytes(nameOf(FaultAction(Rst{}))), QByteArray("rst"));
    QCOMPARE(bytes(nameOf(FaultAction(Cut{}))), QByteArray("cut"));
    QCOMPARE(bytes(nameOf(FaultAction(Reply{}))), QByteArray("reply"));
    QCOMPARE(bytes(nameOf(FaultAction(Crash{}))), QByteArray("crash"));
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
