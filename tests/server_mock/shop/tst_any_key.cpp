// A shop that takes keys of any form, for clients that are not ours: the same promises, but such a key tells no time.
#include "shop_test.h"

#include "protocol/fields.h"

#include <QtCore/QJsonArray>
#include <QtTest/QTest>

using namespace payonce;
using namespace std::chrono_literals;
using console::Point;
using protocol::KeyForm;
using shop::Payment;
using shop::ShopBench;
using support::HttpAnswer;

namespace {

values::ActionId keyOf(const QByteArray& key)
{
    return values::ActionId::parseAnyForm(key.toStdString()).value();
}

/// Longer than a record of a UUIDv7 is kept.
constexpr auto kLonger = 31 * 24h;

} // namespace

class TestAnyKey : public shop::ShopTest
{
    Q_OBJECT

public:
    TestAnyKey() : ShopTest({}, KeyForm::Any) {}

private Q_SLOTS:
    void policy_saysWhichKeysAreTaken()
    {
        QCOMPARE(text(ShopBench::answerOf(m_bench->send("GET", "/v1/policy")), "keys"), QStringLiteral("any"));
    }

    void support_findsAKeyAsItIsTypedAndByItsReference_data()
    {
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<QByteArray>("shown");
        QTest::newRow("space") << QByteArray("order 77") << QByteArray("ORDER77");
        QTest::newRow("number sign") << QByteArray("order#99") << QByteArray("ORDER99");
        QTest::newRow("number sign alone") << QByteArray("#") << QByteArray("#");
        QTest::newRow("short") << QByteArray("x") << QByteArray("X");
        QTest::newRow("letters") << QByteArray("ORDER-12345678X") << QByteArray("2345-678X");
        QTest::newRow("many spaces") << QByteArray("a b c d e f g h i") << QByteArray("BCDE-FGHI");
        QTest::newRow("digits") << QByteArray("12345678") << QByteArray("1234-5678");
        QTest::newRow("UUID of another version")
            << QByteArray("919108F7-52D1-4320-9BAC-F847DB4148A8") << QByteArray("DB41-48A8");
    }
    void support_findsAKeyAsItIsTypedAndByItsReference()
    {
        QFETCH(QByteArray, key);
        QFETCH(QByteArray, shown);
        const auto id = keyOf(key);
        QCOMPARE(ShopBench::answerOf(m_bench->pay(id, m_bench->newPayment())).status, 201);
        QCOMPARE(QByteArray::fromStdString(values::reference(id)), shown);
        for (const QByteArray& said : {key, ' ' + key + ' ', shown, shown.toLower(), QByteArray(shown).replace("-", "")}) {
            const auto path = "/v1/support/actions?q=" + said.toPercentEncoding();
            const auto found = ShopBench::answerOf(m_bench->send("GET", path, {}, {}, shop::kSupportToken)).json();
            const auto results = found.value(QStringLiteral("results")).toArray();
            QVERIFY2(results.size() == 1, said);
            QCOMPARE(results.first().toObject().value(QStringLiteral("action_id")).toString().toLatin1(), key);
        }
    }

