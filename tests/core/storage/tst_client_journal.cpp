#include "core/storage/journal_samples.h"

#include <QtCore/QFile>
#include <QtCore/QRegularExpression>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace payonce;
using namespace payonce::samples;
using retry::AttemptBegun;
using retry::JournalError;
using retry::State;
using storage::ClientJournal;

class ClientJournalTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void wholeLife_isReadBack();
    void files_areForTheirOwnerOnly();
    void secondActionOnACart_data();
    void secondActionOnACart();
    void sameCartOfAnotherAccount_isFree();
    void sameCartOfAnotherServer_isFree();
    void sameReference_asksForAnotherId();
    void sameIdAgain_replacesWhatWasNeverReady();
    void sameIdAgain_leavesWhatIsReady();
    void attempt_data();
    void attempt();
    void bytesOfAnAttempt_areNeverReplaced();
    void save2_bringsTheFirstRowAlong();
    void rowThatIsRefused_leavesSave2();
    void save2AfterAFinalAnswer_isRefusedWhole();
    void sameBytesAgain_takeBackToldNotStarted();
    void everyWriteOfADisplacedOwner_fails();
    void finalAnswer_neverChanges();
    void endOfAnAttempt_isWrittenOnce();
    void takeOver_returnsOpenActionsOldestFirst();
    void takeOver_makesTheLogBeforeTheFirstSave();
    void read_usesAFreshConnection();

private:
    [[nodiscard]] QString path() const { return m_directory->filePath(QStringLiteral("client.sqlite")); }
    [[nodiscard]] ClientJournal journal() const { return ClientJournal(ClientJournal::fileAt(path())); }

    std::unique_ptr<QTemporaryDir> m_directory;
};

void ClientJournalTest::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_directory = std::make_unique<QTemporaryDir>();
}

void ClientJournalTest::wholeLife_isReadBack()
{
    auto writer = journal();
    auto action = anAction();
    const auto lease = makeReady(writer, action);
    QCOMPARE(lease, 1);
    QVERIFY(writer.endAttempt(action.id, lease, 1, anEnd()));
    QVERIFY(writer.beginAttempt(action.id, lease, 2, at(3000)) == AttemptBegun::Inserted);
    QVERIFY(writer.saveFinal(action.id, lease, anAnswer(State::Paid)));

    auto reader = journal();
    const auto found = reader.read(action.id);

    action.lease = 1;
    action.ready = aRequest();
    action.attempts = {{.number = 1, .startedAt = at(2000), .end = anEnd()}, {.number = 2, .startedAt = at(3000), .end = {}}};
    action.final = anAnswer(State::Paid);
    QVERIFY(found && *found);
    QVERIFY(**found == action);
    const auto absent = reader.read(*values::ActionId::parse(kSecondId));
    QVERIFY(absent && !*absent);
}

void ClientJournalTest::files_areForTheirOwnerOnly()
{
    auto writer = journal();
    QVERIFY(writer.saveAction(anAction()));

    for (const char* suffix : {"", "-wal"}) {
        const auto allowed = QFile::permissions(path() + QLatin1String(suffix));
        QVERIFY(allowed & QFile::ReadOwner);
        QVERIFY(!(allowed & (QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther)));
    }
}

void ClientJournalTest::secondActionOnACart_data()
{
    QTest::addColumn<int>("first");
    QTest::addColumn<bool>("isFree");

    QTest::newRow("unresolved") << -1 << false;
    QTest::newRow("paid") << static_cast<int>(State::Paid) << false;
    QTest::newRow("declined") << static_cast<int>(State::Declined) << true;
    QTest::newRow("cancelled") << static_cast<int>(State::Cancelled) << true;
}

void ClientJournalTest::secondActionOnACart()
{
    QFETCH(const int, first);
    QFETCH(const bool, isFree);
    auto writer = journal();
    const auto lease = makeReady(writer, anAction());
    if (first >= 0) {
        QVERIFY(writer.saveFinal(anAction().id, lease, anAnswer(static_cast<State>(first))));
    }

    const auto second = writer.saveAction(anAction(kSecondId));

    QCOMPARE(second.has_value(), isFree);
    QVERIFY(isFree || second.error() == JournalError::CartHeld);
}

void ClientJournalTest::sameCartOfAnotherAccount_isFree()
{
    auto writer = journal();
    QVERIFY(writer.saveAction(anAction()));
    auto other = anAction(kSecondId);
    other.scope.account = "acct_2";

    QVERIFY(writer.saveAction(other));
}

void ClientJournalTest::sameCartOfAnotherServer_isFree()
{
    auto writer = journal();
    QVERIFY(writer.saveAction(anAction()));
    auto other = anAction(kSecondId);
    other.scope.serverId = "srv_other";

    QVERIFY(writer.saveAction(other));
}

