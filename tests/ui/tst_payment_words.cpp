#include "ui/samples.h"
#include "viewmodels/progress.h"
#include "viewmodels/words.h"

#include <QtCore/QSet>
#include <QtTest/QTest>

using namespace payonce;
using retry::Cause;
using retry::State;
using viewmodels::countdownFor;
using viewmodels::stepsFor;
using viewmodels::StepStatus;
using viewmodels::wordsFor;

Q_DECLARE_METATYPE(payonce::retry::State)
Q_DECLARE_METATYPE(payonce::retry::Cause)
Q_DECLARE_METATYPE(payonce::retry::JournalError)
Q_DECLARE_METATYPE(payonce::viewmodels::StepStatus)

namespace {

QString nameOf(const tests::StateAndCause& at)
{
    return QString::fromLatin1(retry::nameOf(at.state)) + QLatin1Char('/') + QString::fromLatin1(retry::nameOf(at.cause));
}

QString allWords(const viewmodels::Words& words)
{
    return words.title + QLatin1Char(' ') + words.sentence + QLatin1Char(' ') + words.assurance + QLatin1Char(' ') +
           words.nextText;
}

/// Nothing is known about the money: an attempt may have been charged.
bool isOpen(State state)
{
    return state == State::Sending || state == State::Confirming || state == State::ServerWorking ||
           state == State::RetryWait || state == State::OfflineUnknown || state == State::Unresolved;
}

void addStates()
{
    QTest::addColumn<State>("state");
    QTest::addColumn<Cause>("cause");
    for (const auto& at : tests::everyStateAndCause())
        QTest::newRow(qPrintable(nameOf(at))) << at.state << at.cause;
}

} // namespace

