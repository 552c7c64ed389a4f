#include "core/protocol/record_samples.h"
#include "fixtures/fixture.h"
#include "protocol/answer.h"
#include "protocol/answer_reader.h"

#include <QtCore/QJsonDocument>
#include <QtTest/QTest>

using namespace payonce;
using namespace payonce::protocol;
using idempotency::RecordState;

namespace {

retry::AnswerBody about(RecordState state)
{
    retry::AnswerBody answer;
    answer.actionId = samples::actionId();
    answer.state = state;
    return answer;
}

retry::AnswerBody paid()
{
    auto answer = about(RecordState::Succeeded);
    answer.amount = samples::amount();
    answer.orderNumber = "1001";
    answer.chargeId = "ch_81ff";
    return answer;
}

retry::AnswerBody declined()
{
    auto answer = about(RecordState::Failed);
    answer.detail = "The card was declined: there is not enough money on it. It was not charged.";
    answer.amount = samples::amount();
    answer.declineCode = "insufficient_funds";
    return answer;
}

/// All of a fixture but its own text.
retry::AnswerBody decidingMembersOf(const char* fixture)
{
    auto answer = parseAnswer(fixtures::read(fixture)).value_or(retry::AnswerBody());
    answer.json.clear();
    return answer;
}

} // namespace

class AnswerReaderTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void contractsAnswers_areRead();
    void contractsStatusAnswers_areRead();
    void contractsProblems_areRead();
    void itsText_isThatOfTheAnswerToThePost_data();
    void itsText_isThatOfTheAnswerToThePost();
    void problemOfAnotherServer_isReadByItsCode();
    void answerWithAWrongMember_provesNothing_data();
    void answerWithAWrongMember_provesNothing();
    void answerAboutNothing_provesNothing_data();
    void answerAboutNothing_provesNothing();
};

void AnswerReaderTest::contractsAnswers_areRead()
{
    QVERIFY(decidingMembersOf("payment_201.json") == paid());
    auto refused = declined();
    refused.code = "card-declined";
    refused.retry = retry::RetryAdvice::NewKey;
    QVERIFY(decidingMembersOf("payment_402.json") == refused);
}

void AnswerReaderTest::contractsStatusAnswers_areRead()
{
    QVERIFY(decidingMembersOf("action_in_progress.json") == about(RecordState::InProgress));
    QVERIFY(decidingMembersOf("action_succeeded.json") == paid());
    QVERIFY(decidingMembersOf("action_failed.json") == declined());
    auto taken = about(RecordState::Abandoned);
    taken.reason = "cart-taken";
    taken.heldBy = "0198c0de-0000-7000-8000-000000000001";
    QVERIFY(decidingMembersOf("action_cart_taken.json") == taken);
    auto expired = about(RecordState::Abandoned);
    expired.reason = "expired";
    QVERIFY(decidingMembersOf("action_expired.json") == expired);
    auto cancelled = about(RecordState::Abandoned);
    cancelled.reason = "cancelled";
    QVERIFY(decidingMembersOf("action_cancelled.json") == cancelled);
    QVERIFY(decidingMembersOf("action_cancel_requested.json") == about(RecordState::Unknown));
}

void AnswerReaderTest::contractsProblems_areRead()
{
    retry::AnswerBody unknown;
    unknown.actionId = samples::actionId();
    unknown.code = "action-unknown";
    unknown.detail = "No action has this ID.";
    unknown.retry = retry::RetryAdvice::SameKey;
    QVERIFY(decidingMembersOf("action_unknown_404.json") == unknown);
    auto running = about(RecordState::InProgress);
    running.code = "in-progress";
    running.detail = "This action is being worked on.";
    running.retry = retry::RetryAdvice::SameKey;
    QVERIFY(decidingMembersOf("problem_in_progress.json") == running);
    retry::AnswerBody invalid;
    invalid.code = "body-invalid";
    invalid.detail = "`amount.value` is missing.";
    invalid.retry = retry::RetryAdvice::Never;
    QVERIFY(decidingMembersOf("problem_member_invalid.json") == invalid);
}

void AnswerReaderTest::itsText_isThatOfTheAnswerToThePost_data()
{
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("to a POST") << QByteArray("payment_201.json") << QByteArray("payment_201.json");
    QTest::newRow("to a question") << QByteArray("action_succeeded.json") << QByteArray("payment_201.json");
    QTest::newRow("to a question, nothing kept") << QByteArray("action_expired.json") << QByteArray("action_expired.json");
}

