#include "values/record_state.h"

#include <QtTest/QTest>

using namespace payonce::values;

class RecordStateTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyState_hasTheContractsName_data();
    void everyState_hasTheContractsName();
    void otherName_isNoState();
};

void RecordStateTest::everyState_hasTheContractsName_data()
{
    QTest::addColumn<RecordState>("state");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<bool>("terminal");
    QTest::newRow("in progress") << RecordState::InProgress << QByteArray("in_progress") << false;
    QTest::newRow("unknown") << RecordState::Unknown << QByteArray("unknown") << false;
    QTest::newRow("succeeded") << RecordState::Succeeded << QByteArray("succeeded") << true;
    QTest::newRow("failed") << RecordState::Failed << QByteArray("failed") << true;
    QTest::newRow("abandoned") << RecordState::Abandoned << QByteArray("abandoned") << true;
}

void RecordStateTest::everyState_hasTheContractsName()
{
    QFETCH(RecordState, state);
    QFETCH(QByteArray, name);
    QFETCH(bool, terminal);
    QCOMPARE(QByteArray(nameOf(state)), name);
    QCOMPARE(isTerminal(state), terminal);
    QVERIFY(recordStateOf(name.toStdString()) == state);
}

void RecordStateTest::otherName_isNoState()
{
    QVERIFY(!recordStateOf(""));
    QVERIFY(!recordStateOf("Succeeded"));
    QVERIFY(!recordStateOf("absent"));
}

QTEST_APPLESS_MAIN(RecordStateTest)
#include "tst_record_state.moc"
