#include "core/storage/journal_samples.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QRegularExpression>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace payonce;
using namespace payonce::samples;
using retry::AttemptBegun;
using retry::Cause;
using retry::JournalError;
using retry::State;
using retry::WishKept;
using storage::ClientJournal;

/// How actions end in the journal: wishes to cancel, conflicts, adopted carts, what a person has seen, and what older versions
/// of the file held.
class ClientJournalEndsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void wish_isKeptAndEndsAllPosting();
    void wishOfAnUnsentAction_closesIt_data();
    void wishOfAnUnsentAction_closesIt();
    void wishOfWhatMayHaveBeenSent_leavesItOpen_data();
    void wishOfWhatMayHaveBeenSent_leavesItOpen();
    void firstWish_stands();
    void wishAfterTheEnd_isRefused();
    void wishOfADisplacedOwner_isRefused();
    void conflict_isKeptBesideAFinalAnswerAndEndsAllPosting();
    void unseenConflict_isFoundAtTheNextStart();
    void adoption_closesTheOwnActionAndKeepsTheOther();
    void adoptionOfAKnownAction_leavesItAsItIs();
    void adoptedAction_isNeverReady();
    void adoptionByADisplacedOwner_changesNothing();
    void notCharged_freesTheCart();
    void otherKinds_keepTheirSubjectOnlyWhileTheyAreOpen();
    void finalAnswer_isReadBackWhole();
    void version1_isMigratedWithoutALoss();

private:
    [[nodiscard]] QString path() const { return m_directory->filePath(QStringLiteral("client.sqlite")); }
    [[nodiscard]] ClientJournal journal() const { return ClientJournal(ClientJournal::fileAt(path())); }
    [[nodiscard]] static retry::CancelWish aWish() { return {.cause = Cause::Refused, .detail = "The body is too long."}; }

    std::unique_ptr<QTemporaryDir> m_directory;
};

void ClientJournalEndsTest::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_directory = std::make_unique<QTemporaryDir>();
}

void ClientJournalEndsTest::wish_isKeptAndEndsAllPosting()
{
    auto writer = journal();
    const auto action = anAction();
    const auto lease = makeReady(writer, action);
    QVERIFY(writer.saveWish(action.id, lease, aWish()) == WishKept::Fence);

    const auto found = journal().read(action.id);
    QVERIFY(found && *found && (*found)->wish == aWish() && !(*found)->final);
    QVERIFY(writer.beginAttempt(action.id, lease, 2, at(3000)) == AttemptBegun::Refused);
    const auto taken = journal().takeOverOpen();
    QVERIFY(taken && taken->size() == 1);
    QVERIFY(writer.beginAttempt(action.id, taken->front().lease, 2, at(3000)) == AttemptBegun::Refused);
}

void ClientJournalEndsTest::wishOfAnUnsentAction_closesIt_data()
{
    QTest::addColumn<bool>("ready");
    QTest::newRow("never ready") << false;
    QTest::newRow("every row is proven unsent") << true;
}

void ClientJournalEndsTest::wishOfAnUnsentAction_closesIt()
{
    QFETCH(bool, ready);
    auto writer = journal();
    const auto action = anAction();
    retry::LeaseNumber lease = 1;
    if (ready) {
        lease = makeReady(writer, action);
        auto unsent = anEnd();
        unsent.bytesTaken = 0;
        QVERIFY(writer.endAttempt(action.id, lease, 1, unsent));
    } else {
        QVERIFY(writer.saveAction(action));
    }

    QVERIFY(writer.saveWish(action.id, lease, aWish()) == WishKept::ClosedUnsent);
    QVERIFY(writer.saveWish(action.id, lease, aWish()) == WishKept::ClosedUnsent); // the first answer may have been lost

    const auto found = writer.read(action.id);
    QVERIFY(found && *found && (*found)->final);
    QCOMPARE((*found)->final->state, State::Cancelled);
    QCOMPARE((*found)->final->cause, Cause::NeverSent);
    QVERIFY(writer.saveAction(anAction(kSecondId))); // the cart is free
}

void ClientJournalEndsTest::wishOfWhatMayHaveBeenSent_leavesItOpen_data()
{
    QTest::addColumn<bool>("ended");
    QTest::newRow("bytes were taken") << true;
    QTest::newRow("nobody knows") << false;
}

void ClientJournalEndsTest::wishOfWhatMayHaveBeenSent_leavesItOpen()
{
    QFETCH(bool, ended);
    auto writer = journal();
    const auto action = anAction();
    const auto lease = makeReady(writer, action);
    if (ended)
        QVERIFY(writer.endAttempt(action.id, lease, 1, anEnd()));

    QVERIFY(writer.saveWish(action.id, lease, aWish()) == WishKept::Fence);

    const auto second = writer.saveAction(anAction(kSecondId));
    QVERIFY(!second && second.error() == JournalError::CartHeld);
}

