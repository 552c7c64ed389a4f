// What a judged client is told: which of its requests belong together, and what it did wrong with them.
#include "client_story.h"

#include <QtTest/QTest>

#include <algorithm>

using namespace payonce::console;
using namespace std::chrono_literals;
using payonce::tests::Story;

namespace {

QByteArray bytes(const std::string& text)
{
    return QByteArray::fromStdString(text);
}

using Codes = QList<VerdictCode>;

Codes codesOf(const PurchaseVerdict& verdict)
{
    Codes codes;
    for (const auto& finding : verdict.findings)
        codes.append(finding.code);
    return codes;
}

} // namespace

Q_DECLARE_METATYPE(Story)

namespace {

void row(const char* name, const Story& story, const Codes& codes)
{
    QTest::newRow(name) << story << codes;
}

void addClientsThatDoRight()
{
    row("paid at once", Story().post(0, "a").told(9, 201, Said::Charged).charged("ch", "a"), {});
    row("declined", Story().post(0, "a").told(9, 402, Said::NotCharged), {});
    row("same key again", Story().post(0, "a").lost(9).post(20, "a").told(30, 201, Said::Charged).charged("ch", "a"), {});
    row("asked instead", Story().post(0, "a").lost(9).look(20, "a").told(30, 200, Said::Charged).charged("ch", "a"), {});
    row("found among the orders",
        Story().post(0, "a").lost(9).look(20, "").told(30, 200, Said::Nothing).tellsOrderOf("a").charged("ch", "a"), {});
    row("another card after a decline",
        Story().post(0, "a").told(9, 402, Said::NotCharged).post(20, "b").told(30, 201, Said::Charged).charged("ch", "b"), {});
    row("a mended request under another key",
        Story().post(0, "a").told(9, 422, Said::Refused).post(20, "b").told(30, 201, Said::Charged).charged("ch", "b"), {});
    row("fresh key once it was told abandoned",
        Story()
            .post(0, "a")
            .lost(9)
            .look(20, "a")
            .told(25, 200, Said::NotCharged)
            .post(30, "b")
            .told(40, 201, Said::Charged)
            .charged("ch", "b"),
        {});
    row("two keys at the same moment",
        Story().post(0, "b").told(30, 201, Said::Charged).post(5, "a").told(9, 409, Said::NotCharged).charged("ch", "b"), {});
}

void addClientsThatGiveUpOrTakeFreshKeys()
{
    row("gave up", Story().post(0, "a").lost(9).charged("ch", "a"), {VerdictCode::GaveUpThoughCharged});
    row("left, and gave up", Story().post(0, "a").left(9).charged("ch", "a"), {VerdictCode::GaveUpThoughCharged});
    row("gave up after a look that did not know",
        Story().post(0, "a").lost(9).look(20, "a").told(30, 200, Said::Nothing).charged("ch", "a"),
        {VerdictCode::GaveUpThoughCharged});
    row("a cut answer tells nothing", Story().post(0, "a").told(9, 500, Said::Nothing).charged("ch", "a"),
        {VerdictCode::GaveUpThoughCharged});
    row("gave up, and nothing was charged", Story().post(0, "a").lost(9), {});

    row("fresh key after a lost reply",
        Story().post(0, "a").lost(9).post(20, "b").told(30, 409, Said::NotCharged).charged("ch", "a"),
        {VerdictCode::FreshKeyOnRetry, VerdictCode::GaveUpThoughCharged});
    row("fresh key after an error",
        Story().post(0, "a").told(9, 500, Said::Nothing).post(20, "b").told(30, 201, Said::Charged).charged("ch", "b"),
        {VerdictCode::FreshKeyOnRetry});
    row("fresh key after the client had left",
        Story()
            .post(0, "a")
            .left(9)
            .post(20, "b")
            .told(30, 409, Said::NotCharged)
            .post(40, "a")
            .told(50, 201, Said::Charged)
            .charged("ch", "a"),
        {VerdictCode::FreshKeyOnRetry});
    row("fresh key although the answer was silence",
        Story().post(0, "a").silent(9).post(20, "b").told(30, 201, Said::Charged).charged("ch", "b"),
        {VerdictCode::FreshKeyOnRetry});
}

void addDoubleChargesAndAttempts()
{
    row("same key charged twice",
        Story()
            .post(0, "a")
            .naive("n1")
            .lost(9)
            .post(20, "a")
            .naive("n2")
            .told(30, 201, Said::Charged)
            .charged("c1", "n1")
            .charged("c2", "n2"),
        {VerdictCode::ChargedTwice});
    row("no key, charged twice",
        Story()
            .post(0, "")
            .naive("n1")
            .lost(9)
            .post(20, "")
            .naive("n2")
            .told(30, 201, Said::Charged)
            .charged("c1", "n1")
            .charged("c2", "n2"),
        {VerdictCode::ChargedTwice});
    row("fresh key and fresh cart",
        Story()
            .post(0, "a", "cart_1")
            .lost(9)
            .post(20, "b", "cart_2")
            .told(30, 201, Said::Charged)
            .charged("c1", "a")
            .charged("c2", "b"),
        {VerdictCode::ChargedTwice, VerdictCode::FreshKeyOnRetry});

    row("one attempt twice",
        Story().post(0, "a", "c", "1").lost(9).post(20, "a", "c", "1").told(30, 201, Said::Charged).charged("ch", "a"),
        {VerdictCode::ResentBelowApplication});
    row("two attempts",
        Story().post(0, "a", "c", "1").lost(9).post(20, "a", "c", "2").told(30, 201, Said::Charged).charged("ch", "a"), {});
}

void addClientsThatShouldWait()
{
    row("too soon",
        Story()
            .post(0, "a")
            .told(9, 503, Said::Nothing)
            .retryAfter(1s)
            .post(800, "a")
            .told(850, 201, Said::Charged)
            .charged("ch", "a"),
        {VerdictCode::IgnoredRetryAfter});
    row("nearly in time",
        Story()
            .post(0, "a")
            .told(9, 503, Said::Nothing)
            .retryAfter(1s)
            .post(950, "a")
            .told(990, 201, Said::Charged)
            .charged("ch", "a"),
        {});
    row("a look need not wait for it",
        Story()
            .post(0, "a")
            .told(9, 409, Said::Nothing)
            .retryAfter(1s)
            .look(20, "a")
            .told(30, 200, Said::Charged)
            .charged("ch", "a"),
        {});
    row("looks too soon",
        Story()
            .post(0, "a")
            .lost(9)
            .look(20, "a")
            .told(30, 503, Said::Nothing)
            .retryAfter(2s)
            .look(40, "a")
            .told(50, 200, Said::Charged)
            .charged("ch", "a"),
        {VerdictCode::IgnoredRetryAfter});
}

} // namespace

class ClientVerdictTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void story_hasItsFindings_data();
    void story_hasItsFindings();
    void worstFinding_isTheCode();
    void secondCharge_namesRequestsKeysAndCharges();
    void freshKey_namesBothRequests();
    void unknownAttempts_areNotedAndNotHeldAgainstTheClient();
    void unreadBody_isDescribedByALaterOneOrNoted();
    void severalKeysInPeace_areANote();
    void otherBuyerOrReturningClient_isAnotherPurchase();
    void twoAccounts_areTwoPurchases();
};

void ClientVerdictTest::story_hasItsFindings_data()
{
    QTest::addColumn<Story>("story");
    QTest::addColumn<Codes>("codes");
    addClientsThatDoRight();
    addClientsThatGiveUpOrTakeFreshKeys();
    addDoubleChargesAndAttempts();
    addClientsThatShouldWait();
}

void ClientVerdictTest::story_hasItsFindings()
{
    QFETCH(Story, story);
    QFETCH(Codes, codes);
    const auto verdicts = story.verdicts();
    QCOMPARE(verdicts.size(), std::size_t(1));
    QCOMPARE(codesOf(verdicts.front()), codes);
    for (const auto& finding : verdicts.front().findings)
        QVERIFY(!finding.requests.empty() && bytes(finding.words).contains("request"));
}

void ClientVerdictTest::worstFinding_isTheCode()
{
    QCOMPARE(Story().post(0, "a").lost(9).verdicts().front().code, VerdictCode::NotCharged);
    QCOMPARE(Story().post(0, "a").told(9, 201, Said::Charged).charged("ch", "a").verdicts().front().code,
             VerdictCode::ChargedOnce);
    const auto worse = Story().post(0, "a").lost(9).post(20, "b").told(30, 409, Said::NotCharged).charged("ch", "a").verdicts();
    QCOMPARE(worse.front().code, VerdictCode::FreshKeyOnRetry);
    QVERIFY(judgeClient({}, {}).empty());
}

void ClientVerdictTest::secondCharge_namesRequestsKeysAndCharges()
{
    const auto verdicts = Story()
                              .post(0, "a", "cart_1")
                              .lost(9)
                              .post(20, "b", "cart_2")
                              .told(30, 201, Said::Charged)
                              .charged("c1", "a")
                              .charged("c2", "b")
                              .verdicts();
    const auto& finding = verdicts.front().findings.front();
    QCOMPARE(bytes(finding.words),
             QByteArray("The bank charged this purchase 2 times: by request 1 (key \"a\", charge c1) and request "
                        "2 (key \"b\", charge c2)."));
    const std::vector<std::uint64_t> requests{1, 2};
    QCOMPARE(finding.requests, requests);
}