class TestPaymentWords : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void everyState_hasItsWords_data() { addStates(); }
    void everyState_hasItsWords()
    {
        QFETCH(State, state);
        QFETCH(Cause, cause);
        const auto words = wordsFor(tests::sampleSnapshot(state, cause));
        QVERIFY(!words.key.isEmpty());
        QVERIFY(!words.title.isEmpty());
        QVERIFY(words.sentence.endsWith(QLatin1Char('.')));
        QVERIFY(words.assurance.endsWith(QLatin1Char('.')));
        QCOMPARE(words.nextText.isEmpty(), !words.next.has_value());
        QVERIFY2(!allWords(words).contains(QLatin1Char('%')), qPrintable(allWords(words)));
    }

    void openPayment_isNeverSaidToBeUncharged_data() { addStates(); }
    void openPayment_isNeverSaidToBeUncharged()
    {
        QFETCH(State, state);
        QFETCH(Cause, cause);
        if (!isOpen(state))
            return;
        const QString words = allWords(wordsFor(tests::sampleSnapshot(state, cause))).toLower();
        const QStringList forbidden = {
            QStringLiteral("not charged"), QStringLiteral("were charged"),     QStringLiteral("declined"),
            QStringLiteral("failed"),      QStringLiteral("nothing has been"), QStringLiteral("not sent."),
            QStringLiteral("not started"), QStringLiteral("cancelled"),        QStringLiteral("closed"),
            QStringLiteral("pay again"),   QStringLiteral("another card"),     QStringLiteral("thank you")};
        for (const QString& word : forbidden)
            QVERIFY2(!words.contains(word), qPrintable(word + QStringLiteral(" in: ") + words));
    }

    void onlyPaid_saysCharged_data() { addStates(); }
    void onlyPaid_saysCharged()
    {
        QFETCH(State, state);
        QFETCH(Cause, cause);
        const auto words = wordsFor(tests::sampleSnapshot(state, cause));
        QCOMPARE(words.assurance.startsWith(QStringLiteral("You were charged")), state == State::Paid);
        QCOMPARE(words.mood == viewmodels::Mood::Good, state == State::Paid);
    }

    void notCharged_isSaidWhereItIsProven_data() { addStates(); }
    void notCharged_isSaidWhereItIsProven()
    {
        QFETCH(State, state);
        QFETCH(Cause, cause);
        const bool proven = (state == State::NotStarted && cause != Cause::CartHeld) || state == State::Declined ||
                            state == State::NotCharged || (state == State::Cancelled && cause != Cause::CartTaken);
        QCOMPARE(wordsFor(tests::sampleSnapshot(state, cause)).assurance == QStringLiteral("You were not charged."), proven);
    }

    void nextStep_isTheOneOfItsState_data()
    {
        QTest::addColumn<State>("state");
        QTest::addColumn<Cause>("cause");
        QTest::addColumn<QString>("next");
        QTest::newRow("Saving") << State::Saving << Cause::None << QString();
        QTest::newRow("NotStarted") << State::NotStarted << Cause::DiskRefused << QStringLiteral("Try again");
        QTest::newRow("NotStarted, card refused")
            << State::NotStarted << Cause::CardRefused << QStringLiteral("Use another card");
        QTest::newRow("Sending") << State::Sending << Cause::None << QString();
        QTest::newRow("Confirming") << State::Confirming << Cause::None << QString();
        QTest::newRow("ServerWorking") << State::ServerWorking << Cause::None << QString();
        QTest::newRow("RetryWait") << State::RetryWait << Cause::None << QString();
        QTest::newRow("Offline") << State::Offline << Cause::None << QString();
        QTest::newRow("OfflineUnknown") << State::OfflineUnknown << Cause::None << QStringLiteral("Check again");
        QTest::newRow("Fencing") << State::Fencing << Cause::ByPerson << QString();
        QTest::newRow("NotCharged") << State::NotCharged << Cause::Refused << QStringLiteral("Correct it");
        QTest::newRow("Conflict") << State::Conflict << Cause::KeyReused << QStringLiteral("Copy for support");
        QTest::newRow("NotStarted, left unsent") << State::NotStarted << Cause::LeftUnsent << QStringLiteral("Continue");
        QTest::newRow("Paid") << State::Paid << Cause::None << QStringLiteral("Done");
        QTest::newRow("Declined") << State::Declined << Cause::None << QStringLiteral("Use another card");
        QTest::newRow("Cancelled") << State::Cancelled << Cause::Expired << QStringLiteral("Pay again");
        QTest::newRow("Unresolved") << State::Unresolved << Cause::Late << QStringLiteral("Check again");
    }
    void nextStep_isTheOneOfItsState()
    {
        QFETCH(State, state);
        QFETCH(Cause, cause);
        QTEST(wordsFor(tests::sampleSnapshot(state, cause)).nextText, "next");
    }

    void sentences_nameThePayment()
    {
        const QString reference = QStringLiteral("0A2C-4D5E");
        for (const State state : {State::Sending, State::Confirming, State::ServerWorking, State::RetryWait, State::Unresolved})
            QVERIFY(wordsFor(tests::sampleSnapshot(state)).sentence.contains(reference));
        QVERIFY(wordsFor(tests::sampleSnapshot(State::Paid)).sentence.contains(QStringLiteral("1001")));
        QVERIFY(wordsFor(tests::sampleSnapshot(State::Paid)).assurance.contains(QStringLiteral("42.00 €")));
    }

    void offline_afterBytesLeft_doesNotSayNothingWasSent()
    {
        auto snapshot = tests::sampleSnapshot(State::Offline);
        QVERIFY(wordsFor(snapshot).sentence.startsWith(QStringLiteral("Nothing has been sent.")));
        QVERIFY(wordsFor(snapshot).sentence.contains(QStringLiteral("09:15")));

        snapshot.anyByteTaken = true;

        QVERIFY(!allWords(wordsFor(snapshot)).contains(QStringLiteral("Nothing has been sent")));
        QCOMPARE(wordsFor(snapshot).assurance, QStringLiteral("Do not pay elsewhere yet."));
    }

    void decline_saysItsReason_data()
    {
        QTest::addColumn<QByteArray>("code");
        QTest::addColumn<QString>("part");
        QTest::newRow("funds") << QByteArray("insufficient_funds") << QStringLiteral("not enough money");
        QTest::newRow("expired") << QByteArray("expired_card") << QStringLiteral("expired");
        QTest::newRow("cvc") << QByteArray("incorrect_cvc") << QStringLiteral("security code");
        QTest::newRow("processing") << QByteArray("processing_error") << QStringLiteral("could not process");
        QTest::newRow("generic") << QByteArray("generic_decline") << QStringLiteral("the bank gave no reason");
        QTest::newRow("a code of tomorrow") << QByteArray("moon_phase") << QStringLiteral("ask your bank");
        QTest::newRow("none") << QByteArray() << QStringLiteral("ask your bank");
    }
    void decline_saysItsReason()
    {
        QFETCH(QByteArray, code);
        QFETCH(QString, part);
        auto snapshot = tests::sampleSnapshot(State::Declined);
        snapshot.answer.declineCode = code.toStdString();
        QVERIFY(wordsFor(snapshot).sentence.contains(part));
    }

    void serverSentence_isShownShortAndOnOneLine()
    {
        auto snapshot = tests::sampleSnapshot(State::NotStarted, Cause::CardRefused);
        snapshot.detail = "The number\nis not a card's.";
        QVERIFY(wordsFor(snapshot).sentence.endsWith(QStringLiteral("The number is not a card's.")));
        QCOMPARE(viewmodels::shortened(std::string(5000, 'x')).size(), 200);
    }

    void countdown_readsWholeSeconds()
    {
        const auto snapshot = tests::sampleSnapshot(State::RetryWait); // the next try is at 1.8 s
        const auto at = [](int ms) { return values::Now{{}, values::MonotonicTime(std::chrono::milliseconds(ms))}; };
        QCOMPARE(countdownFor(snapshot, at(0)), QStringLiteral("Next try in 2 s, same payment."));
        QCOMPARE(countdownFor(snapshot, at(800)), QStringLiteral("Next try in 1 s, same payment."));
        QCOMPARE(countdownFor(snapshot, at(1800)), QStringLiteral("Trying now, same payment."));
        QCOMPARE(countdownFor(snapshot, at(9000)), QStringLiteral("Trying now, same payment."));
        QVERIFY(countdownFor(tests::sampleSnapshot(State::Confirming), at(0)).isEmpty());
    }

    void longWait_isToldAsATime()
    {
        auto snapshot = tests::sampleSnapshot(State::RetryWait);
        snapshot.nextTry = values::MonotonicTime(std::chrono::minutes(5));
        const values::Now now{snapshot.action->createdAt, {}};
        QCOMPARE(countdownFor(snapshot, now), QStringLiteral("The shop asked us to wait until 09:05:00."));
    }

    void journal_hasWordsForEveryError_data()
    {
        using retry::JournalError;
        QTest::addColumn<JournalError>("error");
        QTest::newRow("full") << JournalError::DiskFull;
        QTest::newRow("read only") << JournalError::ReadOnly;
        QTest::newRow("locked") << JournalError::Locked;
        QTest::newRow("damaged") << JournalError::Damaged;
        QTest::newRow("newer") << JournalError::NewerVersion;
        QTest::newRow("failed") << JournalError::Failed;
    }
    void journal_hasWordsForEveryError()
    {
        QFETCH(retry::JournalError, error);
        const auto words = viewmodels::wordsFor(error);
        QCOMPARE(words.key, QStringLiteral("journal_failed"));
        QVERIFY(words.sentence.size() > QStringLiteral("PayOnce cannot use its payment journal. ").size());
        QVERIFY(!words.next);
    }

    void keys_areOnePerStateAndCause()
    {
        QSet<QString> keys;
        for (const auto& at : tests::everyStateAndCause())
            keys += wordsFor(tests::sampleSnapshot(at.state, at.cause)).key;
        QCOMPARE(keys.size(), static_cast<qsizetype>(tests::everyStateAndCause().size()));
        QVERIFY(keys.contains(QStringLiteral("confirming")));
        QVERIFY(keys.contains(QStringLiteral("not_started.disk_refused")));
        QVERIFY(keys.contains(QStringLiteral("server_working")));
    }

    void sent_isTickedOnlyWhenBytesMayHaveLeft()
    {
        auto snapshot = tests::sampleSnapshot(State::RetryWait);
        QCOMPARE(stepsFor(snapshot)[1].status, StepStatus::Done);
        snapshot.anyByteTaken = false;
        QCOMPARE(stepsFor(snapshot)[1].status, StepStatus::Current);
        QCOMPARE(stepsFor(tests::sampleSnapshot(State::Offline))[1].status, StepStatus::Current);
        QCOMPARE(stepsFor(tests::sampleSnapshot(State::NotStarted, Cause::DiskRefused))[0].status, StepStatus::Stopped);
        QCOMPARE(stepsFor(tests::sampleSnapshot(State::Cancelled, Cause::Closed))[1].status, StepStatus::Done);
        QCOMPARE(stepsFor(tests::sampleSnapshot(State::Cancelled, Cause::NeverSent))[1].status, StepStatus::Ahead);
    }

    void steps_nameHowItEnds_data()
    {
        QTest::addColumn<State>("state");
        QTest::addColumn<Cause>("cause");
        QTest::addColumn<int>("step");
        QTest::addColumn<StepStatus>("status");
        QTest::addColumn<QString>("text");
        QTest::newRow("fencing") << State::Fencing << Cause::ByPerson << 2 << StepStatus::Current << QStringLiteral("Closing");
        QTest::newRow("refused") << State::NotCharged << Cause::Refused << 3 << StepStatus::Stopped
                                 << QStringLiteral("Refused");
        QTest::newRow("declined") << State::Declined << Cause::None << 3 << StepStatus::Stopped << QStringLiteral("Declined");
        QTest::newRow("closed") << State::Cancelled << Cause::Closed << 3 << StepStatus::Closed << QStringLiteral("Closed");
        QTest::newRow("conflict") << State::Conflict << Cause::TooOld << 2 << StepStatus::Stopped << QStringLiteral("Checking");
        QTest::newRow("paid") << State::Paid << Cause::None << 3 << StepStatus::Done << QStringLiteral("Confirmed");
    }
    void steps_nameHowItEnds()
    {
        QFETCH(State, state);
        QFETCH(Cause, cause);
        QFETCH(int, step);
        const auto reached = stepsFor(tests::sampleSnapshot(state, cause)).at(static_cast<std::size_t>(step));
        QTEST(reached.status, "status");
        QTEST(reached.text, "text");
    }

    void confirmed_isTickedOnlyWhenPaid_data() { addStates(); }
    void confirmed_isTickedOnlyWhenPaid()
    {
        QFETCH(State, state);
        QFETCH(Cause, cause);
        const auto steps = stepsFor(tests::sampleSnapshot(state, cause));
        QCOMPARE(steps.size(), std::size_t(4));
        QCOMPARE(steps.back().status == StepStatus::Done, state == State::Paid);
    }
};

QTEST_APPLESS_MAIN(TestPaymentWords)
#include "tst_payment_words.moc"
