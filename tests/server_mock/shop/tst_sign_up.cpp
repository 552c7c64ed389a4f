// Sign-up over HTTP: one account and one welcome mail, whatever is repeated, lost or sent at the same time.
#include "shop_test.h"

#include <QtTest/QTest>

using namespace payonce;
using namespace std::chrono_literals;
using console::Point;
using shop::ShopBench;
using support::HttpAnswer;

namespace {

const QList<QByteArray> kOneAccount{"a@example.com"};
const QList<QByteArray> kOneWelcome{"welcome a@example.com"};

QByteArray textOf(const values::ActionId& id)
{
    return QByteArray::fromStdString(id.toString());
}

} // namespace

class TestSignUp : public shop::ShopTest
{
    Q_OBJECT

private Q_SLOTS:
    void newAddress_getsItsAccountAndOneWelcome();
    void copies_areReplayedByteForByte();
    void doubleClick_isOneAccountAndOneWelcome();
    void parallelSignUpsOfOneAddress_areOneAccountAndOneWelcome();
    void knownAddress_isAnsweredWithoutItsAccount();
    void otherSpelling_isTheSameAddress();
    void otherAccountsKey_isInvisible();
    void brokenDatabase_isA503AndNothingIsMade();
    void clientThatLeft_findsItsAnswerAgain();
    void signUp_passesItsPoints();
    void signUpUnderWayAtAReset_isToldToNobody();
    void manyOpenPayments_doNotStopASignUp();
};

void TestSignUp::newAddress_getsItsAccountAndOneWelcome()
{
    const HttpAnswer made = ShopBench::answerOf(m_bench->signUp(m_id));
    QCOMPARE(made.status, 201);
    QCOMPARE(made.header("Action-Id"), '"' + textOf(m_id) + '"');
    QCOMPARE(made.header("Content-Type"), QByteArray("application/json"));
    QVERIFY(made.header("Idempotent-Replayed").isEmpty());
    const auto view = m_bench->view();
    QCOMPARE(view.accounts.size(), std::size_t{1});
    QVERIFY(view.accounts.front().id.starts_with("acc_"));
    QCOMPARE(view.accounts.front().actionId, m_id.toString());
    QCOMPARE(view.accounts.front().email, std::string("a@example.com"));
    QCOMPARE(made.body, R"({"action_id":")" + textOf(m_id) + R"(","state":"succeeded","account":{"id":")" +
                            QByteArray::fromStdString(view.accounts.front().id) + R"(","email":"a@example.com"}})");
    QCOMPARE(m_bench->mails(), kOneWelcome);

    const HttpAnswer looked = m_bench->ask(m_id);
    QCOMPARE(looked.status, 200);
    QCOMPARE(text(looked, "kind"), QStringLiteral("account"));
    QCOMPARE(text(looked, "state"), QStringLiteral("succeeded"));
    QVERIFY(looked.body.contains(R"("result":{"status":201,"body":)" + made.body));
    QVERIFY(m_bench->charges().empty() && view.orders.empty());
}

void TestSignUp::copies_areReplayedByteForByte()
{
    const HttpAnswer first = ShopBench::answerOf(m_bench->signUp(m_id));
    for (int copy = 0; copy < 3; ++copy) {
        const HttpAnswer again = ShopBench::answerOf(m_bench->signUp(m_id));
        QCOMPARE(again.status, 201);
        QCOMPARE(again.body, first.body);
        QCOMPARE(again.header("Idempotent-Replayed"), QByteArray("true"));
    }
    QCOMPARE(m_bench->accounts(), kOneAccount);
    QCOMPARE(m_bench->mails(), kOneWelcome);
}

void TestSignUp::doubleClick_isOneAccountAndOneWelcome()
{
    const auto first = m_bench->signUp(m_id);
    const auto second = m_bench->signUp(m_id);
    QCOMPARE(ShopBench::answerOf(first).body, ShopBench::answerOf(second).body);
    QCOMPARE(m_bench->accounts(), kOneAccount);
    QCOMPARE(m_bench->mails(), kOneWelcome);
}

