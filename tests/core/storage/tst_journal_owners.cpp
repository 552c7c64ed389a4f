// Several processes on one journal: leases, beats and takeovers.
#include "core/storage/journal_members.h"

#include <QtCore/QRegularExpression>
#include <QtTest/QTest>

using namespace payonce;
using namespace payonce::samples;
using namespace std::chrono_literals;
using retry::AttemptBegun;
using retry::Cause;
using retry::JournalError;
using retry::State;
using storage::ClientJournal;

class JournalOwnersTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void openActionOfALivingOwner_isWatchedNotTaken();
    void deadOwner_losesItsActions_data();
    void deadOwner_losesItsActions();
    void beat_keepsAnOwnerAlive();
    void ownerThatWasStopped_isDisplacedAndSeesIt();
    void ownerThatCloses_leavesAtOnce();
    void everySave_saysThatItsOwnerLives_data();
    void everySave_saysThatItsOwnerLives();
    void displacedOwner_cannotSaveTheSameIdAgain();
    void adoptingWhatALivingOneOwns_isDisplaced();
    void unseenEndOfALivingOwner_isNotShownAgain();

private:
    [[nodiscard]] std::unique_ptr<ClientJournal> journal() const { return m_all->journal(); }

    std::unique_ptr<JournalMembers> m_all;
};

void JournalOwnersTest::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_all = std::make_unique<JournalMembers>();
}

void JournalOwnersTest::openActionOfALivingOwner_isWatchedNotTaken()
{
    const auto owner = journal();
    QCOMPARE(makeReady(*owner, anAction()), 1);
    const auto viewer = journal();

    const auto open = viewer->takeOverOpen();
    const auto sight = viewer->look(lookAt());

    QVERIFY(open && open->empty());
    QVERIFY(sight && sight->taken.empty() && sight->watched);
    QVERIFY(sight->watched->action == **owner->read(anAction().id));
    QVERIFY(!sight->watched->shown);
    QVERIFY(owner->beginAttempt(anAction().id, 1, 2, at(3000)) == AttemptBegun::Inserted);
}

void JournalOwnersTest::deadOwner_losesItsActions_data()
{
    QTest::addColumn<QString>("death");
    QTest::addColumn<bool>("atStart");

    for (const char* death : {"killed", "silent for its time", "before this boot"}) {
        QTest::addRow("%s, at a look", death) << QString::fromLatin1(death) << false;
        QTest::addRow("%s, at a start", death) << QString::fromLatin1(death) << true;
    }
}

void JournalOwnersTest::deadOwner_losesItsActions()
{
    QFETCH(const QString, death);
    QFETCH(const bool, atStart);
    const auto presence = m_all->enter();
    const auto ownersClock = std::make_shared<JournalMembers::Clock>();
    const auto owner = m_all->journal(presence, ownersClock);
    QCOMPARE(makeReady(*owner, anAction()), 1);
    const auto taker = journal();
    QVERIFY(taker->look(lookAt(anAction().id))->taken.empty());

    if (death == QLatin1String("killed")) {
        presence->leave(); // as the kernel does; its row stays
    } else if (death == QLatin1String("silent for its time")) {
        m_all->clock->moment.uptime += 5s;
    } else {
        m_all->clock->moment = {"boot-2", 1s};
    }
    const auto taken = atStart ? taker->takeOverOpen().value() : taker->look(lookAt(anAction().id))->taken;

    QCOMPARE(taken.size(), 1U);
    QCOMPARE(taken.front().lease, 2);
    QVERIFY(taken.front() == **taker->read(anAction().id));
    QVERIFY(owner->beginAttempt(anAction().id, 1, 2, at(3000)) == AttemptBegun::Refused);
    QVERIFY(owner->saveFinal(anAction().id, 1, anAnswer(State::Paid)).error() == JournalError::Displaced);
    QVERIFY(taker->look(lookAt(anAction().id, 2))->taken.empty()); // once
}

void JournalOwnersTest::beat_keepsAnOwnerAlive()
{
    const auto owner = journal();
    QCOMPARE(makeReady(*owner, anAction()), 1);
    const auto viewer = journal();

    for (int second = 0; second < 10; ++second) {
        m_all->clock->moment.uptime += 1s;
        QVERIFY(owner->look(lookAt(anAction().id)));
        QVERIFY(viewer->look(lookAt(anAction().id))->taken.empty());
    }
    m_all->clock->moment.uptime += 4999ms;
    QVERIFY(viewer->look(lookAt(anAction().id))->taken.empty());
    m_all->clock->moment.uptime += 1ms;
    QCOMPARE(viewer->look(lookAt(anAction().id))->taken.size(), 1U);
}