void ClientJournalEndsTest::firstWish_stands()
{
    auto writer = journal();
    const auto action = anAction();
    const auto lease = makeReady(writer, action);
    QVERIFY(writer.saveWish(action.id, lease, aWish()));
    QVERIFY(writer.saveWish(action.id, lease, {.cause = Cause::ByPerson, .detail = {}}) == WishKept::Fence);
    const auto found = writer.read(action.id);
    QVERIFY(found && *found && (*found)->wish == aWish());
}

void ClientJournalEndsTest::wishAfterTheEnd_isRefused()
{
    auto writer = journal();
    const auto action = anAction();
    const auto lease = makeReady(writer, action);
    QVERIFY(writer.saveFinal(action.id, lease, anAnswer(State::Paid)));
    QVERIFY(!writer.saveWish(action.id, lease, aWish()));
    const auto found = writer.read(action.id);
    QVERIFY(found && *found && !(*found)->wish && (*found)->final == anAnswer(State::Paid));
}

void ClientJournalEndsTest::wishOfADisplacedOwner_isRefused()
{
    auto writer = journal();
    const auto action = anAction();
    const auto lease = makeReady(writer, action);
    QVERIFY(journal().takeOverOpen());
    for (const auto& refused :
         {writer.saveWish(action.id, lease, aWish()).error(), writer.saveConflict(action.id, lease, Cause::KeyReused).error(),
          writer.markSeen(action.id, lease).error()})
        QVERIFY(refused == JournalError::Displaced);
}

void ClientJournalEndsTest::conflict_isKeptBesideAFinalAnswerAndEndsAllPosting()
{
    auto writer = journal();
    const auto action = anAction();
    const auto lease = makeReady(writer, action);
    QVERIFY(writer.saveConflict(action.id, lease, Cause::KeyReused));
    QVERIFY(writer.saveConflict(action.id, lease, Cause::WrongAmount)); // the first one stands
    QVERIFY(writer.beginAttempt(action.id, lease, 2, at(3000)) == AttemptBegun::Refused);
    QVERIFY(writer.saveFinal(action.id, lease, anAnswer(State::Paid)));
    const auto found = writer.read(action.id);
    QVERIFY(found && *found && (*found)->conflict == Cause::KeyReused && (*found)->final == anAnswer(State::Paid));
}

void ClientJournalEndsTest::unseenConflict_isFoundAtTheNextStart()
{
    auto writer = journal();
    const auto action = anAction();
    const auto lease = makeReady(writer, action);
    QVERIFY(writer.saveFinal(action.id, lease, anAnswer(State::Paid)) && writer.markSeen(action.id, lease));
    const auto none = journal().takeOverOpen();
    QVERIFY(none && none->empty());
    QVERIFY(writer.saveConflict(action.id, lease, Cause::ContraryAnswer));
    const auto found = journal().takeOverOpen();
    QVERIFY(found && found->size() == 1 && found->front().conflict == Cause::ContraryAnswer);
}

void ClientJournalEndsTest::adoption_closesTheOwnActionAndKeepsTheOther()
{
    auto writer = journal();
    const auto own = anAction();
    const auto lease = makeReady(writer, own);
    auto holder = anAction(kSecondId);
    holder.adopted = true;

    const auto adopted = writer.adopt(own.id, lease, holder);

    QVERIFY(adopted && adopted->id == holder.id && adopted->adopted && adopted->lease == 1 && !adopted->ready);
    const auto closed = writer.read(own.id);
    QVERIFY(closed && *closed && (*closed)->final);
    QCOMPARE((*closed)->final->cause, Cause::CartTaken);
    const auto open = journal().takeOverOpen();
    QVERIFY(open && open->size() == 1 && open->front().id == holder.id);
}

void ClientJournalEndsTest::adoptionOfAKnownAction_leavesItAsItIs()
{
    auto writer = journal();
    const auto paid = anAction(kSecondId, "cart_2");
    const auto paidLease = makeReady(writer, paid);
    QVERIFY(writer.saveFinal(paid.id, paidLease, anAnswer(State::Paid)));
    const auto own = anAction();
    const auto lease = makeReady(writer, own);
    auto holder = anAction(kSecondId);
    holder.adopted = true;

    const auto adopted = writer.adopt(own.id, lease, holder);

    QVERIFY(adopted && adopted->final == anAnswer(State::Paid) && !adopted->adopted);
    QCOMPARE(adopted->lease, paidLease);
}

