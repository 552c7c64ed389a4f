// What must hold for every state, cause and history, whether the client can come there or not.
#include "ui/model_screen.h"
#include "ui/word_samples.h"
#include "viewmodels/progress.h"

#include <QtTest/QTest>

using namespace payonce;
using retry::Cause;
using retry::Snapshot;
using retry::State;
using tests::Speaker;
using viewmodels::wordsFor;

namespace {

QString allWords(const Snapshot& snapshot)
{
    const auto words = wordsFor(snapshot);
    return QStringList{words.title, words.sentence, words.assurance, words.nextText}.join(QLatin1Char(' '));
}

/// A charge is ruled out by the shop's word, or because nothing was sent and no other payment stands in its place.
bool isProvenUncharged(const Snapshot& snapshot)
{
    switch (snapshot.state) {
    case State::NotStarted: return snapshot.cause != Cause::CartHeld;
    case State::Cancelled: return snapshot.cause != Cause::CartTaken;
    case State::Declined:
    case State::NotCharged: return true;
    default: return false;
    }
}

/// What is wrong, for a message; the many snapshots that are right cost nothing.
QString unless(bool right, const Snapshot& snapshot)
{
    if (right)
        return {};
    return wordsFor(snapshot).key + (snapshot.anyByteTaken ? QStringLiteral(", sent: ") : QStringLiteral(", unsent: ")) +
           allWords(snapshot);
}

} // namespace

class TestWordsNeverLie : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void youWereNotCharged_isSaidOnlyWhereNoChargeCanBe_data() { addSpeakers(); }
    void youWereNotCharged_isSaidOnlyWhereNoChargeCanBe()
    {
        for (const auto& snapshot : snapshots())
            if (allWords(snapshot).contains(QStringLiteral("ou were not charged")))
                QCOMPARE(unless(isProvenUncharged(snapshot), snapshot), QString());
    }

    void whatMayBeDone_isNotSaidToBeUndone_data() { addSpeakers(); }
    void whatMayBeDone_isNotSaidToBeUndone()
    {
        const QStringList forbidden = {QStringLiteral("No account was created by it."),
                                       QStringLiteral("That payment was not charged."),
                                       QStringLiteral("It was not done."),
                                       QStringLiteral("declined"),
                                       QStringLiteral("Pay again"),
                                       QStringLiteral("Use another card"),
                                       QStringLiteral("Sign up again"),
                                       QStringLiteral("Start again")};
        for (const auto& snapshot : snapshots()) {
            if (isProvenUncharged(snapshot) || snapshot.state == State::Cancelled)
                continue;
            for (const QString& word : forbidden)
                QCOMPARE(unless(!allWords(snapshot).contains(word), snapshot), QString());
        }
    }

    void unsent_isSaidOnlyWhereNoByteWasTaken_data() { addSpeakers(); }
    void unsent_isSaidOnlyWhereNoByteWasTaken()
    {
        const QStringList words = {QStringLiteral("Nothing has been sent"),
                                   QStringLiteral("Nothing of "),
                                   QStringLiteral("None of it was ever sent"),
                                   QStringLiteral("it was not sent"),
                                   QStringLiteral("was not sent."),
                                   QStringLiteral("before this payment was sent")};
        int said = 0;
        for (const auto& snapshot : snapshots()) {
            for (const QString& word : words) {
                if (!allWords(snapshot).contains(word))
                    continue;
                ++said;
                // What another payment of this computer holds back was not sent itself.
                QCOMPARE(unless(!snapshot.anyByteTaken, snapshot), QString());
            }
        }
        QCOMPARE(said > 0, speaker() != Speaker::AdoptedPayment);
    }

    void charged_isSaidOnlyOfPaid_data() { addSpeakers(); }
    void charged_isSaidOnlyOfPaid()
    {
        for (const auto& snapshot : snapshots()) {
            const bool saysSo = allWords(snapshot).contains(QStringLiteral(", once."));
            const bool isPayment = speaker() == Speaker::Payment || speaker() == Speaker::AdoptedPayment;
            QCOMPARE(unless(saysSo == (isPayment && snapshot.state == State::Paid), snapshot), QString());
            QCOMPARE(wordsFor(snapshot).mood == viewmodels::Mood::Good, snapshot.state == State::Paid);
        }
    }

    void amountOfAnother_isNotSaidUnlessTheShopNamedIt()
    {
        for (auto snapshot : tests::everySnapshotOf(Speaker::AdoptedPayment)) {
            snapshot.answer.charged.reset();
            tests::ModelScreen screen;
            screen.viewModel.showCart(tests::sampleCart());
            screen.control.show(snapshot);
            if (snapshot.state == State::Editing)
                continue;
            QCOMPARE(unless(!allWords(snapshot).contains(QStringLiteral("42.00")), snapshot), QString());
            QVERIFY(screen.viewModel.amountText().isEmpty());
            QVERIFY(tests::json(screen.viewModel)[QStringLiteral("amount")].isNull());
            QVERIFY(!screen.viewModel.supportText().contains(QStringLiteral("42.00")));
        }
    }

    void buttons_areThoseOfTheState_data() { addSpeakers(); }
    void buttons_areThoseOfTheState()
    {
        tests::ModelScreen screen;
        screen.becomePayable();
        for (const auto& snapshot : snapshots()) {
            screen.control.show(snapshot);
            const auto& model = screen.viewModel;
            screen.viewModel.form().setFields(tests::goodFields());
            const bool editing = snapshot.state == State::Editing;
            QCOMPARE(model.isPayEnabled(), editing);
            QVERIFY(!(model.isPayVisible() && !model.nextText().isEmpty()));
            QCOMPARE(!model.cancelText().isEmpty(), retry::mayCancel(snapshot));
            QCOMPARE(wordsFor(snapshot).next.has_value(), !model.nextText().isEmpty());
            if (!editing)
                QCOMPARE(unless(!wordsFor(snapshot).title.isEmpty() && !wordsFor(snapshot).sentence.isEmpty() &&
                                    !wordsFor(snapshot).assurance.isEmpty(),
                                snapshot),
                         QString());
            QCOMPARE(unless(!allWords(snapshot).contains(QLatin1Char('%')), snapshot), QString());
        }
    }

    void steps_tickOnlyWhatIsKnown_data() { addSpeakers(); }
    void steps_tickOnlyWhatIsKnown()
    {
        using viewmodels::StepStatus;
        for (const auto& snapshot : snapshots()) {
            const auto steps = viewmodels::stepsFor(snapshot);
            QCOMPARE(steps.size(), std::size_t(4));
            QCOMPARE(steps.back().status == StepStatus::Done, snapshot.state == State::Paid);
            const bool answered = snapshot.state == State::Paid || snapshot.state == State::Declined;
            if (!snapshot.anyByteTaken && !answered)
                QCOMPARE(unless(steps[1].status != StepStatus::Done, snapshot), QString());
        }
    }

private:
    static void addSpeakers()
    {
        QTest::addColumn<int>("speaker");
        for (const Speaker speaker : tests::everySpeaker())
            QTest::newRow(qPrintable(nameOf(speaker))) << static_cast<int>(speaker);
    }
    static Speaker speaker()
    {
        QFETCH(int, speaker);
        return static_cast<Speaker>(speaker);
    }
    static std::vector<Snapshot> snapshots() { return tests::everySnapshotOf(speaker()); }
};

QTEST_APPLESS_MAIN(TestWordsNeverLie)
#include "tst_words_never_lie.moc"