void AnswerReaderTest::itsText_isThatOfTheAnswerToThePost()
{
    QFETCH(const QByteArray, answer);
    QFETCH(const QByteArray, text);
    const auto read = parseAnswer(fixtures::read(answer.constData()));
    QVERIFY(read.has_value());
    QCOMPARE(QJsonDocument::fromJson(QByteArray::fromStdString(read->json)),
             QJsonDocument::fromJson(QByteArray::fromStdString(fixtures::read(text.constData()))));
}

void AnswerReaderTest::problemOfAnotherServer_isReadByItsCode()
{
    const auto answer = parseAnswer(R"({"code":"teapot","unknown":[1,{"x":null}]})");
    QVERIFY(answer.has_value());
    QVERIFY(answer->code == "teapot");
}

void AnswerReaderTest::answerWithAWrongMember_provesNothing_data()
{
    QTest::addColumn<QByteArray>("fixture");
    QTest::addColumn<QByteArray>("piece");
    QTest::addColumn<QByteArray>("other");
    const auto add = [](const char* fixture, const char* piece, const char* other) {
        QTest::addRow("%s: %s -> %s", fixture, piece, other) << QByteArray(fixture) << QByteArray(piece) << QByteArray(other);
    };
    add("payment_201.json", "\"0198c0de-7a11-7c3e-9f00-6b1f0a2c4d5e\"", "\"0198c0de\"");
    add("payment_201.json", "\"0198c0de-7a11-7c3e-9f00-6b1f0a2c4d5e\"", "null");
    add("payment_201.json", "\"succeeded\"", "\"done\"");
    add("payment_201.json", "\"succeeded\"", "true");
    add("payment_201.json", "4200", "4200.0");
    add("payment_201.json", "4200", "\"4200\"");
    add("payment_201.json", "EUR", "XXX");
    add("payment_201.json", "\"ch_81ff\"", "81");
    add("payment_201.json", "\"1001\"", "1001");
    add("payment_201.json", "\"payment\":{", R"("payment":[],"other":{)");
    add("payment_201.json", "\"order\":{", R"("order":null,"other":{)");
    add("payment_201.json", "\"state\"", R"("state":"failed","state")");
    add("payment_201.json", "}", "");
    add("payment_402.json", "\"card-declined\"", "402");
    add("payment_402.json", "\"insufficient_funds\"", "{}");
    add("payment_402.json", R"("detail":")", R"("detail":[],"x":")");
    add("action_cart_taken.json", R"("reason":"cart-taken")", "\"reason\":1");
    add("action_cart_taken.json", R"("held_by":")", R"("held_by":[],"x":")");
    add("action_succeeded.json", "\"result\":{", R"("result":201,"other":{)");
    add("action_succeeded.json", "\"body\":{", R"("body":"","other":{)");
    add("action_succeeded.json", "4200", "0");
    // The stored answer inside is about another action.
    add("action_succeeded.json", R"("body":{"action_id":"0198c0de-7a11)", R"("body":{"action_id":"0198c0de-7a12)");
    add("action_succeeded.json", R"("body":{"action_id":"0198c0de-7a11)", R"("body":{"action_id":"x)");
    // The stored answer inside says another end.
    add("action_succeeded.json", R"("state":"succeeded","result")", R"("state":"failed","result")");
    add("action_failed.json", R"("state":"failed","result")", R"("state":"succeeded","result")");
}

void AnswerReaderTest::answerWithAWrongMember_provesNothing()
{
    QFETCH(QByteArray, fixture);
    QFETCH(QByteArray, piece);
    QFETCH(QByteArray, other);
    auto body = QByteArray::fromStdString(fixtures::read(fixture));
    QVERIFY(body.contains(piece));
    QVERIFY(!parseAnswer(body.replace(piece, other).toStdString()));
}

void AnswerReaderTest::answerAboutNothing_provesNothing_data()
{
    QTest::addColumn<QByteArray>("body");
    for (const char* body :
         {"", "null", "[]", "\"paid\"", "{}", R"({"state":"succeeded"})", R"({"message":"ok"})", "<html>", R"({"code":""})"})
        QTest::addRow("'%s'", body) << QByteArray(body);
}

void AnswerReaderTest::answerAboutNothing_provesNothing()
{
    QFETCH(QByteArray, body);
    QVERIFY(!parseAnswer(body.toStdString()));
}

QTEST_APPLESS_MAIN(AnswerReaderTest)
#include "tst_answer_reader.moc"
