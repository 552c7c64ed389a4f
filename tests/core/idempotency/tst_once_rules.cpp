#include "idempotency/once_rules.h"

#include "core/idempotency/ledger_samples.h"

#include <QtTest/QTest>

using namespace payonce;
using namespace payonce::idempotency;
using namespace payonce::samples;
using namespace std::chrono_literals;
using values::RecordState;

Q_DECLARE_METATYPE(payonce::values::RecordState)

namespace {

/// One line that says all of a decision that a table wants to compare.
QByteArray words(const OnceDecision& decision)
{
    struct Words
    {
        QByteArray operator()(const RunOnce&) const { return "run"; }
        QByteArray operator()(const WriteTombstone& it) const { return QByteArray("tombstone ") + nameOf(*it.record.reason); }
        QByteArray operator()(const AnswerFrom& it) const { return QByteArray("answer ") + values::nameOf(it.record.state); }
        QByteArray operator()(const Mismatch&) const { return "mismatch"; }
        QByteArray operator()(const TooOld&) const { return "too old"; }
        QByteArray operator()(const RefuseClaim& it) const
        {
            return QByteArray("refuse ") + QByteArray::fromStdString(std::string(ruleOf(it.code).name));
        }
    };
    return std::visit(Words{}, decision);
}

} // namespace

class TestOnceRules : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void absentKey_isDecidedByItsTime_data();
    void absentKey_isDecidedByItsTime();
    void recordFound_answersBeforeEveryRuleThatCanChange_data();
    void recordFound_answersBeforeEveryRuleThatCanChange();
    void recordOfAnotherPolicy_isComparedUnderIt_data();
    void recordOfAnotherPolicy_isComparedUnderIt();
    void purgedKey_isNeverRun_data();
    void purgedKey_isNeverRun();
    void newRecord_isSettledAndHasNothingOfAPayment();
    void answer_decidesTheState_data();
    void answer_decidesTheState();
    void kinds_haveTheirNames();
};

void TestOnceRules::absentKey_isDecidedByItsTime_data()
{
    QTest::addColumn<bool>("hasTime");
    QTest::addColumn<qint64>("validForMs");
    QTest::addColumn<int>("tombstones");
    QTest::addColumn<QByteArray>("decision");
    constexpr qint64 kDay = 86'400'000;
    QTest::newRow("valid") << true << 1LL << 1000 << QByteArray("run");
    QTest::newRow("valid until now") << true << 0LL << 999 << QByteArray("tombstone expired");
    QTest::newRow("long past") << true << -kDay << 0 << QByteArray("tombstone expired");
    QTest::newRow("past, and too many closed") << true << 0LL << 1000 << QByteArray("refuse rate-limited");
    QTest::newRow("exactly 24 h ahead") << true << kDay << 0 << QByteArray("run");
    QTest::newRow("more than 24 h ahead") << true << kDay + 1 << 0 << QByteArray("refuse body-invalid");
    QTest::newRow("a body without that member") << false << 0LL << 1000 << QByteArray("run");
}

void TestOnceRules::absentKey_isDecidedByItsTime()
{
    QFETCH(const bool, hasTime);
    QFETCH(const qint64, validForMs);
    QFETCH(const int, tombstones);
    QFETCH(const QByteArray, decision);
    OnceRequest asked = onceRequest(1);
    asked.validUntil = hasTime ? std::optional(kNow + std::chrono::milliseconds(validForMs)) : std::nullopt;
    QCOMPARE(words(decideOnce(asked, {{}, {}, tombstones, {}}, {kServer, kNow}, {})), decision);
}

void TestOnceRules::recordFound_answersBeforeEveryRuleThatCanChange_data()
{
    QTest::addColumn<RecordState>("state");
    QTest::addColumn<bool>("hasFingerprint");
    QTest::addColumn<bool>("sameBody");
    QTest::addColumn<QByteArray>("decision");
    // Open ones too: the key may be a payment's.
    for (const auto state :
         {RecordState::InProgress, RecordState::Unknown, RecordState::Succeeded, RecordState::Failed, RecordState::Abandoned}) {
        const char* name = values::nameOf(state);
        QTest::addRow("%s, same body", name) << state << true << true << QByteArray("answer ").append(name);
        QTest::addRow("%s, other body", name) << state << true << false << QByteArray("mismatch");
    }
    QTest::newRow("fence before the first POST") << RecordState::Abandoned << false << false << QByteArray("answer abandoned");
}

