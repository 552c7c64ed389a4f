#include "core/protocol/record_samples.h"
#include "fixtures/fixture.h"
#include "protocol/answer.h"
#include "protocol/strict_json.h"

#include <QtTest/QTest>

using namespace payonce;
using namespace payonce::protocol;
using idempotency::AbandonReason;
using idempotency::ProblemCode;
using idempotency::RecordState;

namespace {

constexpr std::chrono::seconds kRetryAfter{1};

QByteArray bytes(const std::string& text)
{
    return QByteArray::fromStdString(text);
}

QByteArray fixture(const char* name)
{
    return bytes(fixtures::read(name));
}

} // namespace

class AnswerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void storedAnswers_areTheContracts();
    void everyDeclineCode_hasItsSentence_data();
    void everyDeclineCode_hasItsSentence();
    void settledRecord_isReplayedByteForByte();
    void openRecord_answersAPostWith409();
    void abandonedRecord_answersAPostByItsReason_data();
    void abandonedRecord_answersAPostByItsReason();
    void status_isTheContracts();
    void discrepancy_isToldInEveryStateAndOnlyThere();
    void droppedAnswer_isSaidToBeSo();
    void statusOfAnOpenRecord_saysWhenToAskAgain();
    void problem_isTheContracts();
    void problemWithRetryAfter_tellsItTwice();
    void everyProblemCode_isRendered();
    void bytesThatAreNoUtf8_doNotBreakAProblem();
    void codePointsThatAreNoCharacters_doNotBreakAProblem();
};

void AnswerTest::storedAnswers_areTheContracts()
{
    const auto paid = renderStored(samples::succeeded());
    QCOMPARE(paid.status, 201);
    QCOMPARE(bytes(paid.body), fixture("payment_201.json"));
    const auto declined = renderStored(samples::declined());
    QCOMPARE(declined.status, 402);
    QCOMPARE(bytes(declined.body), fixture("payment_402.json"));
}

void AnswerTest::everyDeclineCode_hasItsSentence_data()
{
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<QByteArray>("words");
    QTest::newRow("funds") << QByteArray("insufficient_funds") << QByteArray("not enough money");
    QTest::newRow("expired") << QByteArray("expired_card") << QByteArray("has expired");
    QTest::newRow("cvc") << QByteArray("incorrect_cvc") << QByteArray("security code");
    QTest::newRow("processing") << QByteArray("processing_error") << QByteArray("could not process");
    QTest::newRow("generic") << QByteArray("generic_decline") << QByteArray("The card was declined. It");
}

void AnswerTest::everyDeclineCode_hasItsSentence()
{
    QFETCH(QByteArray, code);
    QFETCH(QByteArray, words);
    const auto json = Json::parse(renderStored(samples::declined(code.constData())).body);
    QCOMPARE(bytes(json.at("decline_code").get<std::string>()), code);
    QVERIFY(bytes(json.at("detail").get<std::string>()).contains(words));
    QVERIFY(bytes(json.at("detail").get<std::string>()).endsWith("It was not charged."));
}

void AnswerTest::settledRecord_isReplayedByteForByte()
{
    auto record = samples::succeeded();
    record.answer->body = R"({"kept":"as it was"})";
    const auto paid = answerToPost(record, kRetryAfter);
    QCOMPARE(paid.status, 201);
    QCOMPARE(bytes(paid.body), QByteArray(R"({"kept":"as it was"})"));
    QCOMPARE(bytes(paid.contentType), QByteArray("application/json"));
    QVERIFY(!paid.retryAfter);
    const auto declined = answerToPost(samples::declined(), kRetryAfter);
    QCOMPARE(declined.status, 402);
    QCOMPARE(bytes(declined.body), fixture("payment_402.json"));
    QCOMPARE(bytes(declined.contentType), QByteArray("application/problem+json"));
}