// Different keys, so no record protects: the unique address does.
void TestSignUp::parallelSignUpsOfOneAddress_areOneAccountAndOneWelcome()
{
    constexpr int kCopies = 50;
    std::vector<std::unique_ptr<support::HttpCall>> calls;
    for (int i = 0; i < kCopies; ++i)
        calls.push_back(m_bench->signUp(ShopBench::newAction(), i % 2 == 0 ? "a@example.com" : "A@Example.Com",
                                        i % 3 == 0 ? shop::kOtherToken : shop::kToken));
    int made = 0;
    for (const auto& call : calls) {
        const HttpAnswer answer = ShopBench::answerOf(call);
        QCOMPARE(answer.status, 201);
        QCOMPARE(text(answer, "state"), QStringLiteral("succeeded"));
        const bool isNew = answer.json().contains(QStringLiteral("account"));
        QVERIFY(isNew != answer.json().value(QStringLiteral("existing")).toBool());
        made += isNew ? 1 : 0;
    }
    QCOMPARE(made, 1);
    QCOMPARE(m_bench->accounts().size(), 1);
    QCOMPARE(support::mailsOfKindIn(m_bench->shopFile(), "welcome"), 1);
    QCOMPARE(support::mailsOfKindIn(m_bench->shopFile(), "already_registered"), kCopies - 1);
}

void TestSignUp::knownAddress_isAnsweredWithoutItsAccount()
{
    const HttpAnswer first = ShopBench::answerOf(m_bench->signUp(ShopBench::newAction(), "a@example.com", shop::kOtherToken));
    const HttpAnswer second = ShopBench::answerOf(m_bench->signUp(m_id));
    QCOMPARE(second.status, 201);
    QCOMPARE(second.body, R"({"action_id":")" + textOf(m_id) + R"(","state":"succeeded","existing":true})");
    QVERIFY(!first.body.contains("existing"));
    QCOMPARE(m_bench->accounts(), kOneAccount);
    QCOMPARE(m_bench->mails(), (QList<QByteArray>{"welcome a@example.com", "already_registered a@example.com"}));
    // The second answer is remembered as well, and tells nobody anything twice.
    QCOMPARE(ShopBench::answerOf(m_bench->signUp(m_id)).body, second.body);
    QCOMPARE(m_bench->mails().size(), 2);
}

void TestSignUp::otherSpelling_isTheSameAddress()
{
    const HttpAnswer first = ShopBench::answerOf(m_bench->signUp(ShopBench::newAction(), "Zoe.B@Example.COM"));
    QCOMPARE(first.json().value(QStringLiteral("account")).toObject().value(QStringLiteral("email")).toString(),
             QStringLiteral("Zoe.B@Example.COM"));
    QVERIFY(ShopBench::answerOf(m_bench->signUp(m_id, "zoe.b@example.com")).json().contains(QStringLiteral("existing")));
    QCOMPARE(m_bench->accounts(), QList<QByteArray>{"Zoe.B@Example.COM"});
    QCOMPARE(m_bench->mails().last(), QByteArray("already_registered Zoe.B@Example.COM"));
    QVERIFY(ShopBench::answerOf(m_bench->signUp(ShopBench::newAction(), "zoeb@example.com"))
                .json()
                .contains(QStringLiteral("account")));
}

void TestSignUp::otherAccountsKey_isInvisible()
{
    QCOMPARE(ShopBench::answerOf(m_bench->signUp(m_id)).status, 201);
    QCOMPARE(ShopBench::answerOf(m_bench->look(m_id, {}, shop::kOtherToken)).status, 404);
    const HttpAnswer theirs = ShopBench::answerOf(m_bench->signUp(m_id, "b@example.com", shop::kOtherToken));
    QCOMPARE(theirs.status, 201);
    QVERIFY(theirs.json().contains(QStringLiteral("account")));
    QCOMPARE(m_bench->accounts(), (QList<QByteArray>{"a@example.com", "b@example.com"}));
}