void ClientVerdictTest::freshKey_namesBothRequests()
{
    const auto verdicts =
        Story().post(0, "a").lost(9).post(20, "b").told(30, 409, Said::NotCharged).charged("ch", "a").verdicts();
    const auto& finding = verdicts.front().findings.front();
    QCOMPARE(bytes(finding.words),
             QByteArray(
                 "The client sent the payment again under a fresh key: request 2 (key \"b\"), while it could not know what had "
                 "become of request 1 (key \"a\": the connection was lost before the whole answer)."));
}

void ClientVerdictTest::unknownAttempts_areNotedAndNotHeldAgainstTheClient()
{
    const auto bare = Story().post(0, "a").lost(9).post(11, "a").told(30, 201, Said::Charged).charged("ch", "a").verdicts();
    QCOMPARE(bare.front().notes.size(), std::size_t(1));
    QVERIFY(bytes(bare.front().notes.front()).contains("Request 2 came 2 ms after request 1"));
    const auto told = Story()
                          .post(0, "a", "c", "1")
                          .lost(9)
                          .post(11, "a", "c", "2")
                          .told(30, 201, Said::Charged)
                          .charged("ch", "a")
                          .verdicts();
    QVERIFY(told.front().notes.empty());
}

void ClientVerdictTest::unreadBody_isDescribedByALaterOneOrNoted()
{
    const auto noteOf = [](const PurchaseVerdict& verdict) {
        const auto& notes = verdict.notes;
        return std::count_if(notes.begin(), notes.end(), [](const auto& note) { return bytes(note).startsWith("No body of"); });
    };
    const auto again = Story().post(0, "a").headOnly().lost(9).post(20, "a").told(30, 201, Said::Charged);
    const auto same = again.verdicts();
    QCOMPARE(same.size(), std::size_t(1));
    QCOMPARE(bytes(same.front().purchase.described().cartId), QByteArray("cart_1"));
    QCOMPARE(noteOf(same.front()), 0);

    // Whether it is the same payment nobody can tell
    const auto fresh = Story().post(0, "a").headOnly().lost(9).post(20, "b").told(30, 201, Said::Charged);
    const auto other = fresh.verdicts();
    QCOMPARE(other.size(), std::size_t(2));
    QVERIFY(other.front().findings.empty());
    QCOMPARE(noteOf(other.front()), 1);
    QCOMPARE(other.front().purchase.described().number, std::uint64_t(1));
    QCOMPARE(noteOf(other.back()), 0);
}

void ClientVerdictTest::severalKeysInPeace_areANote()
{
    const auto verdicts = Story()
                              .post(0, "a")
                              .told(9, 402, Said::NotCharged)
                              .post(20, "b")
                              .told(30, 201, Said::Charged)
                              .charged("ch", "b")
                              .verdicts();
    QCOMPARE(verdicts.front().code, VerdictCode::ChargedOnce);
    QVERIFY(bytes(verdicts.front().notes.front()).contains("2 keys"));
}

void ClientVerdictTest::otherBuyerOrReturningClient_isAnotherPurchase()
{
    const auto first = [] { return Story().post(0, "a", "cart_1").lost(9); };
    QCOMPARE(first().post(20, "b", "cart_2").email("b@example.com").told(30, 201, Said::Charged).verdicts().size(),
             std::size_t(2));
    // The shop takes an address however it is spelled.
    QCOMPARE(first().post(20, "b", "cart_2").email("A@Example.com").told(30, 201, Said::Charged).verdicts().size(),
             std::size_t(1));
    // It asks about the first afterwards: it has not forgotten it, so the second is no retry of it.
    QCOMPARE(first()
                 .post(20, "b", "cart_2")
                 .told(30, 201, Said::Charged)
                 .look(40, "a")
                 .told(50, 200, Said::Charged)
                 .verdicts()
                 .size(),
             std::size_t(2));
    // The first was told: buying the same again is no retry.
    QCOMPARE(Story()
                 .post(0, "a", "cart_1")
                 .told(9, 201, Said::Charged)
                 .post(20, "b", "cart_2")
                 .told(30, 201, Said::Charged)
                 .verdicts()
                 .size(),
             std::size_t(2));
}

void ClientVerdictTest::twoAccounts_areTwoPurchases()
{
    const auto story = Story().post(0, "a").told(9, 201, Said::Charged).charged("c1", "a").charged("c2", "a", "acct_2");
    QCOMPARE(story.verdicts().front().code, VerdictCode::ChargedOnce);
    const auto unsettled = Story().post(0, "a").told(9, 201, Said::Charged).charged("c1", "a").charged("c2", "a", "");
    QCOMPARE(unsettled.verdicts().front().code, VerdictCode::ChargedTwice);
}

QTEST_APPLESS_MAIN(ClientVerdictTest)
#include "tst_client_verdict.moc"