    void key_hasOneLifeFromPostToReplay_data()
    {
        QTest::addColumn<QByteArray>("field");
        QTest::addColumn<QByteArray>("key");
        QTest::newRow("string") << QByteArray("\"order-1\"") << QByteArray("order-1");
        QTest::newRow("bare") << QByteArray("order-1") << QByteArray("order-1");
        QTest::newRow("bare base64") << QByteArray("abc+/09==") << QByteArray("abc+/09==");
        QTest::newRow("version 4") << QByteArray("919108f7-52d1-4320-9bac-f847db4148a8")
                                   << QByteArray("919108f7-52d1-4320-9bac-f847db4148a8");
        QTest::newRow("comma and space") << QByteArray("\"a, b\"") << QByteArray("a, b");
        QTest::newRow("slash, question mark, per cent")
            << QByteArray("\"/a/abandon?b=%2F#c\"") << QByteArray("/a/abandon?b=%2F#c");
        QTest::newRow("quote and backslash") << QByteArray("\"a\\\"b\\\\c\"") << QByteArray("a\"b\\c");
        QTest::newRow("the longest") << '"' + QByteArray(255, 'k') + '"' << QByteArray(255, 'k');
        QTest::newRow("UUIDv7 in capitals")
            << QByteArray("01936F2E-7C00-7000-8000-00000A2C4D5E") << QByteArray("01936f2e-7c00-7000-8000-00000a2c4d5e");
    }
    void key_hasOneLifeFromPostToReplay()
    {
        QFETCH(QByteArray, field);
        QFETCH(QByteArray, key);
        const Payment payment = m_bench->newPayment();
        const auto post = [&](const QByteArray& line) {
            return ShopBench::answerOf(
                m_bench->send("POST", "/v1/payments", {{"Idempotency-Key", line}}, ShopBench::bodyOf(payment)));
        };

        const HttpAnswer paid = post(field);
        QCOMPARE(paid.status, 201);
        QCOMPARE(text(paid, "action_id").toLatin1(), key);
        const QByteArray echo = paid.header("Action-Id");
        QCOMPARE(echo, QByteArray::fromStdString(protocol::quoted(keyOf(key))));
        const HttpAnswer replay = post(echo);
        QCOMPARE(replay.body, paid.body);
        QCOMPARE(replay.header("Idempotent-Replayed"), QByteArray("true"));
        QCOMPARE(text(ShopBench::answerOf(m_bench->look(keyOf(key))), "state"), QStringLiteral("succeeded"));
        QCOMPARE(text(ShopBench::answerOf(m_bench->abandon(keyOf(key))), "state"), QStringLiteral("succeeded"));
        const auto charges = m_bench->charges();
        QCOMPARE(charges.size(), std::size_t{1});
        QCOMPARE(QByteArray::fromStdString(charges.front().actionId), key);
        QCOMPARE(QByteArray::fromStdString(m_bench->view().orders.front().actionId), key);
    }

    void badKey_isRefused_data()
    {
        QTest::addColumn<QList<QByteArray>>("lines");
        QTest::addColumn<QString>("code");
        QTest::newRow("none") << QList<QByteArray>{} << QStringLiteral("key-missing");
        QTest::newRow("empty") << QList<QByteArray>{"\"\""} << QStringLiteral("key-invalid");
        QTest::newRow("doubled") << QList<QByteArray>{"a", "a"} << QStringLiteral("key-invalid");
        QTest::newRow("comma") << QList<QByteArray>{"a,b"} << QStringLiteral("key-invalid");
        QTest::newRow("parameter") << QList<QByteArray>{"\"a\";b"} << QStringLiteral("key-invalid");
        QTest::newRow("too long") << QList<QByteArray>{QByteArray(256, 'k')} << QStringLiteral("key-invalid");
        QTest::newRow("UUIDv7 of the far future")
            << QList<QByteArray>{"f1936f2e-7c00-7000-8000-00000a2c4d5e"} << QStringLiteral("key-invalid");
    }
    void badKey_isRefused()
    {
        QFETCH(QList<QByteArray>, lines);
        QFETCH(QString, code);
        http::Headers headers;
        for (const QByteArray& line : lines)
            headers.emplaceBack("Idempotency-Key", line);
        const HttpAnswer answer =
            ShopBench::answerOf(m_bench->send("POST", "/v1/payments", headers, ShopBench::bodyOf(m_bench->newPayment())));
        QCOMPARE(answer.status, 400);
        QCOMPARE(text(answer, "code"), code);
        QVERIFY(m_bench->charges().empty());
    }

    void badPath_isRefused_data()
    {
        QTest::addColumn<QByteArray>("id");
        QTest::newRow("not ASCII") << QByteArray("caf%C3%A9");
        QTest::newRow("line end") << QByteArray("a%0Ab");
        QTest::newRow("NUL") << QByteArray("a%00");
        QTest::newRow("too long") << QByteArray("%6B").repeated(256);
    }
    void badPath_isRefused()
    {
        QFETCH(QByteArray, id);
        const HttpAnswer answer = ShopBench::answerOf(m_bench->send("POST", "/v1/actions/" + id + "/abandon"));
        QCOMPARE(answer.status, 400);
        QCOMPARE(text(answer, "code"), QStringLiteral("key-invalid"));
    }

