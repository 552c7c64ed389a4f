// Several processes on one journal: leases, beats, takeovers, what is shown and what is pressed.
#include "core/storage/journal_samples.h"

#include <QtCore/QRegularExpression>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace payonce;
using namespace payonce::samples;
using namespace std::chrono_literals;
using retry::AttemptBegun;
using retry::Cause;
using retry::JournalError;
using retry::Look;
using retry::Press;
using retry::Shown;
using retry::State;
using storage::ClientJournal;
using storage::Membership;
using storage::Moment;
using storage::Presence;

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
    void shown_isSeenUnderItsLeaseOnly();
    void endedAction_isSeenWithItsEnd();
    void press_isGivenToTheOwnerOnce();
    void press_waitsForTheNextOwner();
    void pressOnAnEndedAction_isNone();
    void cartOfAnother_isFound_data();
    void cartOfAnother_isFound();
    void otherAccountsAction_isNotShown();
    void nothingNew_isNotReadAgain();
    void company_isWhoSaysThatItLives();
    void adoptingWhatALivingOneOwns_isDisplaced();
    void unseenEndOfALivingOwner_isNotShownAgain();

private:
    struct Clock
    {
        Moment moment{"boot-1", 1000s};
    };

    [[nodiscard]] QString pathOf(const char* name) const { return m_directory->filePath(QLatin1String(name)); }
    [[nodiscard]] std::shared_ptr<Presence> enter() const { return Presence::take(pathOf("payonce.lock")).value(); }
    [[nodiscard]] std::unique_ptr<ClientJournal> journal(std::shared_ptr<Presence> presence = {},
                                                         std::shared_ptr<Clock> clock = {}) const;
    /// At work on that action, or at none.
    [[nodiscard]] static Look lookAt(std::optional<values::ActionId> current = {}, retry::LeaseNumber lease = 1);

    std::unique_ptr<QTemporaryDir> m_directory;
    std::shared_ptr<Clock> m_clock;
};

void JournalOwnersTest::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_directory = std::make_unique<QTemporaryDir>();
    m_clock = std::make_shared<Clock>();
}

std::unique_ptr<ClientJournal> JournalOwnersTest::journal(std::shared_ptr<Presence> presence,
                                                          std::shared_ptr<Clock> clock) const
{
    if (!presence) {
        presence = enter();
    }
    if (!clock) {
        clock = m_clock;
    }
    return std::make_unique<ClientJournal>(ClientJournal::fileAt(pathOf("client.sqlite")),
                                           Membership{presence, 1s, 5s, [clock] { return clock->moment; }});
}

Look JournalOwnersTest::lookAt(std::optional<values::ActionId> current, retry::LeaseNumber lease)
{
    Look look;
    look.here = anAction().scope;
    look.current = std::move(current);
    look.cartId = "cart_1";
    look.lease = lease;
    look.isBusy = look.current.has_value();
    return look;
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
    const auto presence = enter();
    const auto ownersClock = std::make_shared<Clock>();
    const auto owner = journal(presence, ownersClock);
    QCOMPARE(makeReady(*owner, anAction()), 1);
    const auto taker = journal();
    QVERIFY(taker->look(lookAt(anAction().id))->taken.empty());

    if (death == QLatin1String("killed")) {
        presence->leave(); // as the kernel does; its row stays
    } else if (death == QLatin1String("silent for its time")) {
        m_clock->moment.uptime += 5s;
    } else {
        m_clock->moment = {"boot-2", 1s};
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
        m_clock->moment.uptime += 1s;
        QVERIFY(owner->look(lookAt(anAction().id)));
        QVERIFY(viewer->look(lookAt(anAction().id))->taken.empty());
    }
    m_clock->moment.uptime += 4999ms;
    QVERIFY(viewer->look(lookAt(anAction().id))->taken.empty());
    m_clock->moment.uptime += 1ms;
    QCOMPARE(viewer->look(lookAt(anAction().id))->taken.size(), 1U);
}

