// Sign-ups that are refused: other content, abandoned, late, malformed, too old.
#include "shop_test.h"

#include <QtTest/QTest>

using namespace payonce;
using namespace std::chrono_literals;
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

class TestSignUpRefusals : public shop::ShopTest
{
    Q_OBJECT

private Q_SLOTS:
    void otherContent_isRefusedAndTheFirstStands();
    void keyOfAPayment_isRefusedForASignUp();
    void keyOfASignUp_isRefusedForAPayment();
    void abandonedBeforeItCame_lateCopyMakesNoAccount();
    void abandonOfADoneSignUp_tellsItsResult();
    void lateSignUp_isClosedForEver();
    void refusedForm_isNotRemembered_data();
    void refusedForm_isNotRemembered();
    void signUpWithoutKeyOrToken_isRefused();
    void answerIsDroppedAfterSevenDays_theRecordStays();
    void purgedSignUp_isTooOldForEveryVerb();

private:
    void purgeAfter(std::chrono::milliseconds time)
    {
        m_bench->letTimePass(time);
        m_bench->shop().purger().run();
    }
};

void TestSignUpRefusals::otherContent_isRefusedAndTheFirstStands()
{
    QCOMPARE(ShopBench::answerOf(m_bench->signUp(m_id)).status, 201);
    const HttpAnswer refused = ShopBench::answerOf(m_bench->signUp(m_id, "b@example.com"));
    QCOMPARE(refused.status, 422);
    QCOMPARE(text(refused, "code"), QStringLiteral("key-reused"));
    QVERIFY(!refused.body.contains("acc_") && !refused.body.contains("a@example.com"));
    QCOMPARE(m_bench->accounts(), kOneAccount);
    QCOMPARE(m_bench->mails(), kOneWelcome);

    const QByteArray respelled = ShopBench::signUpBodyFor("a@example.com").replace(R"({"email")", R"({ "email")");
    const auto same = m_bench->send("POST", "/v1/accounts", ShopBench::keyOf(m_id), respelled);
    QCOMPARE(ShopBench::answerOf(same).status, 201);
}

// The same key elsewhere is a mismatch, never a second execution.
void TestSignUpRefusals::keyOfAPayment_isRefusedForASignUp()
{
    m_bench->bank().shut();
    const auto running = m_bench->pay(m_id, m_bench->newPayment());
    QTRY_COMPARE(m_bench->bank().waitingCount(), std::size_t{1});
    QCOMPARE(text(ShopBench::answerOf(m_bench->signUp(m_id)), "code"), QStringLiteral("key-reused")); // while it runs
    m_bench->bank().open();
    QCOMPARE(ShopBench::answerOf(running).status, 201);
    QCOMPARE(ShopBench::answerOf(m_bench->signUp(m_id)).status, 422); // and when it has ended
    QVERIFY(m_bench->accounts().isEmpty());
}

void TestSignUpRefusals::keyOfASignUp_isRefusedForAPayment()
{
    QCOMPARE(ShopBench::answerOf(m_bench->signUp(m_id)).status, 201);
    const HttpAnswer refused = ShopBench::answerOf(m_bench->pay(m_id, m_bench->newPayment()));
    QCOMPARE(refused.status, 422);
    QCOMPARE(text(refused, "code"), QStringLiteral("key-reused"));
    QVERIFY(m_bench->charges().empty());
}

void TestSignUpRefusals::abandonedBeforeItCame_lateCopyMakesNoAccount()
{
    const HttpAnswer told = m_bench->ask(m_id, "/abandon?kind=account");
    QCOMPARE(told.status, 200);
    QCOMPARE(told.body, R"({"action_id":")" + textOf(m_id) + R"(","state":"abandoned","reason":"cancelled"})");
    for (const char* email : {"a@example.com", "b@example.com"}) {
        const HttpAnswer late = ShopBench::answerOf(m_bench->signUp(m_id, email));
        QCOMPARE(late.status, 410);
        QCOMPARE(text(late, "code"), QStringLiteral("action-abandoned"));
        QCOMPARE(text(late, "retry"), QStringLiteral("new-key"));
        QVERIFY(!text(late, "detail").contains(QLatin1String("charged")));
    }
    QCOMPARE(m_bench->bank().fenceCount(), 0);
    QVERIFY(m_bench->accounts().isEmpty() && m_bench->mails().isEmpty());
    QCOMPARE(ShopBench::answerOf(m_bench->signUp(ShopBench::newAction())).status, 201); // the address is free
}

void TestSignUpRefusals::abandonOfADoneSignUp_tellsItsResult()
{
    const HttpAnswer made = ShopBench::answerOf(m_bench->signUp(m_id));
    const HttpAnswer told = m_bench->ask(m_id, "/abandon?kind=account");
    QCOMPARE(told.status, 200);
    QCOMPARE(text(told, "state"), QStringLiteral("succeeded"));
    QVERIFY(told.body.contains(made.body));
    QCOMPARE(m_bench->bank().fenceCount(), 0);
    QCOMPARE(m_bench->accounts(), kOneAccount);
}