void ClientJournalEndsTest::adoptedAction_isNeverReady()
{
    auto writer = journal();
    const auto own = anAction();
    const auto lease = makeReady(writer, own);
    auto holder = anAction(kSecondId);
    holder.adopted = true;
    QVERIFY(writer.adopt(own.id, lease, holder));
    QVERIFY(!writer.saveReady(holder.id, 1, aRequest(), aRow()));
    QVERIFY(writer.beginAttempt(holder.id, 1, 1, at(3000)) == AttemptBegun::Refused);
    QVERIFY(!writer.saveAction(holder));
    QVERIFY(writer.saveWish(holder.id, 1, aWish()) == WishKept::Fence); // nobody here can prove that it was never sent
}

void ClientJournalEndsTest::adoptionByADisplacedOwner_changesNothing()
{
    auto writer = journal();
    const auto own = anAction();
    const auto lease = makeReady(writer, own);
    QVERIFY(journal().takeOverOpen());
    auto holder = anAction(kSecondId);
    holder.adopted = true;
    const auto adopted = writer.adopt(own.id, lease, holder);
    QVERIFY(!adopted && adopted.error() == JournalError::Displaced);
    const auto found = writer.read(holder.id);
    QVERIFY(found && !*found);
}

void ClientJournalEndsTest::notCharged_freesTheCart()
{
    auto writer = journal();
    const auto action = anAction();
    const auto lease = makeReady(writer, action);
    auto refused = anAnswer(State::NotCharged);
    refused.cause = Cause::Refused;
    QVERIFY(writer.saveFinal(action.id, lease, refused));
    QVERIFY(writer.saveAction(anAction(kSecondId)));
}

void ClientJournalEndsTest::otherKinds_keepTheirSubjectOnlyWhileTheyAreOpen()
{
    auto writer = journal();
    auto first = anAction();
    first.target = {.kind = retry::Kind::Account, .path = "/v1/accounts"};
    first.purchase.amount.minorUnits = 0;
    auto second = first;
    second.id = *values::ActionId::parse(kSecondId);
    const auto lease = makeReady(writer, first);
    QCOMPARE(lease, 1);
    const auto held = writer.saveAction(second);
    QVERIFY(!held && held.error() == JournalError::CartHeld);
    QVERIFY(writer.saveFinal(first.id, lease, anAnswer(State::Paid)));
    QVERIFY(writer.saveAction(second));
    const auto found = writer.read(second.id);
    QVERIFY(found && *found && (*found)->target == second.target);
}

void ClientJournalEndsTest::finalAnswer_isReadBackWhole()
{
    auto writer = journal();
    const auto action = anAction();
    const auto lease = makeReady(writer, action);
    retry::FinalAnswer answer = anAnswer(State::NotCharged);
    answer.charged = values::Money{4300, action.purchase.amount.currency};
    answer.detail = "So it is.";
    QVERIFY(writer.saveFinal(action.id, lease, answer));
    QVERIFY(writer.saveFinal(action.id, lease, answer)); // the same again is fine
    const auto found = journal().read(action.id);
    QVERIFY(found && *found && (*found)->final == answer);
}

/// tests/fixtures/journals holds a file of every version, as its program left it: here one payment paid, one declined, and one
/// whose program was killed after its body had left.
void ClientJournalEndsTest::version1_isMigratedWithoutALoss()
{
    QVERIFY(QFile::copy(QStringLiteral(PAYONCE_FIXTURES "/journals/version_1.sqlite"), path()));
    QVERIFY(QFile::setPermissions(path(), QFile::ReadOwner | QFile::WriteOwner));
    auto migrated = journal();

    const auto open = migrated.takeOverOpen();

    QVERIFY(open && open->size() == 1); // what had ended was seen
    const auto& killed = open->front();
    QCOMPARE(killed.id.toString(), std::string("01a22fb2-db2c-72dd-a9b6-47e4703f0f13"));
    QVERIFY(killed.ready && killed.attempts.size() == 1 && !killed.attempts.front().end && killed.lease == 2);
    QVERIFY(killed.target == retry::Target{} && !killed.wish && !killed.adopted && !killed.conflict);
    const auto paid = migrated.read(*values::ActionId::parse("01a22fb2-d271-75f4-a105-ff589a90094a"));
    QVERIFY(paid && *paid && (*paid)->final && (*paid)->attempts.size() == 1);
    QCOMPARE((*paid)->final->state, State::Paid);
    const auto declined = migrated.read(*values::ActionId::parse("01a22fb2-d6cc-72b9-aa35-5ee0a441bd84"));
    QVERIFY(declined && *declined && (*declined)->final && (*declined)->final->state == State::Declined);
    auto next = anAction(kFirstId, killed.purchase.cartId);
    next.scope = killed.scope;
    const auto held = migrated.saveAction(next);
    QVERIFY(!held && held.error() == JournalError::CartHeld); // its cart is still held
}

QTEST_GUILESS_MAIN(ClientJournalEndsTest)
#include "tst_client_journal_ends.moc"
