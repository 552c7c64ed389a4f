// Every status there is and some that there are not: what it means from the shop itself, and that it means nothing from
// anybody else (docs/client.md, From answer to state).
#include "core/retry/wire_results.h"
#include "retry/outcome.h"

#include <QtCore/QRegularExpression>
#include <QtTest/QTest>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

using namespace payonce::retry;
using namespace payonce::retry_tests;
using payonce::values::RecordState;

Q_DECLARE_METATYPE(payonce::retry::OutcomeKind)

namespace {

/// Codes and the one status where they decide something.
const std::multimap<int, std::string> kKnownCodes = {
    {402, "card-declined"},     {404, "action-unknown"}, {409, "in-progress"},      {409, "outcome-unknown"},
    {409, "cart-taken"},        {410, "action-expired"}, {410, "key-too-old"},      {410, "answer-expired"},
    {422, "key-reused"},        {429, "rate-limited"},   {410, "action-abandoned"}, {422, "body-invalid"},
    {503, "store-unavailable"},
};

bool decidesUnder(int status, const std::string& code)
{
    const auto [begin, end] = kKnownCodes.equal_range(status);
    return std::any_of(begin, end, [&code](const auto& known) { return known.second == code; });
}

/// What a POST is told by the status alone, in an authentic answer whose code says nothing.
OutcomeKind meaningToAPost(int status)
{
    static const std::map<int, OutcomeKind> kOfTheirOwn = {
        {401, OutcomeKind::SignInNeeded}, {403, OutcomeKind::SignInNeeded}, {408, OutcomeKind::TryAgain},
        {421, OutcomeKind::TryAgain},     {425, OutcomeKind::TryAgain},     {429, OutcomeKind::Wait},
        {501, OutcomeKind::Refused},      {505, OutcomeKind::Refused},
    };
    const auto own = kOfTheirOwn.find(status);
    if (own != kOfTheirOwn.end())
        return own->second;
    return status >= 400 && status <= 499 ? OutcomeKind::Refused : OutcomeKind::Unknown;
}

/// A probe reads: what refuses it says nothing about the payment.
OutcomeKind meaningToAProbe(int status)
{
    const OutcomeKind kind = meaningToAPost(status);
    return kind == OutcomeKind::SignInNeeded || kind == OutcomeKind::Wait ? kind : OutcomeKind::Unknown;
}

/// An authentic answer, spoiled in one way each.
std::vector<std::pair<const char*, WireResult>> spoiled(const WireResult& authentic)
{
    std::vector<std::pair<const char*, WireResult>> all;
    const auto add = [&](const char* name, auto spoil) {
        WireResult result = authentic;
        spoil(result);
        all.emplace_back(name, result);
    };
    add("wrong length", [](WireResult& result) { result.complete = false; });
    add("no digest, or a wrong one", [](WireResult& result) { result.digestMatches = false; });
    add("Content-Encoding", [](WireResult& result) { result.encoded = true; });
    add("HTML", [](WireResult& result) { result.body.reset(); });
    add("another action", [](WireResult& result) { result.body->actionId = anotherId(); });
    add("no action", [](WireResult& result) { result.body->actionId.reset(); });
    add("connection cut", [](WireResult& result) { result.error = TransportError::RemoteClosed; });
    return all;
}

/// Bodies that would decide something under the right status.
std::vector<WireResult> decidingAnswers(int status)
{
    std::vector<WireResult> all = {paid(), found(RecordState::Failed), found(RecordState::Abandoned)};
    for (const auto& [own, code] : kKnownCodes)
        all.push_back(problem(own, code));
    for (WireResult& result : all)
        result.status = status;
    return all;
}

WireResult withoutBytes(WireResult result)
{
    result.bytesTaken = 0;
    return result;
}

} // namespace

class TestRetryStatusTable : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void statusFromTheShop_hasItsMeaning_data() { addStatuses(); }
    void statusFromTheShop_hasItsMeaning();
    void statusFromAnybodyElse_provesNothing_data() { addStatuses(); }
    void statusFromAnybodyElse_provesNothing();
    void codeUnderAForeignStatus_meansNoMoreThanTheStatus_data() { addStatuses(); }
    void codeUnderAForeignStatus_meansNoMoreThanTheStatus();
    void paidBodyUnderAForeignStatus_isNotPaid_data() { addStatuses(); }
    void paidBodyUnderAForeignStatus_isNotPaid();

private:
    static void addStatuses();
};

void TestRetryStatusTable::addStatuses()
{
    QTest::addColumn<int>("status");

    for (const int odd : {-1, 0, 1, 99, 600, 999, 1000})
        QTest::addRow("%d", odd) << odd;
    for (int status = 100; status <= 599; ++status)
        QTest::addRow("%d", status) << status;
}

void TestRetryStatusTable::statusFromTheShop_hasItsMeaning()
{
    QFETCH(const int, status);
    const WireResult result = problem(status, "never-heard-of");

    QCOMPARE(classifyPost(result, anId(), anAmount()).kind, meaningToAPost(status));
    QCOMPARE(classifyProbe(result, anId(), anAmount()).kind, meaningToAProbe(status));
    // An early refusal: the shop answered before it had read the body.
    QCOMPARE(classifyPost(withoutBytes(result), anId(), anAmount()).kind, meaningToAPost(status));
}

void TestRetryStatusTable::statusFromAnybodyElse_provesNothing()
{
    QFETCH(const int, status);
    for (const WireResult& authentic : decidingAnswers(status)) {
        for (const auto& [name, result] : spoiled(authentic)) {
            QVERIFY2(classifyPost(result, anId(), anAmount()).kind == OutcomeKind::Unknown, name);
            QVERIFY2(classifyProbe(result, anId(), anAmount()).kind == OutcomeKind::Unknown, name);
            QVERIFY2(classifyPost(withoutBytes(result), anId(), anAmount()).kind == OutcomeKind::NotSent, name);
            QVERIFY2(classifyProbe(withoutBytes(result), anId(), anAmount()).kind == OutcomeKind::Unknown, name);
        }
    }
}

void TestRetryStatusTable::codeUnderAForeignStatus_meansNoMoreThanTheStatus()
{
    QFETCH(const int, status);
    for (const auto& [own, code] : kKnownCodes) {
        if (decidesUnder(status, code))
            continue;
        const WireResult result = problem(status, code);
        QVERIFY2(classifyPost(result, anId(), anAmount()).kind == meaningToAPost(status), code.c_str());
        QVERIFY2(classifyProbe(result, anId(), anAmount()).kind == meaningToAProbe(status), code.c_str());
    }
}

void TestRetryStatusTable::paidBodyUnderAForeignStatus_isNotPaid()
{
    QFETCH(const int, status);
    WireResult result = paid();
    result.status = status;

    const bool endsAPost = status == 200 || status == 201;
    QCOMPARE(classifyPost(result, anId(), anAmount()).kind == OutcomeKind::Final, endsAPost);
    QCOMPARE(classifyProbe(result, anId(), anAmount()).kind == OutcomeKind::Final, status == 200);
}

QTEST_APPLESS_MAIN(TestRetryStatusTable)
#include "tst_retry_status_table.moc"