void TestOnceRules::recordFound_answersBeforeEveryRuleThatCanChange()
{
    QFETCH(const RecordState, state);
    QFETCH(const bool, hasFingerprint);
    QFETCH(const bool, sameBody);
    QFETCH(const QByteArray, decision);
    OnceRequest asked = onceRequest(1);
    asked.validUntil = kNow - 1h;
    KeyFacts facts{record(1, state), {}, 1'000'000, {}};
    facts.record->fingerprint = hasFingerprint ? std::optional(fingerprint(sameBody ? 5 : 1)) : std::nullopt;
    QCOMPARE(words(decideOnce(asked, facts, {kServer, kNow}, {})), decision);
}

void TestOnceRules::recordOfAnotherPolicy_isComparedUnderIt_data()
{
    QTest::addColumn<QByteArray>("stored");
    QTest::addColumn<int>("print");
    QTest::addColumn<QByteArray>("decision");
    QTest::newRow("present") << QByteArray("policy-1") << 5 << QByteArray("answer succeeded");
    QTest::newRow("earlier, same content") << QByteArray("policy-0") << 7 << QByteArray("answer succeeded");
    QTest::newRow("earlier, other content") << QByteArray("policy-0") << 5 << QByteArray("mismatch");
    QTest::newRow("of a newer version") << QByteArray("policy-9") << 5 << QByteArray("refuse store-unavailable");
}

void TestOnceRules::recordOfAnotherPolicy_isComparedUnderIt()
{
    QFETCH(const QByteArray, stored);
    QFETCH(const int, print);
    QFETCH(const QByteArray, decision);
    OnceRequest asked = onceRequest(1);
    asked.otherPolicies = {{"policy-0", fingerprint(7)}};
    KeyFacts facts{record(1, RecordState::Succeeded), {}, 0, {}};
    facts.record->policyId = stored.toStdString();
    facts.record->fingerprint = fingerprint(static_cast<std::uint8_t>(print));
    QCOMPARE(words(decideOnce(asked, facts, {kServer, kNow}, {})), decision);
}

void TestOnceRules::purgedKey_isNeverRun_data()
{
    QTest::addColumn<bool>("orderIsLeft");
    QTest::addColumn<QByteArray>("decision");
    QTest::newRow("nothing is left") << false << QByteArray("too old");
    QTest::newRow("it was a payment's") << true << QByteArray("mismatch");
}

void TestOnceRules::purgedKey_isNeverRun()
{
    QFETCH(const bool, orderIsLeft);
    QFETCH(const QByteArray, decision);
    KeyRecord purged = record(1, RecordState::Abandoned);
    if (!orderIsLeft)
        purged.fingerprint.reset();
    QCOMPARE(words(decideOnce(onceRequest(1), {{}, purged, 0, {}}, {kServer, kNow}, {})), decision);
}

void TestOnceRules::newRecord_isSettledAndHasNothingOfAPayment()
{
    const auto decision = decideOnce(onceRequest(1), {}, {kServer, kNow}, {});
    const KeyRecord& made = std::get<RunOnce>(decision).record;
    QCOMPARE(made.account, std::string(kAccount));
    QCOMPARE(made.id, actionId(1));
    QCOMPARE(made.kind, RecordKind::Account);
    QCOMPARE(made.policyId, std::string("policy-1"));
    QCOMPARE(made.fingerprint, std::optional(fingerprint(5)));
    QCOMPARE(made.owner, std::string(kServer));
    QCOMPARE(made.firstSeen, kNow);
    QCOMPARE(made.settledAt, std::optional(kNow));
    QVERIFY(!made.terms && !made.bankKey && made.orderId.empty() && made.paymentId.empty());
}

void TestOnceRules::answer_decidesTheState_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("state");
    QTest::newRow("200") << 200 << QByteArray("succeeded");
    QTest::newRow("201") << 201 << QByteArray("succeeded");
    QTest::newRow("399") << 399 << QByteArray("succeeded");
    QTest::newRow("400") << 400 << QByteArray("failed");
}

void TestOnceRules::answer_decidesTheState()
{
    QFETCH(const int, status);
    QFETCH(const QByteArray, state);
    const auto decision = decideOnce(onceRequest(1), {}, {kServer, kNow}, {});
    const KeyRecord after = settledOnce(std::get<RunOnce>(decision).record, {status, "body"});
    QCOMPARE(QByteArray(values::nameOf(after.state)), state);
    QCOMPARE(after.answer, std::optional(StoredAnswer{status, "body"}));
}

void TestOnceRules::kinds_haveTheirNames()
{
    for (const auto kind : {RecordKind::Payment, RecordKind::Account, RecordKind::Support})
        QCOMPARE(recordKindOf(nameOf(kind)), std::optional(kind));
    QCOMPARE(QByteArray(nameOf(RecordKind::Account)), QByteArray("account"));
    QVERIFY(!recordKindOf("refund"));
}

QTEST_GUILESS_MAIN(TestOnceRules)
#include "tst_once_rules.moc"
