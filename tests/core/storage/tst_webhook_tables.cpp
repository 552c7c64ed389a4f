// An event of the bank, its effect and what it leaves behind are one transaction.
#include "storage/webhook_tables.h"

#include "core/idempotency/ledger_fixture.h"
#include "core/storage/shop_database.h"
#include "storage/binding.h"
#include "storage/outbox_table.h"

#include <QtTest/QTest>

using namespace payonce;
using namespace payonce::idempotency;
using namespace payonce::samples;
using namespace std::chrono_literals;
using storage::TakenEvent;
using storage::WebhookTables;
using tests::inBatch;
using tests::orFail;
using tests::ShopDatabase;
using tests::valueOrFail;

namespace {

BankEvent eventOf(const BankRow& row, const std::string& id = "evt_1", std::int64_t sequence = 2)
{
    return {id, bankKey(1), row, sequence, euros(4200), kNow};
}

} // namespace

class TestWebhookTables : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_shop = std::make_unique<ShopDatabase>();
        m_tables = std::make_unique<WebhookTables>(m_shop->database(), m_shop->ledger());
        inBatch(m_shop->ledger(), [&] {
            return m_shop->tables().savePaymentMethod({kCard, kAccount, "visa", "4242", kNow + 24h}, kNow);
        });
    }
    void cleanup()
    {
        m_tables.reset();
        m_shop.reset();
    }

    void openRecord_isSettledWithItsReceipt()
    {
        claim();
        const auto taken = take(eventOf(approved()));
        QCOMPARE(outcome(taken), EventOutcome::Applied);
        QCOMPARE(taken.record->state, RecordState::Succeeded);
        QCOMPARE(keptOutcome(), QStringLiteral("applied"));
        QCOMPARE(found()->chargeId, approved().chargeId);
        QCOMPARE(found()->answer->status, 201);
        QCOMPARE(number("SELECT count(*) FROM outbox"), 1);
        QCOMPARE(number("SELECT count(*) FROM orders WHERE status = 'paid'"), 1);
    }

    void declinedEvent_failsTheOpenRecord()
    {
        claim();
        QCOMPARE(take(eventOf(declined())).record->state, RecordState::Failed);
        QCOMPARE(found()->declineCode, declined().declineCode);
        QCOMPARE(number("SELECT count(*) FROM outbox"), 0);
    }

    // The worker that asked the bank comes second: it finds the record taken over and writes nothing.
    void workerAfterTheEvent_findsItSettled()
    {
        const KeyRecord record = claim();
        static_cast<void>(take(eventOf(approved())));
        orFail(m_shop->ledger().beginBatch());
        const auto settled = m_shop->ledger().settle(ownershipOf(record), approved(), kNow + 1s);
        orFail(m_shop->ledger().commitBatch());
        QCOMPARE(settled->settledAt.value(), kNow);
        QCOMPARE(number("SELECT count(*) FROM outbox"), 1);
    }

    void sameEventAgain_isCountedAndChangesNothing()
    {
        claim();
        static_cast<void>(take(eventOf(approved())));
        QCOMPARE(outcome(take(eventOf(approved()))), EventOutcome::Duplicate);
        QCOMPARE(number("SELECT count(*) FROM webhook_events"), 1);
        QCOMPARE(number("SELECT deliveries FROM webhook_events"), 2);
        QCOMPARE(keptOutcome(), QStringLiteral("applied"));
        QCOMPARE(number("SELECT count(*) FROM outbox"), 1);
    }

    void sameFactUnderAnotherId_isOneEffect()
    {
        claim();
        static_cast<void>(take(eventOf(approved())));
        QCOMPARE(outcome(take(eventOf(approved(), "evt_2"))), EventOutcome::SameFact);
        QCOMPARE(number("SELECT count(*) FROM webhook_facts"), 1);
        QCOMPARE(number("SELECT count(*) FROM outbox"), 1);
    }

    void secondCharge_isAContradictionAfterTheFirstEvent_data()
    {
        QTest::addColumn<int>("sequence");
        QTest::addColumn<QString>("charge");
        QTest::addColumn<int>("amount");
        QTest::newRow("newer, other charge") << 7 << QStringLiteral("ch_2") << 4200;
        QTest::newRow("as new, other charge") << 2 << QStringLiteral("ch_2") << 4200;
        QTest::newRow("older, other charge") << 1 << QStringLiteral("ch_2") << 4200;
        QTest::newRow("newer, other amount") << 8 << QStringLiteral("ch_1") << 999'999;
        QTest::newRow("older, other amount") << 1 << QStringLiteral("ch_1") << 999'999;
    }
    void secondCharge_isAContradictionAfterTheFirstEvent()
    {
        QFETCH(int, sequence);
        QFETCH(QString, charge);
        QFETCH(int, amount);
        claim();
        static_cast<void>(take(eventOf(approved())));
        BankEvent second = eventOf({BankState::Approved, charge.toStdString(), {}}, "evt_2", sequence);
        second.amount = euros(amount);

        QCOMPARE(outcome(take(second)), EventOutcome::Contradiction);
        second.id = "evt_3"; // the same fact once more
        QCOMPARE(outcome(take(second)), EventOutcome::SameFact);

        QCOMPARE(number("SELECT count(*) FROM discrepancies"), 1);
        QCOMPARE(openTasks().size(), 1);
        QVERIFY(found()->hasDiscrepancy);
        QCOMPARE(found()->chargeId, approved().chargeId);
        QCOMPARE(number("SELECT count(*) FROM outbox"), 1);
    }

    // The other way round: the event of a second charge settles the open record, then the first one's comes.
    void firstChargeToldAfterTheSecond_isAContradiction()
    {
        claim();
        QCOMPARE(outcome(take(eventOf({BankState::Approved, "ch_2", {}}, "evt_2", 7))), EventOutcome::Applied);
        QCOMPARE(outcome(take(eventOf(approved()))), EventOutcome::Contradiction);
        QCOMPARE(found()->chargeId, std::string("ch_2"));
        QCOMPARE(number("SELECT count(*) FROM discrepancies"), 1);
    }

    void twoTransitionsOfOnePayment_areTwoFacts()
    {
        claim();
        static_cast<void>(take(eventOf(approved(), "evt_2", 2)));
        QCOMPARE(outcome(take(eventOf(declined(), "evt_1", 1))), EventOutcome::Late);
        QCOMPARE(number("SELECT count(*) FROM webhook_facts"), 2);
        QCOMPARE(found()->state, RecordState::Succeeded);
        QCOMPARE(number("SELECT count(*) FROM discrepancies"), 0); // late is not contrary
    }

    void contradiction_changesNothingAndOpensATask()
    {
        const KeyRecord record = claim();
        static_cast<void>(
            inBatch(m_shop->ledger(), [&] { return m_shop->ledger().settle(ownershipOf(record), fenced(), kNow); }));
        const KeyRecord before = *found();

        QCOMPARE(outcome(take(eventOf(approved()))), EventOutcome::Contradiction);

        KeyRecord after = *found();
        QVERIFY(after.hasDiscrepancy);
        after.hasDiscrepancy = false;
        QVERIFY(after == before);
        QCOMPARE(number("SELECT count(*) FROM discrepancies WHERE state = 'abandoned' AND charge_id = 'ch_1'"), 1);
        QCOMPARE(openTasks(), QStringList{QString::fromStdString(record.id.toString()) + QStringLiteral(" discrepancy")});
        QCOMPARE(number("SELECT count(*) FROM outbox"), 0);
    }

    void closedTask_isOpenedByANewContradiction()
    {
        const KeyRecord record = claim();
        static_cast<void>(
            inBatch(m_shop->ledger(), [&] { return m_shop->ledger().settle(ownershipOf(record), approved(), kNow); }));
        static_cast<void>(take(eventOf(declined())));
        QVERIFY(m_shop->database().change(QStringLiteral("UPDATE support_tasks SET closed_at = 1")));
        QVERIFY(openTasks().isEmpty());
        static_cast<void>(take(eventOf({BankState::Approved, "ch_other", {}}, "evt_2", 3)));
        QCOMPARE(openTasks().size(), 1);
        QCOMPARE(number("SELECT count(*) FROM discrepancies"), 2);
    }

    void purgedRecord_keepsItsDiscrepancyInItsOrder()
    {
        const KeyRecord record = claim();
        static_cast<void>(
            inBatch(m_shop->ledger(), [&] { return m_shop->ledger().settle(ownershipOf(record), approved(), kNow); }));
        static_cast<void>(take(eventOf(declined())));
        for (const bool isRaised : {false, true}) {
            orFail(m_shop->ledger().beginBatch());
            if (isRaised)
                QCOMPARE(m_shop->ledger().purge(10).value(), 1);
            else
                QVERIFY(m_shop->ledger().raiseWatermark(kNow + 1ms));
            orFail(m_shop->ledger().commitBatch());
        }
        QVERIFY(!found());
        QVERIFY(valueOrFail(m_shop->ledger().findPurged({kAccount, record.id}))->hasDiscrepancy);
    }

    void eventBeforeItsOrder_isParkedAndAppliedOnce()
    {
        QCOMPARE(outcome(take(eventOf(approved()))), EventOutcome::Parked);
        QVERIFY(takeParked().empty());
        QCOMPARE(outcome(take(eventOf(approved()))), EventOutcome::Duplicate); // delivered again meanwhile
        QCOMPARE(keptOutcome(), QStringLiteral("parked"));
        claim();

        const auto applied = takeParked();
        QCOMPARE(applied.size(), std::size_t{1});
        QCOMPARE(outcome(applied.front()), EventOutcome::Applied);
        QCOMPARE(found()->state, RecordState::Succeeded);
        QCOMPARE(keptOutcome(), QStringLiteral("applied"));
        QVERIFY(takeParked().empty());
        QCOMPARE(number("SELECT count(*) FROM outbox"), 1);
    }

    void parkedEvents_areCountedUpToABound()
    {
        QCOMPARE(valueOrFail(m_tables->parkedCount(2)), std::int64_t{0});
        for (const char* id : {"evt_a", "evt_b", "evt_c"})
            static_cast<void>(take(eventOf(approved(), id)));
        QCOMPARE(valueOrFail(m_tables->parkedCount(100)), std::int64_t{3});
        QCOMPARE(valueOrFail(m_tables->parkedCount(2)), std::int64_t{2});
        claim();
        static_cast<void>(takeParked());
        QCOMPARE(valueOrFail(m_tables->parkedCount(100)), std::int64_t{0});
    }

    void parkedEvents_areAppliedInTheirSequence()
    {
        static_cast<void>(take(eventOf(approved(), "evt_b", 2)));
        static_cast<void>(take(eventOf(declined(), "evt_a", 3)));
        claim();
        const auto applied = takeParked();
        QCOMPARE(applied.size(), std::size_t{2});
        QCOMPARE(outcome(applied.front()), EventOutcome::Applied); // sequence 2 first, though it came with a later id
        QCOMPARE(outcome(applied.back()), EventOutcome::Contradiction);
        QCOMPARE(found()->state, RecordState::Succeeded);
    }

    // The effect fails after the event id was written: neither stays, and the next delivery is a first one.
    void failingEffect_storesNothing()
    {
        claim();
        QVERIFY(m_shop->database().execute(QStringLiteral("ALTER TABLE orders RENAME COLUMN settled_at TO gone")));
        orFail(m_shop->ledger().beginBatch());
        QVERIFY(!m_tables->take(eventOf(approved()), stamped()));
        orFail(m_shop->ledger().commitBatch());
        QCOMPARE(number("SELECT count(*) FROM webhook_events"), 0);
        QCOMPARE(number("SELECT count(*) FROM webhook_facts"), 0);
        QCOMPARE(found()->state, RecordState::InProgress);

        QVERIFY(m_shop->database().execute(QStringLiteral("ALTER TABLE orders RENAME COLUMN gone TO settled_at")));
        QCOMPARE(outcome(take(eventOf(approved()))), EventOutcome::Applied);
    }

    void crashBeforeTheCommit_storesNothing()
    {
        claim();
        orFail(m_shop->ledger().beginBatch());
        QVERIFY(m_tables->take(eventOf(approved()), stamped()));
        m_tables.reset();
        m_shop->crash();
        m_tables = std::make_unique<WebhookTables>(m_shop->database(), m_shop->ledger());
        QCOMPARE(outcome(take(eventOf(approved()))), EventOutcome::Applied);
    }

    void oldEvents_areForgotten()
    {
        claim();
        static_cast<void>(take(eventOf(approved())));
        inBatch(m_shop->ledger(), [&] { return m_tables->dropBefore(kNow); });
        QCOMPARE(number("SELECT count(*) FROM webhook_events"), 1);
        inBatch(m_shop->ledger(), [&] { return m_tables->dropBefore(kNow + 1ms); });
        QCOMPARE(number("SELECT count(*) FROM webhook_events"), 0);
        QCOMPARE(number("SELECT count(*) FROM webhook_facts"), 0);
    }

    void reset_forgetsEventsAndTasks()
    {
        claim();
        static_cast<void>(take(eventOf(approved())));
        static_cast<void>(take(eventOf(declined(), "evt_2", 3)));
        QCOMPARE(number("SELECT count(*) FROM support_tasks"), 1);
        inBatch(m_shop->ledger(), [&] { return m_shop->tables().reset(); });
        for (const char* table : {"webhook_events", "webhook_facts", "discrepancies", "support_tasks"})
            QCOMPARE(number(QByteArray("SELECT count(*) FROM ") + table), 0);
    }