void AnswerTest::openRecord_answersAPostWith409()
{
    const auto running = answerToPost(samples::openRecord(RecordState::InProgress), kRetryAfter);
    QCOMPARE(running.status, 409);
    QCOMPARE(bytes(running.body), fixture("problem_in_progress.json"));
    QVERIFY(running.retryAfter == kRetryAfter);
    const auto unknown = answerToPost(samples::openRecord(RecordState::Unknown), kRetryAfter);
    QCOMPARE(unknown.status, 409);
    const auto json = Json::parse(unknown.body);
    QCOMPARE(bytes(json.at("code").get<std::string>()), QByteArray("outcome-unknown"));
    QCOMPARE(bytes(json.at("retry").get<std::string>()), QByteArray("after-check"));
    QCOMPARE(bytes(json.at("state").get<std::string>()), QByteArray("unknown"));
    QVERIFY(unknown.retryAfter == kRetryAfter);
}

void AnswerTest::abandonedRecord_answersAPostByItsReason_data()
{
    QTest::addColumn<AbandonReason>("reason");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("code");
    QTest::newRow("cancelled") << AbandonReason::Cancelled << 410 << QByteArray("action-abandoned");
    QTest::newRow("expired") << AbandonReason::Expired << 410 << QByteArray("action-expired");
    QTest::newRow("cart taken") << AbandonReason::CartTaken << 409 << QByteArray("cart-taken");
}

void AnswerTest::abandonedRecord_answersAPostByItsReason()
{
    QFETCH(AbandonReason, reason);
    QFETCH(int, status);
    QFETCH(QByteArray, code);
    const auto answer = answerToPost(samples::abandoned(reason), kRetryAfter);
    QCOMPARE(answer.status, status);
    const auto json = Json::parse(answer.body);
    QCOMPARE(bytes(json.at("code").get<std::string>()), code);
    QCOMPARE(bytes(json.at("state").get<std::string>()), QByteArray("abandoned"));
    QCOMPARE(bytes(json.at("reason").get<std::string>()), QByteArray(idempotency::nameOf(reason)));
    QCOMPARE(bytes(json.at("retry").get<std::string>()), QByteArray("new-key"));
    QVERIFY(!answer.retryAfter);
    if (reason == AbandonReason::CartTaken)
        QCOMPARE(bytes(answer.body), fixture("problem_cart_taken.json"));
}

void AnswerTest::status_isTheContracts()
{
    const auto body = [](const idempotency::KeyRecord& record) {
        const auto answer = answerToStatus(record, kRetryAfter);
        return answer.status == 200 && answer.contentType == kJsonType ? bytes(answer.body) : QByteArray();
    };
    QCOMPARE(body(samples::openRecord(RecordState::InProgress)), fixture("action_in_progress.json"));
    QCOMPARE(body(samples::succeeded()), fixture("action_succeeded.json"));
    QCOMPARE(body(samples::declined()), fixture("action_failed.json"));
    QCOMPARE(body(samples::abandoned(AbandonReason::CartTaken)), fixture("action_cart_taken.json"));
    QCOMPARE(body(samples::abandoned(AbandonReason::Expired)), fixture("action_expired.json"));
    QCOMPARE(body(samples::abandoned(AbandonReason::Cancelled)), fixture("action_cancelled.json"));
    auto wishing = samples::openRecord(RecordState::Unknown);
    wishing.cancelRequested = true;
    QCOMPARE(body(wishing), fixture("action_cancel_requested.json"));
}

void AnswerTest::discrepancy_isToldInEveryStateAndOnlyThere()
{
    for (auto record : {samples::openRecord(RecordState::InProgress), samples::succeeded(), samples::declined(),
                        samples::abandoned(AbandonReason::Cancelled)}) {
        QVERIFY(!bytes(answerToStatus(record, kRetryAfter).body).contains("discrepancy"));
        record.hasDiscrepancy = true;
        const auto json = Json::parse(answerToStatus(record, kRetryAfter).body);
        QVERIFY(json.at("discrepancy").get<bool>());
        QVERIFY(!bytes(answerToPost(record, kRetryAfter).body).contains("discrepancy")); // what was answered stays as it is
    }
    auto paid = samples::succeeded();
    paid.hasDiscrepancy = true;
    QByteArray expected = fixture("action_succeeded.json");
    expected.replace(R"("state":"succeeded","result")", R"("state":"succeeded","discrepancy":true,"result")");
    QCOMPARE(bytes(answerToStatus(paid, kRetryAfter).body), expected);
}

