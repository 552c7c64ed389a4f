// Several processes on one journal: what owners show, and what viewers press.
#include "core/storage/journal_members.h"

#include <QtCore/QRegularExpression>
#include <QtTest/QTest>

using namespace payonce;
using namespace payonce::samples;
using namespace std::chrono_literals;
using retry::Cause;
using retry::JournalError;
using retry::Look;
using retry::Press;
using retry::Shown;
using retry::State;
using storage::ClientJournal;

class JournalWatchingTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();

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

private:
    [[nodiscard]] std::unique_ptr<ClientJournal> journal() const { return m_all->journal(); }

    std::unique_ptr<JournalMembers> m_all;
};

void JournalWatchingTest::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_all = std::make_unique<JournalMembers>();
}

void JournalWatchingTest::shown_isSeenUnderItsLeaseOnly()
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
    m_all->clock->moment.uptime += 6s;
    QCOMPARE(viewer->look(lookAt(anAction().id))->taken.size(), 1U);
    QVERIFY(!owner->look(look)->watched->shown); // it was of the earlier owner, and may not be said again
}

void JournalWatchingTest::endedAction_isSeenWithItsEnd()
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

void JournalWatchingTest::press_isGivenToTheOwnerOnce()
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

void JournalWatchingTest::press_waitsForTheNextOwner()
{
    const auto owner = journal();
    QCOMPARE(makeReady(*owner, anAction()), 1);
    const auto viewer = journal();
    QVERIFY(viewer->press(anAction().id, Press::Cancel));
    m_all->clock->moment.uptime += 6s;

    const auto sight = viewer->look(lookAt(anAction().id));

    QCOMPARE(sight->taken.size(), 1U);
    QVERIFY(sight->presses == std::vector{Press::Cancel});
    QVERIFY(owner->look(lookAt(anAction().id))->presses.empty());
}

void JournalWatchingTest::pressOnAnEndedAction_isNone()
{
    const auto owner = journal();
    QCOMPARE(makeReady(*owner, anAction()), 1);
    QVERIFY(owner->saveFinal(anAction().id, 1, anAnswer(State::Declined)));

    QVERIFY(journal()->press(anAction().id, Press::Cancel));

    QVERIFY(owner->look(lookAt(anAction().id))->presses.empty());
}

void JournalWatchingTest::cartOfAnother_isFound_data()
{
    QTest::addColumn<QString>("holder");
    QTest::addColumn<bool>("isShown");

    QTest::newRow("another's open one") << "open" << true;
    QTest::newRow("another's paid one") << "paid" << true;
    QTest::newRow("our own paid one") << "own paid" << true;
    QTest::newRow("a declined one holds nothing") << "declined" << false;
}

/// Save 1 was refused because of the cart: which action is it?
void JournalWatchingTest::cartOfAnother_isFound()
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

void JournalWatchingTest::otherAccountsAction_isNotShown()
{
    const auto owner = journal();
    QCOMPARE(makeReady(*owner, anAction()), 1);
    Look look = lookAt();
    look.here.account = "acct_2";

    const auto sight = journal()->look(look);

    QVERIFY(sight && !sight->watched && sight->hasCompany);
}

void JournalWatchingTest::nothingNew_isNotReadAgain()
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

void JournalWatchingTest::company_isWhoSaysThatItLives()
{
    const auto owner = journal();
    QCOMPARE(makeReady(*owner, anAction()), 1);
    const auto viewer = journal();
    QVERIFY(viewer->look(lookAt())); // idle: says nothing
    QVERIFY(!owner->look(lookAt(anAction().id))->hasCompany);

    QVERIFY(viewer->look(lookAt(anAction().id)));

    QVERIFY(owner->look(lookAt(anAction().id))->hasCompany);
    m_all->clock->moment.uptime += 6s;
    QVERIFY(!owner->look(lookAt(anAction().id))->hasCompany);
}

QTEST_GUILESS_MAIN(JournalWatchingTest)
#include "tst_journal_watching.moc"