void TestSignUp::brokenDatabase_isA503AndNothingIsMade()
{
    m_bench->letWrites(ShopBench::Writes::Fail); // the record cannot be written, after account and mail were
    const HttpAnswer refused = ShopBench::answerOf(m_bench->signUp(m_id));
    QCOMPARE(refused.status, 503);
    QCOMPARE(text(refused, "code"), QStringLiteral("store-unavailable"));
    QCOMPARE(text(refused, "retry"), QStringLiteral("same-key"));
    QVERIFY(m_bench->accounts().isEmpty() && m_bench->mails().isEmpty());
    m_bench->letWrites(ShopBench::Writes::Work);
    QVERIFY(ShopBench::answerOf(m_bench->signUp(m_id)).json().contains(QStringLiteral("account")));
    QCOMPARE(m_bench->mails(), kOneWelcome);
}

void TestSignUp::clientThatLeft_findsItsAnswerAgain()
{
    m_bench->points().holdAt(Point::ResultSaved);
    const auto call = m_bench->signUp(m_id);
    QTRY_COMPARE(m_bench->points().heldCount(), std::size_t{1});
    call->leave();
    m_bench->points().release();
    QCOMPARE(text(m_bench->ask(m_id), "state"), QStringLiteral("succeeded"));
    const HttpAnswer again = ShopBench::answerOf(m_bench->signUp(m_id));
    QCOMPARE(again.status, 201);
    QCOMPARE(again.header("Idempotent-Replayed"), QByteArray("true"));
    QVERIFY(again.json().contains(QStringLiteral("account"))); // not "existing": it is its own
    QCOMPARE(m_bench->mails(), kOneWelcome);
}

void TestSignUp::signUp_passesItsPoints()
{
    QCOMPARE(ShopBench::answerOf(m_bench->signUp(m_id)).status, 201);
    QCOMPARE(ShopBench::answerOf(m_bench->signUp(m_id)).status, 201); // a replay saves nothing
    QCOMPARE(m_bench->points().lastArrival().operation, console::Operation::SignUp);
    QCOMPARE(m_bench->points().reached(Point::Received), 2);
    QCOMPARE(m_bench->points().reached(Point::ResultSaved), 1);
    for (const Point point : {Point::KeyClaimed, Point::BankBefore, Point::BankCommitted})
        QCOMPARE(m_bench->points().reached(point), 0);
    QCOMPARE(m_bench->points().answered(), 2);
}

void TestSignUp::signUpUnderWayAtAReset_isToldToNobody()
{
    m_bench->points().holdAt(Point::ResultSaved);
    const auto call = m_bench->signUp(m_id);
    QTRY_COMPARE(m_bench->points().heldCount(), std::size_t{1});
    std::optional<bool> isEmptied;
    m_bench->source().reset([&isEmptied](bool well) { isEmptied = well; });
    QTRY_COMPARE(isEmptied, std::optional(true));
    m_bench->points().release();
    QTRY_VERIFY(call->isFinished());
    QVERIFY(!call->answer());
    QVERIFY(m_bench->accounts().isEmpty() && m_bench->mails().isEmpty());
    QVERIFY(m_bench->view().accounts.empty());
}

void TestSignUp::manyOpenPayments_doNotStopASignUp()
{
    idempotency::LedgerNumbers numbers;
    numbers.openRecordsMost = 1;
    m_bench = std::make_unique<ShopBench>(numbers);
    QVERIFY(m_bench->start());
    m_bench->bank().shut();
    const auto open = m_bench->pay(ShopBench::newAction(), m_bench->newPayment());
    QTRY_COMPARE(m_bench->bank().waitingCount(), std::size_t{1});
    QCOMPARE(ShopBench::answerOf(m_bench->signUp(m_id)).status, 201);
}

QTEST_GUILESS_MAIN(TestSignUp)
#include "tst_sign_up.moc"