void TestSignUpRefusals::lateSignUp_isClosedForEver()
{
    m_bench->letTimePass(11min);
    const HttpAnswer late = ShopBench::answerOf(m_bench->signUp(m_id));
    QCOMPARE(late.status, 410);
    QCOMPARE(text(late, "code"), QStringLiteral("action-expired"));
    m_bench->moveWallClock(-11min);
    QCOMPARE(text(ShopBench::answerOf(m_bench->signUp(m_id)), "code"), QStringLiteral("action-expired"));
    QCOMPARE(text(m_bench->ask(m_id), "reason"), QStringLiteral("expired"));
    QVERIFY(m_bench->accounts().isEmpty() && m_bench->mails().isEmpty());
}

void TestSignUpRefusals::refusedForm_isNotRemembered_data()
{
    QTest::addColumn<QByteArray>("piece");
    QTest::addColumn<QByteArray>("other");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("named");
    QTest::newRow("e-mail") << QByteArray("a@example.com") << QByteArray("a at example.com") << 422
                            << QStringLiteral("`email`");
    QTest::newRow("name") << QByteArray(R"("A")") << QByteArray(R"("")") << 422 << QStringLiteral("`name`");
    QTest::newRow("too far ahead") << QByteArray(R"("valid_until":"2)") << QByteArray(R"("valid_until":"3)") << 422
                                   << QStringLiteral("valid_until");
    QTest::newRow("doubled") << QByteArray(R"("name")") << QByteArray(R"("email")") << 400 << QStringLiteral("I-JSON");
}

void TestSignUpRefusals::refusedForm_isNotRemembered()
{
    QFETCH(const QByteArray, piece);
    QFETCH(const QByteArray, other);
    QFETCH(const int, status);
    QFETCH(const QString, named);
    QByteArray body = ShopBench::signUpBodyFor("a@example.com");
    QVERIFY(body.contains(piece));
    const HttpAnswer refused =
        ShopBench::answerOf(m_bench->send("POST", "/v1/accounts", ShopBench::keyOf(m_id), body.replace(piece, other)));
    QCOMPARE(refused.status, status);
    QCOMPARE(text(refused, "code"), QStringLiteral("body-invalid"));
    QVERIFY2(text(refused, "detail").contains(named), refused.body.constData());
    QCOMPARE(refused.header("Action-Id"), '"' + textOf(m_id) + '"');
    QCOMPARE(m_bench->ask(m_id).status, 404);
    QCOMPARE(ShopBench::answerOf(m_bench->signUp(m_id)).status, 201);
}

void TestSignUpRefusals::signUpWithoutKeyOrToken_isRefused()
{
    const QByteArray body = ShopBench::signUpBodyFor("a@example.com");
    const HttpAnswer keyless = ShopBench::answerOf(m_bench->send("POST", "/v1/accounts", {}, body));
    QCOMPARE(keyless.status, 400);
    QCOMPARE(text(keyless, "code"), QStringLiteral("key-missing"));
    QCOMPARE(ShopBench::answerOf(m_bench->signUp(m_id, "a@example.com", "nobody")).status, 401);
    QVERIFY(m_bench->accounts().isEmpty());
}

void TestSignUpRefusals::answerIsDroppedAfterSevenDays_theRecordStays()
{
    QCOMPARE(ShopBench::answerOf(m_bench->signUp(m_id)).status, 201);
    purgeAfter(7 * 24h + 1h);
    QTRY_COMPARE(ShopBench::answerOf(m_bench->signUp(m_id)).status, 410);
    const HttpAnswer late = ShopBench::answerOf(m_bench->signUp(m_id));
    QCOMPARE(text(late, "code"), QStringLiteral("answer-expired"));
    QCOMPARE(text(late, "state"), QStringLiteral("succeeded"));
    const HttpAnswer looked = m_bench->ask(m_id);
    QCOMPARE(looked.body, R"({"action_id":")" + textOf(m_id) + R"(","kind":"account","state":"succeeded"})");
    QCOMPARE(m_bench->accounts(), kOneAccount);
}

void TestSignUpRefusals::purgedSignUp_isTooOldForEveryVerb()
{
    QCOMPARE(ShopBench::answerOf(m_bench->signUp(m_id)).status, 201);
    purgeAfter(31 * 24h);
    QTRY_VERIFY(m_bench->view().records.empty());
    for (const char* rest : {"", "?kind=account", "/abandon", "/abandon?kind=account"}) {
        const HttpAnswer told = m_bench->ask(m_id, rest);
        QCOMPARE(told.status, 410);
        QCOMPARE(text(told, "code"), QStringLiteral("key-too-old"));
    }
    const HttpAnswer late = ShopBench::answerOf(m_bench->signUp(m_id));
    QCOMPARE(late.status, 410);
    QCOMPARE(text(late, "code"), QStringLiteral("key-too-old"));
    QCOMPARE(text(late, "retry"), QStringLiteral("never"));
    QCOMPARE(m_bench->accounts(), kOneAccount);
    QCOMPARE(m_bench->mails(), kOneWelcome);
}

QTEST_GUILESS_MAIN(TestSignUpRefusals)
#include "tst_sign_up_refusals.moc"
