// What the control API shows of mails; everything else of it is seen through its port.
#include "faults/control_json.h"

#include <QtTest/QTest>

using namespace payonce::faults;

class TestControlJson : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyNameAScenarioMayUse_isListed()
    {
        const QByteArray listed =
            R"({"points":["accept","head","received","key.looked_up","key.claimed","bank.before","bank.inside","bank.committed",)"
            R"("bank.answered","result.saved","reply.built","reply.head@n","reply.body@n","reply.flushed","webhook.received",)"
            R"("webhook.applied","outbox.before","outbox.sent"],)"
            R"("client_points":["action.saved","attempt.saved","sent","reply.parsed","outcome.saved"],)"
            R"("operations":["pay","sign_up","tokenise","status","abandon","report","policy","cart","orders","webhook","mail","support"],)"
            R"("actions":["delay","hang","pause","fin","rst","halfclose","cut","chunked_cut","drip","reply","garbage","double","swap",)"
            R"("hold_then_process","process_twice","stale","redirect","refuse","store_fail","clock_step","crash","forget"]})";
        QCOMPARE(pointsBody(), listed);
    }

    void mails_areShownAndTheOutboxIsNot()
    {
        LedgerView ledger;
        ledger.mails.push_back({"receipt", "a@example.com", "a", "ord_1", "2026-11-30T10:00:02.000Z"});
        ledger.mails.push_back({"welcome", "b@example.com", "b", "", "2026-11-30T10:00:03.000Z"});
        ledger.mailsWaiting = 7;
        const QByteArray expected =
            R"({"charges":[],"mails":[)"
            R"({"kind":"receipt","to":"a@example.com","action_id":"a","order":"ord_1","at":"2026-11-30T10:00:02.000Z"},)"
            R"({"kind":"welcome","to":"b@example.com","action_id":"b","order":null,"at":"2026-11-30T10:00:03.000Z"}],)"
            R"("orders":[],"accounts":[],"records":[],"complete":true})";
        QCOMPARE(ledgerBody(ledger), expected);
    }
};

QTEST_APPLESS_MAIN(TestControlJson)
#include "tst_control_json.moc"
