// PAYONCE_FAULT and `payonce --points`.
#include "points/point_rules.h"

#include <QtTest/QTest>

using namespace payonce;
using console::Point;

class PointRulesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nothing_isNoRule()
    {
        const auto rules = points::rulesIn({});
        QVERIFY(rules && rules->empty());
    }

    void faults_areRules()
    {
        const auto rules = points::rulesIn(QStringLiteral(
            "sent:1=crash, outcome.saved=store_fail,reply.parsed:2=delay:500,action.saved:1=clock_step:-86400000"));
        QVERIFY(rules);
        QCOMPARE(rules->size(), std::size_t(4));
        QVERIFY(rules->at(0).point == Point::Sent && rules->at(0).match.nth == 1);
        QVERIFY(std::holds_alternative<console::Crash>(rules->at(0).action));
        QVERIFY(rules->at(1).point == Point::OutcomeSaved && !rules->at(1).match.nth);
        QVERIFY(std::holds_alternative<console::StoreFail>(rules->at(1).action));
        QCOMPARE(std::get<console::Delay>(rules->at(2).action).time, std::chrono::milliseconds(500));
        QCOMPARE(std::get<console::ClockStep>(rules->at(3).action).by, std::chrono::milliseconds(-86400000));
        QVERIFY(rules->at(0).id != rules->at(1).id);
    }

    void nonsense_isRefusedAndQuoted_data()
    {
        QTest::addColumn<QString>("variable");
        for (const auto* bad :
             {"crash", "sent", "sent=", "sent:0=crash", "sent:x=crash", "sent:1:1=crash", "sent=crash=crash", "sent=explode",
              "bank.committed=crash", "sent=crash:5", "reply.parsed=delay", "reply.parsed=delay:x", "reply.parsed=delay:1:2",
              "sent=rst", "reply.parsed=store_fail", "sent=delay:5"})
            QTest::newRow(bad) << QString::fromLatin1(bad);
    }
    void nonsense_isRefusedAndQuoted()
    {
        QFETCH(QString, variable);
        const auto rules = points::rulesIn(QStringLiteral("sent:1=crash,") + variable);
        QVERIFY(!rules);
        QVERIFY(!rules.error().isEmpty());
    }

    void onlyTheClientsRules_areOurs()
    {
        console::Rule server;
        server.point = Point::BankCommitted;
        console::Rule client;
        client.id = "c";
        client.point = Point::Sent;
        const auto ours = points::clientRules({server, client, server});
        QCOMPARE(ours.size(), std::size_t(1));
        QCOMPARE(ours.front().id, std::string("c"));
    }

    void everyPoint_isListedWithWhatCanBeDoneThere()
    {
        const auto lines = points::pointsText().trimmed().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 5);
        QVERIFY(lines.at(0).startsWith(QStringLiteral("action.saved")));
        QCOMPARE(lines.at(2).simplified(), QStringLiteral("sent crash clock_step"));
        QCOMPARE(lines.at(4).simplified(), QStringLiteral("outcome.saved crash delay store_fail clock_step"));
    }
};

QTEST_APPLESS_MAIN(PointRulesTest)
#include "tst_point_rules.moc"