private:
    static WriterStamp stamped() { return {kNextRun, kNow}; }
    static EventOutcome outcome(const TakenEvent& taken) { return taken.outcome; }

    KeyRecord claim()
    {
        const auto decision = inBatch(m_shop->ledger(), [&] { return m_shop->ledger().claim(request(1), stamp(1)); });
        return std::get<Execute>(decision).record;
    }
    TakenEvent take(const BankEvent& event)
    {
        return inBatch(m_shop->ledger(), [&] { return m_tables->take(event, stamped()); });
    }
    std::vector<TakenEvent> takeParked()
    {
        return inBatch(m_shop->ledger(), [&] { return m_tables->takeParked(stamped(), 100); });
    }
    std::optional<KeyRecord> found() { return valueOrFail(m_shop->ledger().find(kAccount, actionId(1))); }
    /// Of the only event there is.
    QString keptOutcome()
    {
        return m_shop->database()
            .select(QStringLiteral("SELECT outcome FROM webhook_events"))
            .value()
            .first()
            .first()
            .toString();
    }
    /// `ACTION CAUSE`.
    QStringList openTasks()
    {
        QStringList tasks;
        const auto rows = m_shop->database().select(
            QStringLiteral("SELECT action_id || ' ' || cause FROM support_tasks WHERE closed_at IS NULL ORDER BY action_id"));
        for (const storage::Row& row : rows.value())
            tasks += row.first().toString();
        return tasks;
    }
    int number(const QByteArray& sql)
    {
        return m_shop->database().select(QString::fromLatin1(sql)).value().first().first().toInt();
    }

    std::unique_ptr<ShopDatabase> m_shop;
    std::unique_ptr<WebhookTables> m_tables;
};

QTEST_GUILESS_MAIN(TestWebhookTables)
#include "tst_webhook_tables.moc"