void ClientJournalTest::sameReference_asksForAnotherId()
{
    auto writer = journal();
    QVERIFY(writer.saveAction(anAction()));

    const auto second = writer.saveAction(anAction(kSameReference, "cart_2"));

    QVERIFY(!second && second.error() == JournalError::ReferenceTaken);
}

void ClientJournalTest::sameIdAgain_replacesWhatWasNeverReady()
{
    auto writer = journal();
    QVERIFY(writer.saveAction(anAction()) == 1);
    auto again = anAction(kFirstId, "cart_2");

    QVERIFY(writer.saveAction(again) == 2);

    const auto found = writer.read(again.id);
    QVERIFY(found && *found);
    QCOMPARE((*found)->purchase.cartId, std::string("cart_2"));
    QVERIFY(writer.saveReady(again.id, 1, aRequest(), aRow()).error() == JournalError::Displaced);
}

void ClientJournalTest::sameIdAgain_leavesWhatIsReady()
{
    auto writer = journal();
    QCOMPARE(makeReady(writer, anAction()), 1);

    QVERIFY(!writer.saveAction(anAction(kFirstId, "cart_2")));

    QCOMPARE((*writer.read(anAction().id))->purchase.cartId, std::string("cart_1"));
}

void ClientJournalTest::attempt_data()
{
    QTest::addColumn<QString>("given");
    QTest::addColumn<bool>("isInserted");

    QTest::newRow("ready") << "ready" << true;
    QTest::newRow("not ready") << "saved" << false;
    QTest::newRow("final") << "final" << false;
    QTest::newRow("begun before") << "begun" << false;
    QTest::newRow("taken over by another") << "displaced" << false;
    QTest::newRow("unknown action") << "nothing" << false;
}

void ClientJournalTest::attempt()
{
    QFETCH(const QString, given);
    QFETCH(const bool, isInserted);
    auto writer = journal();
    const auto id = anAction().id;
    if (given == QLatin1String("saved")) {
        QVERIFY(writer.saveAction(anAction()));
    } else if (given != QLatin1String("nothing")) {
        QCOMPARE(makeReady(writer, anAction()), 1);
    }
    if (given == QLatin1String("final")) {
        QVERIFY(writer.saveFinal(id, 1, anAnswer(State::Declined)));
    } else if (given == QLatin1String("begun")) {
        QVERIFY(writer.beginAttempt(id, 1, 2, at(3000)) == AttemptBegun::Inserted);
    } else if (given == QLatin1String("displaced")) {
        QVERIFY(journal().takeOverOpen());
    }

    const auto begun = writer.beginAttempt(id, 1, 2, at(3000));

    QVERIFY(begun == (isInserted ? AttemptBegun::Inserted : AttemptBegun::Refused));
}

void ClientJournalTest::bytesOfAnAttempt_areNeverReplaced()
{
    auto writer = journal();
    const auto id = anAction().id;
    QVERIFY(writer.saveAction(anAction()));
    QVERIFY(writer.saveReady(id, 1, aRequest("{\"before\":1}"), aRow()));

    QVERIFY(!writer.saveReady(id, 1, aRequest("{\"after\":1}"), aRow(2)));

    QCOMPARE((*writer.read(id))->ready->body, std::string("{\"before\":1}"));
    QCOMPARE((*writer.read(id))->attempts.size(), 1U); // no row without its save 2
}

void ClientJournalTest::save2_bringsTheFirstRowAlong()
{
    auto writer = journal();
    QVERIFY(writer.saveAction(anAction()) == 1);

    QVERIFY(writer.saveReady(anAction().id, 1, aRequest(), aRow()) == AttemptBegun::Inserted);

    const auto found = *writer.read(anAction().id);
    QVERIFY(found->ready == aRequest());
    QVERIFY((found->attempts == std::vector{retry::Attempt{.number = 1, .startedAt = at(2000), .end = {}}}));
}

void ClientJournalTest::rowThatIsRefused_leavesSave2()
{
    auto writer = journal();
    QCOMPARE(makeReady(writer, anAction()), 1);
    QVERIFY(writer.endAttempt(anAction().id, 1, 1, anEnd()));
    QVERIFY(writer.markToldNotStarted(anAction().id, 1));

    QVERIFY(writer.saveReady(anAction().id, 1, aRequest(), aRow(1)) == AttemptBegun::Refused); // a number used before

    const auto found = *writer.read(anAction().id);
    QVERIFY(found->ready == aRequest() && !found->toldNotStarted);
    QCOMPARE(found->attempts.size(), 1U);
    QVERIFY(found->attempts.front().end == anEnd());
}

void ClientJournalTest::save2AfterAFinalAnswer_isRefusedWhole()
{
    auto writer = journal();
    QCOMPARE(makeReady(writer, anAction()), 1);
    QVERIFY(writer.saveFinal(anAction().id, 1, anAnswer(State::Declined)));

    QVERIFY(writer.saveReady(anAction().id, 1, aRequest(), aRow(2)).error() == JournalError::Failed);

    QCOMPARE((*writer.read(anAction().id))->attempts.size(), 1U);
}

