#include "core/retry/wire_results.h"

#include "retry/outcome.h"

#include <QtCore/QRegularExpression>
#include <QtTest/QTest>

using namespace payonce::retry;
using namespace payonce::retry_tests;
using payonce::values::RecordState;

Q_DECLARE_METATYPE(payonce::retry::OutcomeKind)
Q_DECLARE_METATYPE(payonce::retry::State)
Q_DECLARE_METATYPE(payonce::retry::WireResult)

namespace {

AnswerBody bodyOf(const char* code, std::optional<RecordState> state = {}, const char* reason = "")
{
    AnswerBody body;
    body.code = code;
    body.state = state;
    body.reason = reason;
    return body;
}

WireResult paidWith(std::optional<payonce::values::Money> amount)
{
    WireResult result = paid();
    result.body->amount = amount;
    return result;
}

payonce::values::Money otherAmount()
{
    auto amount = anAmount();
    ++amount.minorUnits;
    return amount;
}

} // namespace

class TestRetryOutcome : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void everyStatusOfAPost_hasItsMeaning_data();
    void everyStatusOfAPost_hasItsMeaning();
    void everyAnswerToAProbe_hasItsMeaning_data();
    void everyAnswerToAProbe_hasItsMeaning();
    void everyTransportError_isNotSentOnlyWithoutBytes_data();
    void everyTransportError_isNotSentOnlyWithoutBytes();
    void anAnswerThatIsNotAuthentic_isUnknown_data();
    void anAnswerThatIsNotAuthentic_isUnknown();
    void finalAnswers_carryTheirFacts();
    void advice_andDetail_areTakenFromAuthenticAnswersOnly();
    void statusesOutsideHttp_areUnknown();
};

void TestRetryOutcome::everyStatusOfAPost_hasItsMeaning_data()
{
    QTest::addColumn<WireResult>("result");
    QTest::addColumn<OutcomeKind>("kind");
    const auto row = [](int status, const AnswerBody& body, OutcomeKind kind) {
        QTest::addRow("%d %s %s", status, body.code.c_str(), body.reason.c_str()) << answer(status, body) << kind;
    };
    QTest::newRow("201 with state and amount") << paid() << OutcomeKind::Final;
    QTest::newRow("201 without amount") << paidWith({}) << OutcomeKind::Unknown;
    QTest::newRow("201 with another amount") << paidWith(otherAmount()) << OutcomeKind::ContraryAnswer;
    QTest::newRow("402 card-declined") << declined() << OutcomeKind::Final;
    row(201, bodyOf("", RecordState::Failed), OutcomeKind::Unknown);
    row(201, bodyOf("s"), OutcomeKind::Unknown);
    row(202, bodyOf("working", RecordState::InProgress), OutcomeKind::Working);
    row(202, bodyOf("checked", RecordState::Unknown), OutcomeKind::BeingChecked);
    row(202, bodyOf("settled", RecordState::Succeeded), OutcomeKind::Unknown);
    for (const int status : {100, 103, 203, 204, 205, 206, 300, 301, 302, 303, 304, 307, 308})
        row(status, bodyOf(""), OutcomeKind::Unknown);
    for (const int status : {400, 404, 405, 406, 407, 411, 413, 414, 415, 416, 417, 423, 426, 428, 431, 451, 499, 501, 505})
        row(status, bodyOf("some-code"), OutcomeKind::Refused);
    for (const int status : {401, 403})
        row(status, bodyOf("unauthorized"), OutcomeKind::SignInNeeded);
    for (const int status : {408, 421, 425})
        row(status, bodyOf("timeout"), OutcomeKind::TryAgain);
    for (const int status : {500, 502, 503, 504, 507, 511, 520, 527, 599})
        row(status, bodyOf("internal"), OutcomeKind::Unknown);
    row(402, bodyOf("pay-first"), OutcomeKind::Refused);
    row(402, bodyOf("card-declined", RecordState::Succeeded, "contradiction"), OutcomeKind::Unknown);
    row(404, bodyOf("action-unknown"), OutcomeKind::NotFound);
    row(409, bodyOf("in-progress"), OutcomeKind::Working);
    row(409, bodyOf("outcome-unknown"), OutcomeKind::BeingChecked);
    row(409, bodyOf("cart-taken"), OutcomeKind::CartTaken);
    row(409, bodyOf("never-heard-of"), OutcomeKind::Refused);
    row(410, bodyOf("action-expired"), OutcomeKind::Final);
    row(410, bodyOf("action-abandoned"), OutcomeKind::Final);
    row(410, bodyOf("action-abandoned", {}, "cart-taken"), OutcomeKind::CartTaken);
    row(410, bodyOf("key-too-old"), OutcomeKind::TooOld);
    row(410, bodyOf("answer-expired", RecordState::Succeeded), OutcomeKind::Final);
    row(410, bodyOf("answer-expired", RecordState::InProgress, "open"), OutcomeKind::Unknown);
    row(410, bodyOf("answer-expired", {}, "no state"), OutcomeKind::Unknown);
    row(422, bodyOf("key-reused"), OutcomeKind::KeyReused);
    row(422, bodyOf("amount-mismatch"), OutcomeKind::Refused);
    row(429, bodyOf("rate-limited"), OutcomeKind::Wait);
    row(429, bodyOf("too-many-keys"), OutcomeKind::Wait);
    row(503, bodyOf("store-unavailable"), OutcomeKind::Wait);
}

