// What an event of the bank does to a record: the whole table.
#include "idempotency/event_rules.h"
#include "ledger_samples.h"

#include <QtTest/QTest>

using namespace payonce;
using namespace payonce::idempotency;
using namespace payonce::samples;

namespace {

BankEvent eventOf(const BankRow& row, std::int64_t sequence = 2)
{
    return {"evt_1", bankKey(1), row, sequence, euros(4200), kNow};
}

KeyRecord recordIn(RecordState state)
{
    KeyRecord result = record(1, state);
    if (state == RecordState::Succeeded)
        result.chargeId = approved().chargeId;
    return result;
}

} // namespace

class TestEventRules : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void recordsState_decides_data()
    {
        QTest::addColumn<int>("state");
        QTest::addColumn<int>("onApproved");
        QTest::addColumn<int>("onDeclined");
        const auto row = [](const char* name, RecordState state, EventOutcome onApproved, EventOutcome onDeclined) {
            QTest::newRow(name) << static_cast<int>(state) << static_cast<int>(onApproved) << static_cast<int>(onDeclined);
        };
        row("in progress", RecordState::InProgress, EventOutcome::Applied, EventOutcome::Applied);
        row("unknown", RecordState::Unknown, EventOutcome::Applied, EventOutcome::Applied);
        row("succeeded", RecordState::Succeeded, EventOutcome::Agrees, EventOutcome::Contradiction);
        row("failed", RecordState::Failed, EventOutcome::Contradiction, EventOutcome::Agrees);
        row("abandoned: not charged, as a decline says", RecordState::Abandoned, EventOutcome::Contradiction,
            EventOutcome::Agrees);
    }
    void recordsState_decides()
    {
        QFETCH(int, state);
        QFETCH(int, onApproved);
        QFETCH(int, onDeclined);
        const EventFacts facts{recordIn(static_cast<RecordState>(state)), false, {}};
        QCOMPARE(static_cast<int>(decideEvent(eventOf(approved()), facts)), onApproved);
        QCOMPARE(static_cast<int>(decideEvent(eventOf(declined()), facts)), onDeclined);
    }

    void withoutRecord_itIsParked()
    {
        QCOMPARE(static_cast<int>(decideEvent(eventOf(approved()), {})), static_cast<int>(EventOutcome::Parked));
        const EventFacts known{{}, true, 9}; // whatever else is known: there is nothing to apply it to
        QCOMPARE(static_cast<int>(decideEvent(eventOf(approved()), known)), static_cast<int>(EventOutcome::Parked));
    }

    void knownFact_hasNoSecondEffect()
    {
        for (const auto state : {RecordState::InProgress, RecordState::Succeeded, RecordState::Failed}) {
            const EventFacts facts{recordIn(state), true, 2};
            QCOMPARE(static_cast<int>(decideEvent(eventOf(approved()), facts)), static_cast<int>(EventOutcome::SameFact));
        }
    }

    void olderThanTheNewest_isLate_data()
    {
        QTest::addColumn<int>("sequence");
        QTest::addColumn<bool>("isLate");
        QTest::newRow("older") << 1 << true;
        QTest::newRow("as new") << 2 << false;
        QTest::newRow("newer") << 3 << false;
    }
    void olderThanTheNewest_isLate()
    {
        QFETCH(int, sequence);
        QFETCH(bool, isLate);
        const EventFacts facts{recordIn(RecordState::Succeeded), false, 2};
        const auto expected = isLate ? EventOutcome::Late : EventOutcome::Contradiction;
        QCOMPARE(static_cast<int>(decideEvent(eventOf(declined(), sequence), facts)), static_cast<int>(expected));
    }

    // Whatever was told before: nothing, an older, as new or a newer event.
    void chargeUnknownToTheRecord_isAContradictionInAnyOrder_data()
    {
        QTest::addColumn<int>("state");
        QTest::addColumn<int>("newest");
        for (const auto state : {RecordState::Succeeded, RecordState::Failed, RecordState::Abandoned})
            for (const int newest : {0, 1, 2, 9})
                QTest::addRow("%s, newest %d", values::nameOf(state), newest) << static_cast<int>(state) << newest;
    }
    void chargeUnknownToTheRecord_isAContradictionInAnyOrder()
    {
        QFETCH(int, state);
        QFETCH(int, newest);
        EventFacts facts{recordIn(static_cast<RecordState>(state)), false, {}};
        if (newest > 0)
            facts.newestSequence = newest;
        const BankRow other{BankState::Approved, "ch_2", {}};
        QCOMPARE(static_cast<int>(decideEvent(eventOf(other), facts)), static_cast<int>(EventOutcome::Contradiction));
    }

    void otherAmount_neverSettlesAnythingInAnyOrder()
    {
        for (const auto state : {RecordState::InProgress, RecordState::Succeeded, RecordState::Failed})
            for (const auto& row : {approved(), declined()})
                for (const int newest : {1, 2, 9}) {
                    const EventFacts facts{recordIn(state), false, newest};
                    BankEvent event = eventOf(row);
                    event.amount = euros(4201);
                    QCOMPARE(static_cast<int>(decideEvent(event, facts)), static_cast<int>(EventOutcome::Contradiction));
                }
    }

    // Nothing is undone by it, and it tells nothing that the record does not know.
    void olderEventThatAgrees_isLate()
    {
        const EventFacts paid{recordIn(RecordState::Succeeded), false, 9};
        QCOMPARE(static_cast<int>(decideEvent(eventOf(approved()), paid)), static_cast<int>(EventOutcome::Late));
        const EventFacts open{recordIn(RecordState::InProgress), false, 9};
        QCOMPARE(static_cast<int>(decideEvent(eventOf(approved()), open)), static_cast<int>(EventOutcome::Late));
    }
};

QTEST_APPLESS_MAIN(TestEventRules)
#include "tst_event_rules.moc"
