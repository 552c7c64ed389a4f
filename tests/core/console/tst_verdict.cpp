#include "console/verdict.h"

#include <QtTest/QTest>

using namespace payonce::console;

namespace {

QByteArray bytes(std::string_view text)
{
    return {text.data(), static_cast<qsizetype>(text.size())};
}

ActionFacts facts(int charges, bool orderPaid, bool recordOpen)
{
    ActionFacts result;
    result.charges = charges;
    result.orderPaid = orderPaid;
    result.recordOpen = recordOpen;
    return result;
}

ActionVerdict verdict(VerdictCode code)
{
    return {{}, code};
}

} // namespace

class VerdictTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void facts_giveTheVerdict_data();
    void facts_giveTheVerdict();
    void total_isTheWorstOfAll();
    void discrepancy_outweighsAllButASecondCharge();
    void chargeWithAClosedOrder_isChargedOrderCancelled();
    void noAction_isNotCharged();
    void everyCode_hasTheContractsNames_data();
    void everyCode_hasTheContractsNames();
};

void VerdictTest::facts_giveTheVerdict_data()
{
    QTest::addColumn<int>("charges");
    QTest::addColumn<bool>("orderPaid");
    QTest::addColumn<bool>("recordOpen");
    QTest::addColumn<VerdictCode>("code");
    QTest::newRow("nothing happened") << 0 << false << false << VerdictCode::NotCharged;
    QTest::newRow("charged, paid") << 1 << true << false << VerdictCode::ChargedOnce;
    QTest::newRow("charged, order left open") << 1 << false << false << VerdictCode::ChargedOrderOpen;
    QTest::newRow("charged, record open") << 1 << false << true << VerdictCode::UnknownBeingChecked;
    QTest::newRow("nothing yet, record open") << 0 << false << true << VerdictCode::UnknownBeingChecked;
    QTest::newRow("two charges outweigh all") << 2 << true << true << VerdictCode::ChargedTwice;
    QTest::newRow("three charges too") << 3 << true << false << VerdictCode::ChargedTwice;
}

void VerdictTest::facts_giveTheVerdict()
{
    QFETCH(int, charges);
    QFETCH(bool, orderPaid);
    QFETCH(bool, recordOpen);
    QFETCH(VerdictCode, code);
    QCOMPARE(judge(facts(charges, orderPaid, recordOpen)), code);
}

void VerdictTest::total_isTheWorstOfAll()
{
    const std::vector good = {verdict(VerdictCode::ChargedOnce), verdict(VerdictCode::NotCharged)};
    QCOMPARE(worst(good), VerdictCode::ChargedOnce);
    const std::vector open = {verdict(VerdictCode::ChargedOrderOpen), verdict(VerdictCode::UnknownBeingChecked)};
    QCOMPARE(worst(open), VerdictCode::ChargedOrderOpen);
    const std::vector cancelled = {verdict(VerdictCode::ChargedOrderOpen), verdict(VerdictCode::ChargedOrderCancelled)};
    QCOMPARE(worst(cancelled), VerdictCode::ChargedOrderCancelled);
    const std::vector twice = {verdict(VerdictCode::ChargedTwice), verdict(VerdictCode::ChargedOrderCancelled)};
    QCOMPARE(worst(twice), VerdictCode::ChargedTwice);
}

void VerdictTest::discrepancy_outweighsAllButASecondCharge()
{
    for (const int charges : {0, 1}) {
        for (const bool recordOpen : {false, true}) {
            auto contradicted = facts(charges, charges == 1, recordOpen);
            contradicted.hasDiscrepancy = true;
            QCOMPARE(judge(contradicted), VerdictCode::ChargedOrderCancelled);
        }
    }
    auto twice = facts(2, true, false);
    twice.hasDiscrepancy = true;
    QCOMPARE(judge(twice), VerdictCode::ChargedTwice);
}

void VerdictTest::chargeWithAClosedOrder_isChargedOrderCancelled()
{
    auto closed = facts(1, false, false);
    closed.orderClosed = true;
    QCOMPARE(judge(closed), VerdictCode::ChargedOrderCancelled);
    closed.charges = 0;
    QCOMPARE(judge(closed), VerdictCode::NotCharged);
}

void VerdictTest::noAction_isNotCharged()
{
    QCOMPARE(worst({}), VerdictCode::NotCharged);
}

void VerdictTest::everyCode_hasTheContractsNames_data()
{
    QTest::addColumn<VerdictCode>("code");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("phrase");
    QTest::newRow("not charged") << VerdictCode::NotCharged << QByteArray("not_charged") << QByteArray("not charged");
    QTest::newRow("once") << VerdictCode::ChargedOnce << QByteArray("charged_once") << QByteArray("charged once");
    QTest::newRow("checked") << VerdictCode::UnknownBeingChecked << QByteArray("unknown_being_checked")
                             << QByteArray("unknown, being checked");
    QTest::newRow("open") << VerdictCode::ChargedOrderOpen << QByteArray("charged_order_open")
                          << QByteArray("charged but order not finished");
    QTest::newRow("cancelled") << VerdictCode::ChargedOrderCancelled << QByteArray("charged_order_cancelled")
                               << QByteArray("charged but order cancelled");
    QTest::newRow("too soon") << VerdictCode::IgnoredRetryAfter << QByteArray("ignored_retry_after")
                              << QByteArray("ignored retry after");
    QTest::newRow("sent again below") << VerdictCode::ResentBelowApplication << QByteArray("resent_below_application")
                                      << QByteArray("resent below application");
    QTest::newRow("gave up") << VerdictCode::GaveUpThoughCharged << QByteArray("gave_up_though_charged")
                             << QByteArray("gave up though charged");
    QTest::newRow("fresh key") << VerdictCode::FreshKeyOnRetry << QByteArray("fresh_key_on_retry")
                               << QByteArray("fresh key on retry");
    QTest::newRow("twice") << VerdictCode::ChargedTwice << QByteArray("charged_twice") << QByteArray("charged twice");
}

void VerdictTest::everyCode_hasTheContractsNames()
{
    QFETCH(VerdictCode, code);
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, phrase);
    QCOMPARE(bytes(codeOf(code)), name);
    QCOMPARE(bytes(phraseOf(code)), phrase);
    QVERIFY(bytes(wordsOf(code)).endsWith('.'));
}

QTEST_APPLESS_MAIN(VerdictTest)
#include "tst_verdict.moc"