void ClientJournalTest::sameBytesAgain_takeBackToldNotStarted()
{
    auto writer = journal();
    const auto id = anAction().id;
    QCOMPARE(makeReady(writer, anAction()), 1);
    QVERIFY(writer.markToldNotStarted(id, 1));
    QVERIFY((*writer.read(id))->toldNotStarted);

    QVERIFY(writer.saveReady(id, 1, aRequest(), aRow(2)) == AttemptBegun::Inserted);

    QVERIFY(!(*writer.read(id))->toldNotStarted);
}

void ClientJournalTest::everyWriteOfADisplacedOwner_fails()
{
    auto writer = journal();
    const auto id = anAction().id;
    QCOMPARE(makeReady(writer, anAction()), 1);

    const auto taken = journal().takeOverOpen();

    QVERIFY(taken && taken->size() == 1 && taken->front().lease == 2);
    QVERIFY(writer.saveReady(id, 1, aRequest(), aRow(2)).error() == JournalError::Displaced);
    QVERIFY(writer.endAttempt(id, 1, 1, anEnd()).error() == JournalError::Displaced);
    QVERIFY(writer.saveFinal(id, 1, anAnswer(State::Paid)).error() == JournalError::Displaced);
    QVERIFY(writer.markToldNotStarted(id, 1).error() == JournalError::Displaced);
    QVERIFY(writer.read(id).value() == taken->front());
}

void ClientJournalTest::finalAnswer_neverChanges()
{
    auto writer = journal();
    const auto id = anAction().id;
    QCOMPARE(makeReady(writer, anAction()), 1);
    QVERIFY(writer.saveFinal(id, 1, anAnswer(State::Paid)));

    QVERIFY(writer.saveFinal(id, 1, anAnswer(State::Paid)));
    QVERIFY(writer.saveFinal(id, 1, anAnswer(State::Declined)).error() == JournalError::Failed);

    QVERIFY((*writer.read(id))->final == anAnswer(State::Paid));
}

void ClientJournalTest::endOfAnAttempt_isWrittenOnce()
{
    auto writer = journal();
    const auto id = anAction().id;
    QCOMPARE(makeReady(writer, anAction()), 1);
    QVERIFY(writer.endAttempt(id, 1, 2, anEnd()).error() == JournalError::Failed);
    QVERIFY(writer.endAttempt(id, 1, 1, anEnd()));

    QVERIFY(writer.endAttempt(id, 1, 1, retry::AttemptEnd{}).error() == JournalError::Failed);

    QVERIFY((*writer.read(id))->attempts.front().end == anEnd());
}

void ClientJournalTest::takeOver_returnsOpenActionsOldestFirst()
{
    auto writer = journal();
    auto newer = anAction(kFirstId, "cart_1");
    newer.createdAt = at(5000);
    auto older = anAction(kSecondId, "cart_2");
    auto done = anAction("0198c0de-7a14-7c3e-9f00-6b1f0a2c4d60", "cart_3");
    QCOMPARE(makeReady(writer, newer), 1);
    QVERIFY(writer.saveAction(older));
    QCOMPARE(makeReady(writer, done), 1);
    QVERIFY(writer.saveFinal(done.id, 1, anAnswer(State::Paid)));

    const auto open = journal().takeOverOpen();

    QVERIFY(open && open->size() == 3);
    QVERIFY(open->at(0).id == older.id && open->at(0).lease == 2 && !open->at(0).ready);
    QVERIFY(open->at(1).id == newer.id && open->at(1).lease == 2 && open->at(1).ready == aRequest());
    QVERIFY(open->at(2).id == done.id && open->at(2).lease == 1); // nobody has seen how it ended
}

void ClientJournalTest::takeOver_makesTheLogBeforeTheFirstSave()
{
    QVERIFY(journal().saveAction(anAction()));
    QVERIFY(!QFile::exists(path() + QStringLiteral("-wal"))); // closed, so it was taken in and removed
    auto writer = journal();

    QVERIFY(writer.takeOverOpen());

    QVERIFY(QFile(path() + QStringLiteral("-wal")).size() > 0);
    QVERIFY(writer.saveReady(anAction().id, 2, aRequest(), aRow()) == AttemptBegun::Inserted);
}

void ClientJournalTest::read_usesAFreshConnection()
{
    int openings = 0;
    ClientJournal counting([this, &openings] {
        ++openings;
        return ClientJournal::fileAt(path())();
    });
    QVERIFY(counting.saveAction(anAction()));
    QVERIFY(counting.markToldNotStarted(anAction().id, 1));
    QCOMPARE(openings, 1);

    QVERIFY(counting.read(anAction().id));

    QCOMPARE(openings, 2);
}

QTEST_GUILESS_MAIN(ClientJournalTest)
#include "tst_client_journal.moc"