void AnswerTest::droppedAnswer_isSaidToBeSo()
{
    auto record = samples::succeeded();
    record.answer.reset();
    const auto post = answerToPost(record, kRetryAfter);
    QCOMPARE(post.status, 410);
    QCOMPARE(bytes(post.body), fixture("problem_answer_expired.json"));
    QVERIFY(!post.retryAfter);
    const auto status = answerToStatus(record, kRetryAfter);
    QCOMPARE(status.status, 200);
    QCOMPARE(bytes(status.body), fixture("action_answer_dropped.json"));
}

void AnswerTest::statusOfAnOpenRecord_saysWhenToAskAgain()
{
    QVERIFY(answerToStatus(samples::openRecord(RecordState::InProgress), kRetryAfter).retryAfter == kRetryAfter);
    const auto unknown = answerToStatus(samples::openRecord(RecordState::Unknown), kRetryAfter);
    QVERIFY(unknown.retryAfter == kRetryAfter);
    QVERIFY(bytes(unknown.body).contains(R"("state":"unknown")"));
    QVERIFY(!answerToStatus(samples::succeeded(), kRetryAfter).retryAfter);
}

void AnswerTest::problem_isTheContracts()
{
    Problem unknown{ProblemCode::ActionUnknown, "No action has this ID."};
    unknown.actionId = samples::actionId();
    const auto answer = answerOf(unknown);
    QCOMPARE(answer.status, 404);
    QCOMPARE(bytes(answer.contentType), QByteArray("application/problem+json"));
    QCOMPARE(bytes(answer.body), fixture("action_unknown_404.json"));

    Problem invalid{ProblemCode::MemberInvalid, "`amount.value` is missing."};
    invalid.instance = "/v1/payments";
    QCOMPARE(answerOf(invalid).status, 422);
    QCOMPARE(bytes(answerOf(invalid).body), fixture("problem_member_invalid.json"));
}

void AnswerTest::problemWithRetryAfter_tellsItTwice()
{
    Problem problem{ProblemCode::StoreUnavailable, "The disk is full."};
    problem.retryAfter = std::chrono::seconds(7);
    const auto answer = answerOf(problem);
    QVERIFY(answer.retryAfter == std::chrono::seconds(7));
    QCOMPARE(Json::parse(answer.body).at("retry_after").get<int>(), 7);
}

void AnswerTest::everyProblemCode_isRendered()
{
    for (int i = 0; i <= static_cast<int>(ProblemCode::NotImplemented); ++i) {
        const auto code = static_cast<ProblemCode>(i);
        const auto answer = answerOf(Problem{code, "Because."});
        const auto json = Json::parse(answer.body);
        QCOMPARE(json.at("status").get<int>(), answer.status);
        QCOMPARE(bytes(json.at("type").get<std::string>()), "/problems/" + bytes(json.at("code").get<std::string>()));
        QVERIFY(!json.at("title").get<std::string>().empty());
        QVERIFY(!json.contains("action_id") && !json.contains("state") && !json.contains("instance"));
    }
}

void AnswerTest::codePointsThatAreNoCharacters_doNotBreakAProblem()
{
    // What a refused member name, quoted in the detail, may hold: U+FFFF, U+FDD0 and U+1FFFE, beside U+FFFD and U+1F600.
    const Problem problem{ProblemCode::BodyInvalid, "\xEF\xBF\xBF \xEF\xB7\x90 \xF0\x9F\xBF\xBE \xEF\xBF\xBD \xF0\x9F\x98\x80"};
    const auto json = parseStrict(answerOf(problem).body);
    QVERIFY(json.has_value());
    QCOMPARE(bytes(json->at("detail")), QByteArray("\xEF\xBF\xBD \xEF\xBF\xBD \xEF\xBF\xBD \xEF\xBF\xBD \xF0\x9F\x98\x80"));
}

void AnswerTest::bytesThatAreNoUtf8_doNotBreakAProblem()
{
    const auto answer = answerOf(Problem{ProblemCode::KeyInvalid, "The key \xFF is no key."});
    QVERIFY(parseStrict(answer.body).has_value());
    QVERIFY(bytes(answer.body).contains("The key \xEF\xBF\xBD is no key."));
}

QTEST_APPLESS_MAIN(AnswerTest)
#include "tst_answer.moc"