void TestRetryOutcome::everyStatusOfAPost_hasItsMeaning()
{
    QFETCH(WireResult, result);
    QFETCH(OutcomeKind, kind);
    QCOMPARE(classifyPost(result, anId(), anAmount()).kind, kind);
}

void TestRetryOutcome::everyAnswerToAProbe_hasItsMeaning_data()
{
    QTest::addColumn<WireResult>("result");
    QTest::addColumn<OutcomeKind>("kind");
    QTest::newRow("in progress") << found(RecordState::InProgress) << OutcomeKind::Working;
    QTest::newRow("unknown") << found(RecordState::Unknown) << OutcomeKind::BeingChecked;
    QTest::newRow("succeeded") << found(RecordState::Succeeded) << OutcomeKind::Final;
    QTest::newRow("failed") << found(RecordState::Failed) << OutcomeKind::Final;
    QTest::newRow("abandoned") << found(RecordState::Abandoned) << OutcomeKind::Final;
    QTest::newRow("succeeded, stored answer dropped") << answer(200, bodyOf("", RecordState::Succeeded)) << OutcomeKind::Final;
    QTest::newRow("abandoned, cart-taken") << answer(200, bodyOf("", RecordState::Abandoned, "cart-taken"))
                                           << OutcomeKind::CartTaken;
    QTest::newRow("no state") << answer(200) << OutcomeKind::Unknown;
    QTest::newRow("404 action-unknown") << notFound() << OutcomeKind::NotFound;
    QTest::newRow("404 of something else") << problem(404, "not-found") << OutcomeKind::Unknown;
    QTest::newRow("401") << problem(401, "unauthorized") << OutcomeKind::SignInNeeded;
    QTest::newRow("403") << problem(403, "forbidden") << OutcomeKind::SignInNeeded;
    QTest::newRow("429") << problem(429, "rate-limited") << OutcomeKind::Wait;
    QTest::newRow("503") << problem(503, "store-unavailable") << OutcomeKind::Wait;
    QTest::newRow("410 action-expired") << problem(410, "action-expired") << OutcomeKind::Final;
    QTest::newRow("410 key-too-old is never Cancelled") << problem(410, "key-too-old") << OutcomeKind::TooOld;
    QTest::newRow("402 to a GET makes no sense") << declined() << OutcomeKind::Unknown;
    QTest::newRow("201 to a GET makes no sense") << paid() << OutcomeKind::Unknown;
    QTest::newRow("400 refuses the probe, not the payment") << problem(400, "body-invalid") << OutcomeKind::Unknown;
    QTest::newRow("422 key-reused") << problem(422, "key-reused") << OutcomeKind::Unknown;
    QTest::newRow("500") << problem(500, "internal") << OutcomeKind::Unknown;
    QTest::newRow("no byte, no answer") << notSent() << OutcomeKind::Unknown;
    WireResult other = found(RecordState::Succeeded);
    other.body->amount = otherAmount();
    QTest::newRow("another amount") << other << OutcomeKind::ContraryAnswer;
}

void TestRetryOutcome::everyAnswerToAProbe_hasItsMeaning()
{
    QFETCH(WireResult, result);
    QFETCH(OutcomeKind, kind);
    QCOMPARE(classifyProbe(result, anId(), anAmount()).kind, kind);
}

void TestRetryOutcome::everyTransportError_isNotSentOnlyWithoutBytes_data()
{
    QTest::addColumn<int>("error");
    for (int error = 0; error <= static_cast<int>(TransportError::Other); ++error)
        QTest::newRow(nameOf(static_cast<TransportError>(error))) << error;
}

void TestRetryOutcome::everyTransportError_isNotSentOnlyWithoutBytes()
{
    QFETCH(int, error);
    const auto one = static_cast<TransportError>(error);
    QCOMPARE(classifyPost(notSent(one), anId(), anAmount()).kind, OutcomeKind::NotSent);
    QCOMPARE(classifyPost(lost(one), anId(), anAmount()).kind, OutcomeKind::Unknown);
    // A final answer with an error beside it is no final answer.
    WireResult both = paid();
    both.error = one;
    QCOMPARE(classifyPost(both, anId(), anAmount()).kind,
             one == TransportError::None ? OutcomeKind::Final : OutcomeKind::Unknown);
    // One authentic byte of an answer outweighs the empty device: an early refusal is a refusal.
    WireResult early = problem(413, "body-too-large");
    early.bytesTaken = 0;
    QCOMPARE(classifyPost(early, anId(), anAmount()).kind, OutcomeKind::Refused);
}

