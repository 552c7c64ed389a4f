#include "idempotency/problem.h"

#include <QtTest/QTest>

#include <set>

using namespace payonce::idempotency;

class TestProblem : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyCode_hasTheStatusAndAdviceOfTheContract_data();
    void everyCode_hasTheStatusAndAdviceOfTheContract();
    void titles_areDifferentShortPhrases();
};

namespace {

/// Copied by hand from docs/contract.md, "Answers".
struct Line
{
    ProblemCode code;
    const char* name;
    int status;
    const char* retry;
};

constexpr Line kContract[] = {
    {ProblemCode::KeyMissing, "key-missing", 400, "never"},
    {ProblemCode::KeyInvalid, "key-invalid", 400, "never"},
    {ProblemCode::BodyInvalid, "body-invalid", 400, "never"},
    {ProblemCode::MemberInvalid, "body-invalid", 422, "never"},
    {ProblemCode::AmountMismatch, "amount-mismatch", 422, "never"},
    {ProblemCode::KeyReused, "key-reused", 422, "never"},
    {ProblemCode::InProgress, "in-progress", 409, "same-key"},
    {ProblemCode::OutcomeUnknown, "outcome-unknown", 409, "after-check"},
    {ProblemCode::CartTaken, "cart-taken", 409, "new-key"},
    {ProblemCode::ActionAbandoned, "action-abandoned", 410, "new-key"},
    {ProblemCode::ActionExpired, "action-expired", 410, "new-key"},
    {ProblemCode::AnswerExpired, "answer-expired", 410, "never"},
    {ProblemCode::KeyTooOld, "key-too-old", 410, "never"},
    {ProblemCode::CardDeclined, "card-declined", 402, "new-key"},
    {ProblemCode::StoreUnavailable, "store-unavailable", 503, "same-key"},
    {ProblemCode::RateLimited, "rate-limited", 429, "same-key"},
    {ProblemCode::Timeout, "timeout", 408, "same-key"},
    {ProblemCode::ActionUnknown, "action-unknown", 404, "same-key"},
    {ProblemCode::Unsafe, "unsafe", 409, "never"},
    {ProblemCode::Unauthorized, "unauthorized", 401, "never"},
    {ProblemCode::Forbidden, "forbidden", 403, "never"},
    {ProblemCode::NotFound, "not-found", 404, "never"},
    {ProblemCode::MethodNotAllowed, "method-not-allowed", 405, "never"},
    {ProblemCode::LengthRequired, "length-required", 411, "never"},
    {ProblemCode::BodyTooLarge, "body-too-large", 413, "never"},
    {ProblemCode::UnsupportedMediaType, "unsupported-media-type", 415, "never"},
    {ProblemCode::HeaderTooLarge, "header-too-large", 431, "never"},
    {ProblemCode::NotImplemented, "not-implemented", 501, "never"},
};

} // namespace

void TestProblem::everyCode_hasTheStatusAndAdviceOfTheContract_data()
{
    QTest::addColumn<int>("line");
    int line = 0;
    for (const Line& expected : kContract)
        QTest::addRow("%s %d", expected.name, expected.status) << line++;
}

void TestProblem::everyCode_hasTheStatusAndAdviceOfTheContract()
{
    QFETCH(const int, line);
    const Line& expected = kContract[line];
    const ProblemRule& rule = ruleOf(expected.code);
    QCOMPARE(rule.code, expected.code);
    QCOMPARE(rule.name, std::string_view(expected.name));
    QCOMPARE(rule.status, expected.status);
    QCOMPARE(nameOf(rule.retry), std::string_view(expected.retry));
}

void TestProblem::titles_areDifferentShortPhrases()
{
    std::set<std::string_view> titles;
    for (const Line& line : kContract) {
        const std::string_view title = ruleOf(line.code).title;
        QVERIFY(!title.empty() && title.size() <= 60 && title.back() != '.');
        titles.insert(title);
    }
    QCOMPARE(titles.size(), std::size(kContract));
}

QTEST_GUILESS_MAIN(TestProblem)
#include "tst_problem.moc"