void JournalOwnersTest::ownerThatWasStopped_isDisplacedAndSeesIt()
{
    const auto owner = journal();
    QCOMPARE(makeReady(*owner, anAction()), 1);
    const auto taker = journal();
    m_clock->moment.uptime += 6s;
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
    m_clock->moment.uptime += 60s;

    if (by == QLatin1String("save")) {
        QVERIFY(owner->saveAction(anAction()));
    } else if (by == QLatin1String("adopt")) {
        QVERIFY(owner->adopt(anAction(kSecondId).id, 1, anAction()));
    } else {
        ClientJournal(ClientJournal::fileAt(pathOf("client.sqlite"))).saveAction(anAction()).value();
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
    m_clock->moment.uptime += 6s;
    QCOMPARE(taker->look(lookAt(again.id))->taken.size(), 1U);

    QVERIFY(owner->saveAction(again).error() == JournalError::Displaced);
}

void JournalOwnersTest::shown_isSeenUnderItsLeaseOnly()
{
    const Shown shown{State::RetryWait, Cause::None, "Busy.", true, values::MonotonicTime(7s)};
    const auto owner = journal();
    QCOMPARE(makeReady(*owner, anAction()), 1);
    const auto viewer = journal();
    QVERIFY(!viewer->look(lookAt(anAction().id))->watched->shown);
    Look look = lookAt(anAction().id);
    look.shown = shown;

    QVERIFY(owner->look(look));

    QVERIFY(viewer->look(lookAt(anAction().id))->watched->shown == shown);
    m_clock->moment.uptime += 6s;
    QCOMPARE(viewer->look(lookAt(anAction().id))->taken.size(), 1U);
    QVERIFY(!owner->look(look)->watched->shown); // it was of the earlier owner, and may not be said again
}

void JournalOwnersTest::endedAction_isSeenWithItsEnd()
{
    const auto owner = journal();
    QCOMPARE(makeReady(*owner, anAction()), 1);
    const auto viewer = journal();
    QVERIFY(viewer->look(lookAt(anAction().id)));

    QVERIFY(owner->saveFinal(anAction().id, 1, anAnswer(State::Paid)));

    const auto sight = viewer->look(lookAt(anAction().id));
    QVERIFY(sight && sight->watched && sight->watched->action.final == anAnswer(State::Paid));
    QVERIFY(!viewer->look(lookAt())->watched); // whoever looks at none is shown none that has ended
}

void JournalOwnersTest::press_isGivenToTheOwnerOnce()
{
    const auto owner = journal();
    QCOMPARE(makeReady(*owner, anAction()), 1);
    QVERIFY(owner->look(lookAt(anAction().id)));
    const auto viewer = journal();

    QVERIFY(viewer->press(anAction().id, Press::CheckAgain));
    QVERIFY(viewer->press(anAction().id, Press::Cancel));

    QVERIFY(viewer->look(lookAt(anAction().id))->presses.empty());
    QVERIFY((owner->look(lookAt(anAction().id))->presses == std::vector{Press::CheckAgain, Press::Cancel}));
    QVERIFY(owner->look(lookAt(anAction().id))->presses.empty());
}

void JournalOwnersTest::press_waitsForTheNextOwner()
{
    const auto owner = journal();
    QCOMPARE(makeReady(*owner, anAction()), 1);
    const auto viewer = journal();
    QVERIFY(viewer->press(anAction().id, Press::Cancel));
    m_clock->moment.uptime += 6s;

    const auto sight = viewer->look(lookAt(anAction().id));

    QCOMPARE(sight->taken.size(), 1U);
    QVERIFY(sight->presses == std::vector{Press::Cancel});
    QVERIFY(owner->look(lookAt(anAction().id))->presses.empty());
}

void JournalOwnersTest::pressOnAnEndedAction_isNone()
{
    const auto owner = journal();
    QCOMPARE(makeReady(*owner, anAction()), 1);
    QVERIFY(owner->saveFinal(anAction().id, 1, anAnswer(State::Declined)));

    QVERIFY(journal()->press(anAction().id, Press::Cancel));

    QVERIFY(owner->look(lookAt(anAction().id))->presses.empty());
}

void JournalOwnersTest::cartOfAnother_isFound_data()
{
    QTest::addColumn<QString>("holder");
    QTest::addColumn<bool>("isShown");

    QTest::newRow("another's open one") << "open" << true;
    QTest::newRow("another's paid one") << "paid" << true;
    QTest::newRow("our own paid one") << "own paid" << true;
    QTest::newRow("a declined one holds nothing") << "declined" << false;
}

/// Save 1 was refused because of the cart: which action is it?
void JournalOwnersTest::cartOfAnother_isFound()
{
    QFETCH(const QString, holder);
    QFETCH(const bool, isShown);
    const auto other = journal();
    const auto own = journal();
    auto& owner = holder == QLatin1String("own paid") ? *own : *other;
    QCOMPARE(makeReady(owner, anAction()), 1);
    if (holder.endsWith(QLatin1String("paid"))) {
        QVERIFY(owner.saveFinal(anAction().id, 1, anAnswer(State::Paid)));
    } else if (holder == QLatin1String("declined")) {
        QVERIFY(owner.saveFinal(anAction().id, 1, anAnswer(State::Declined)));
    }
    const auto saved = own->saveAction(anAction(kSecondId));
    QCOMPARE(!saved && saved.error() == JournalError::CartHeld, isShown);

    const auto sight = own->look(lookAt(values::ActionId::parse(kSecondId), 0));

    QCOMPARE(sight->watched.has_value(), isShown);
    QVERIFY(!isShown || sight->watched->action.id == anAction().id);
}

void JournalOwnersTest::otherAccountsAction_isNotShown()
{
    const auto owner = journal();
    QCOMPARE(makeReady(*owner, anAction()), 1);
    Look look = lookAt();
    look.here.account = "acct_2";

    const auto sight = journal()->look(look);

    QVERIFY(sight && !sight->watched && sight->hasCompany);
}

void JournalOwnersTest::nothingNew_isNotReadAgain()
{
    const auto owner = journal();
    QCOMPARE(makeReady(*owner, anAction()), 1);
    const auto viewer = journal();
    QVERIFY(viewer->look(lookAt())->watched);

    QVERIFY(!viewer->look(lookAt())->watched);

    Look all = lookAt();
    all.wantsAll = true;
    QVERIFY(viewer->look(all)->watched);
    QVERIFY(owner->endAttempt(anAction().id, 1, 1, anEnd()));
    QVERIFY(viewer->look(lookAt())->watched);
}

void JournalOwnersTest::company_isWhoSaysThatItLives()
{
    const auto owner = journal();
    QCOMPARE(makeReady(*owner, anAction()), 1);
    const auto viewer = journal();
    QVERIFY(viewer->look(lookAt())); // idle: says nothing
    QVERIFY(!owner->look(lookAt(anAction().id))->hasCompany);

    QVERIFY(viewer->look(lookAt(anAction().id)));

    QVERIFY(owner->look(lookAt(anAction().id))->hasCompany);
    m_clock->moment.uptime += 6s;
    QVERIFY(!owner->look(lookAt(anAction().id))->hasCompany);
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
    const auto presence = enter();
    const auto owner = journal(presence);
    QCOMPARE(makeReady(*owner, anAction()), 1);
    QVERIFY(owner->saveFinal(anAction().id, 1, anAnswer(State::Paid)));

    QVERIFY(journal()->takeOverOpen()->empty()); // it is on that one's screen

    presence->leave();
    QCOMPARE(journal()->takeOverOpen()->size(), 1U);
}

QTEST_GUILESS_MAIN(JournalOwnersTest)
#include "tst_journal_owners.moc"
