// A mail at its points: it has no connection, so a rule can only make its try fail.
#include "faults/scenario_engine.h"
#include "protocol/scenario_json.h"

#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace payonce::console;
using namespace payonce::faults;

namespace {

Arrival newMail()
{
    Arrival mail;
    mail.operation = Operation::Mail;
    mail.account = "acct_1";
    mail.actionId = "a";
    return mail;
}

/// One rule about the `nth` try of a mail, as a file says it.
Scenario mailScenario(int nth, const QByteArray& action)
{
    const QByteArray text = R"({"schema":1,"name":"mail","rules":[{"id":"r1","match":{"op":"mail","nth":)" +
                            QByteArray::number(nth) + R"(},"at":"outbox.before","do":)" + action + "}]}";
    return payonce::protocol::parseScenario(text.toStdString()).value();
}

const QByteArray kRst = R"({"rst":{}})";
const QByteArray kFin = R"({"fin":{}})";
const QByteArray kHang = R"({"hang":{}})";
const QByteArray kAnswer500 = R"({"reply":{"status":500}})";
const QByteArray kDelay = R"({"delay":{"ms":1}})";

} // namespace

class TestMailPoints : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_dir = std::make_unique<QTemporaryDir>();
        m_journal = std::move(*ArrivalJournal::open(m_dir->filePath(QStringLiteral("arrivals.jsonl"))));
        m_engine = std::make_unique<ScenarioEngine>(*m_journal);
        m_proceeded = 0;
    }
    void cleanup()
    {
        m_engine.reset();
        m_journal.reset();
        m_dir.reset();
    }

    void ruleThatEndsAConnection_onlyMakesTheTryFail_data()
    {
        QTest::addColumn<QByteArray>("action");
        QTest::newRow("rst") << kRst;
        QTest::newRow("fin") << kFin;
        QTest::newRow("hang") << kHang;
        QTest::newRow("reply") << kAnswer500;
    }
    void ruleThatEndsAConnection_onlyMakesTheTryFail()
    {
        QFETCH(QByteArray, action);
        m_engine->load(mailScenario(2, action));
        for (const bool isHit : {false, true, false}) {
            Arrival mail = newMail();
            QVERIFY(reach(Point::OutboxBefore, mail));
            QCOMPARE(mail.isHit, isHit);
            QVERIFY(reach(Point::OutboxSent, mail));
        }
        QCOMPARE(m_journal->rows().size(), std::size_t{3}); // a try is an arrival
        QCOMPARE(m_journal->rows().at(1).rule, std::string("r1"));
        QCOMPARE(m_journal->tally().hitsOf("r1"), 1);
    }

    void delayedMail_goesOnLater()
    {
        m_engine->load(mailScenario(1, kDelay));
        Arrival mail = newMail();
        QVERIFY(!reach(Point::OutboxBefore, mail));
        QTRY_COMPARE(m_proceeded, 1);
        QVERIFY(!mail.isHit);
    }

    void mailOfAnEarlierEpoch_goesNoFurther()
    {
        Arrival mail = newMail();
        QVERIFY(reach(Point::OutboxBefore, mail));
        m_engine->reset();
        QVERIFY(!reach(Point::OutboxSent, mail));
    }

private:
    /// True if the work went on before reach() returned.
    bool reach(Point point, Arrival& mail)
    {
        const int before = m_proceeded;
        m_engine->reach(point, mail, [this] { ++m_proceeded; });
        return m_proceeded > before;
    }

    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<ArrivalJournal> m_journal;
    std::unique_ptr<ScenarioEngine> m_engine;
    int m_proceeded = 0;
};

QTEST_GUILESS_MAIN(TestMailPoints)
#include "tst_mail_points.moc"