void TestRetryOutcome::anAnswerThatIsNotAuthentic_isUnknown_data()
{
    QTest::addColumn<WireResult>("result");
    const auto broken = [](auto change) {
        WireResult result = paid();
        change(result);
        return result;
    };
    QTest::newRow("cut") << broken([](WireResult& r) { r.complete = false; });
    QTest::newRow("digest missing or wrong") << broken([](WireResult& r) { r.digestMatches = false; });
    QTest::newRow("encoded") << broken([](WireResult& r) { r.encoded = true; });
    QTest::newRow("not parsed") << broken([](WireResult& r) { r.body.reset(); });
    QTest::newRow("no status") << broken([](WireResult& r) { r.status.reset(); });
    QTest::newRow("about another action") << broken([](WireResult& r) { r.body->actionId = anotherId(); });
    QTest::newRow("about no action") << broken([](WireResult& r) { r.body->actionId.reset(); });
}

void TestRetryOutcome::anAnswerThatIsNotAuthentic_isUnknown()
{
    QFETCH(WireResult, result);
    QVERIFY(isAuthentic(paid(), anId()));
    QVERIFY(!isAuthentic(result, anId()));
    QCOMPARE(classifyPost(result, anId(), anAmount()).kind, OutcomeKind::Unknown);
    QCOMPARE(classifyProbe(result, anId(), anAmount()).kind, OutcomeKind::Unknown);
    result.bytesTaken = 0;
    QCOMPARE(classifyPost(result, anId(), anAmount()).kind, OutcomeKind::NotSent);
}

void TestRetryOutcome::finalAnswers_carryTheirFacts()
{
    const auto paidAnswer = classifyPost(paid(), anId(), anAmount()).answer;
    QCOMPARE(paidAnswer.state, State::Paid);
    QCOMPARE(paidAnswer.orderNumber, std::string("1001"));
    QCOMPARE(paidAnswer.chargeId, std::string("ch_1"));
    const auto declinedAnswer = classifyPost(declined(), anId(), anAmount()).answer;
    QCOMPARE(declinedAnswer.state, State::Declined);
    QCOMPARE(declinedAnswer.declineCode, std::string("insufficient_funds"));
    const auto expired = classifyPost(problem(410, "action-expired"), anId(), anAmount()).answer;
    QCOMPARE(expired.state, State::Cancelled);
    QCOMPARE(expired.cause, Cause::Expired);
    const auto closed = classifyPost(problem(410, "action-abandoned"), anId(), anAmount()).answer;
    QCOMPARE(closed.cause, Cause::Closed);
    const auto found = classifyProbe(answer(200, bodyOf("", RecordState::Abandoned, "expired")), anId(), anAmount()).answer;
    QCOMPARE(found.state, State::Cancelled);
    QCOMPARE(found.cause, Cause::Expired);
    const auto dropped = classifyPost(answer(410, bodyOf("answer-expired", RecordState::Failed)), anId(), anAmount()).answer;
    QCOMPARE(dropped.state, State::Declined);
}

void TestRetryOutcome::advice_andDetail_areTakenFromAuthenticAnswersOnly()
{
    WireResult limited = withRetryAfter(problem(429, "rate-limited"), std::chrono::seconds(7));
    limited.body->detail = "Slowly, please.";
    const auto outcome = classifyPost(limited, anId(), anAmount());
    QCOMPARE(outcome.delay, std::optional<std::chrono::milliseconds>(std::chrono::seconds(7)));
    QCOMPARE(outcome.detail, std::string("Slowly, please."));
    limited.digestMatches = false;
    QVERIFY(!classifyPost(limited, anId(), anAmount()).delay);
    QVERIFY(classifyPost(limited, anId(), anAmount()).detail.empty());
    WireResult taken = problem(409, "cart-taken");
    taken.body->heldBy = "another";
    QCOMPARE(classifyPost(taken, anId(), anAmount()).heldBy, std::string("another"));
}

void TestRetryOutcome::statusesOutsideHttp_areUnknown()
{
    for (const int status : {-1, 0, 99, 600, 999})
        QCOMPARE(classifyPost(problem(status, "card-declined"), anId(), anAmount()).kind, OutcomeKind::Unknown);
}

QTEST_APPLESS_MAIN(TestRetryOutcome)
#include "tst_retry_outcome.moc"