    // The place of the answer names the action in a form that a path can hold.
    void problem_namesItsActionAsAPath()
    {
        const auto id = keyOf("a/b \"c\"");
        const HttpAnswer declined = ShopBench::answerOf(m_bench->pay(id, m_bench->newPayment("4000000000000002")));
        QCOMPARE(declined.status, 402);
        QCOMPARE(text(declined, "instance"), QStringLiteral("/v1/actions/a%2Fb%20%22c%22"));
        const HttpAnswer told = ShopBench::answerOf(m_bench->send("GET", text(declined, "instance").toLatin1()));
        QVERIFY(told.body.contains(declined.body));
    }

    void refusalOfTheHead_echoesTheKeyToo()
    {
        const HttpAnswer tooLarge = ShopBench::answerOf(
            m_bench->send("POST", "/v1/payments", {{"Idempotency-Key", "order-1"}}, QByteArray(300 * 1024, ' ')));
        QCOMPARE(tooLarge.status, 413);
        QCOMPARE(tooLarge.header("Action-Id"), QByteArray("\"order-1\""));
        const HttpAnswer nowhere = ShopBench::answerOf(m_bench->send("POST", "/v1/no", {{"Idempotency-Key", "order-1"}}));
        QCOMPARE(nowhere.header("Action-Id"), QByteArray("\"order-1\""));
    }

    // The record is all that protects such a key, so it stays, and an unused key is never "too old".
    void recordOfAnotherForm_isNeverPurged()
    {
        const auto used = keyOf("order-1");
        const auto uuid = ShopBench::newAction();
        const HttpAnswer paid = ShopBench::answerOf(m_bench->pay(used, m_bench->newPayment()));
        QCOMPARE(ShopBench::answerOf(m_bench->abandon(uuid)).status, 200);
        const Payment payment = m_bench->newPayment();
        m_bench->letTimePass(kLonger);
        m_bench->shop().purger().run();
        QTRY_COMPARE(m_bench->view().records.size(), std::size_t{1}); // the one of the UUIDv7 went

        QVERIFY(ShopBench::answerOf(m_bench->look(used)).body.contains(paid.body));
        QCOMPARE(text(ShopBench::answerOf(m_bench->pay(used, payment)), "code"), QStringLiteral("key-reused")); // other time
        QCOMPARE(ShopBench::answerOf(m_bench->look(keyOf("order-2"))).status, 404);
        QCOMPARE(m_bench->charges().size(), std::size_t{1});
    }

    // The bank's key is a UUIDv7 all the same, so a server that ended is followed by one that finishes its work.
    void serverThatEnded_isFinishedByTheNext()
    {
        const auto id = keyOf("order/1");
        const Payment payment = m_bench->newPayment();
        const auto call = m_bench->payHeldAt(Point::BankCommitted, id, payment);
        m_bench->points().drop();
        m_bench->stop();
        QVERIFY(m_bench->start());
        m_bench->shop().startReconciler();

        QTRY_COMPARE(text(ShopBench::answerOf(m_bench->look(id)), "state"), QStringLiteral("succeeded"));
        QCOMPARE(ShopBench::answerOf(m_bench->pay(id, payment)).status, 201);
        QCOMPARE(m_bench->charges().size(), std::size_t{1});
    }

    void heldCart_namesItsHolderInItsOwnForm()
    {
        const Payment payment = m_bench->newPayment();
        QCOMPARE(ShopBench::answerOf(m_bench->pay(keyOf("order, 1"), payment)).status, 201);
        const HttpAnswer taken = ShopBench::answerOf(m_bench->pay(keyOf("order, 2"), payment));
        QCOMPARE(taken.status, 409);
        QCOMPARE(text(taken, "held_by"), QStringLiteral("order, 1"));
    }
};

QTEST_GUILESS_MAIN(TestAnyKey)
#include "tst_any_key.moc"