void JournalOwnersTest::ownerThatWasStopped_isDisplacedAndSeesIt()
{
    const auto owner = journal();
    QCOMPARE(makeReady(*owner, anAction()), 1);
    const auto taker = journal();
    m_all->clock->moment.uptime += 6s;
    QCOMPARE(taker->look(lookAt(anAction().id))->taken.size(), 1U);

    const auto sight = owner->look(lookAt(anAction().id));

    QVERIFY(sight && sight->taken.empty() && sight->watched);
    QCOMPARE(sight->watched->action.lease, 2);
    QVERIFY(sight->hasCompany);
    // It lives again, and may own others.
    QVERIFY(owner->saveAction(anAction(kSecondId, "cart_2")) == 1);
    QVERIFY(taker->look(lookAt(anAction().id, 2))->taken.empty());
}

void JournalOwnersTest::ownerThatCloses_leavesAtOnce()
{
    auto owner = journal();
    QCOMPARE(makeReady(*owner, anAction()), 1);
    const auto viewer = journal();
    QVERIFY(viewer->look(lookAt(anAction().id))->watched);

    owner.reset();

    QCOMPARE(viewer->look(lookAt(anAction().id))->taken.size(), 1U);
}

void JournalOwnersTest::everySave_saysThatItsOwnerLives_data()
{
    QTest::addColumn<QString>("by");

    QTest::newRow("save 1") << "save";
    QTest::newRow("a takeover at start") << "start";
    QTest::newRow("a takeover at a look") << "look";
    QTest::newRow("an adoption") << "adopt";
}

/// An owner whose last beat is long over takes something on: nobody may take it for dead in the moment after.
void JournalOwnersTest::everySave_saysThatItsOwnerLives()
{
    QFETCH(const QString, by);
    const auto owner = journal();
    QVERIFY(owner->saveAction(anAction(kSecondId, "cart_2")));
    const auto other = journal();
    m_all->clock->moment.uptime += 60s;

    if (by == QLatin1String("save")) {
        QVERIFY(owner->saveAction(anAction()));
    } else if (by == QLatin1String("adopt")) {
        QVERIFY(owner->adopt(anAction(kSecondId).id, 1, anAction()));
    } else {
        ClientJournal(ClientJournal::fileAt(m_all->pathOf("client.sqlite"))).saveAction(anAction()).value();
        QVERIFY(by == QLatin1String("start") ? owner->takeOverOpen().has_value() : owner->look(lookAt()).has_value());
    }

    const auto sight = other->look(lookAt(anAction().id));
    QVERIFY(sight && sight->taken.empty() && sight->watched);
}

void JournalOwnersTest::displacedOwner_cannotSaveTheSameIdAgain()
{
    const auto owner = journal();
    QVERIFY(owner->saveAction(anAction()) == 1);
    auto again = anAction();
    again.lease = 1;
    const auto taker = journal();
    m_all->clock->moment.uptime += 6s;
    QCOMPARE(taker->look(lookAt(again.id))->taken.size(), 1U);

    QVERIFY(owner->saveAction(again).error() == JournalError::Displaced);
}

void JournalOwnersTest::adoptingWhatALivingOneOwns_isDisplaced()
{
    const auto other = journal();
    QCOMPARE(makeReady(*other, anAction()), 1);
    const auto own = journal();
    const auto second = anAction(kSecondId, "cart_2");
    QCOMPARE(makeReady(*own, second), 1);

    QVERIFY(own->adopt(second.id, 1, anAction()).error() == JournalError::Displaced);

    QVERIFY((*own->read(second.id))->final->cause == Cause::CartTaken);
    QVERIFY(other->beginAttempt(anAction().id, 1, 2, at(3000)) == AttemptBegun::Inserted);
    QVERIFY(own->look(lookAt(second.id))->watched->action.id == anAction().id);
}

void JournalOwnersTest::unseenEndOfALivingOwner_isNotShownAgain()
{
    const auto presence = m_all->enter();
    const auto owner = m_all->journal(presence);
    QCOMPARE(makeReady(*owner, anAction()), 1);
    QVERIFY(owner->saveFinal(anAction().id, 1, anAnswer(State::Paid)));

    QVERIFY(journal()->takeOverOpen()->empty()); // it is on that one's screen

    presence->leave();
    QCOMPARE(journal()->takeOverOpen()->size(), 1U);
}

QTEST_GUILESS_MAIN(JournalOwnersTest)
#include "tst_journal_owners.moc"
