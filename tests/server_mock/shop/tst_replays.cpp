// What is remembered of an action that has ended says what a look-up says, and no change of the ledger is missed for it.
#include "shop_test.h"

#include <QtTest/QTest>

#include <functional>

using namespace payonce;
using namespace std::chrono_literals;
using shop::Payment;
using shop::Replays;
using shop::ShopBench;
using support::HttpAnswer;

namespace {

using Change = std::function<void(ShopBench&, const values::ActionId&)>;

/// The same bytes each time; its endpoint is Pay.
class Asked final : public http::Exchange
{
public:
    explicit Asked(QByteArray body) { m_request.body = std::move(body); }
    [[nodiscard]] const http::Request& request() const override { return m_request; }
    [[nodiscard]] bool isOpen() const override { return true; }
    void answer(const http::Response&, const std::optional<http::ByteFault>&) override {}
    void end(http::End) override {}
    void silence() override {}
    void halfClose() override {}
    void sendRaw(const QByteArray&) override {}
    void resume() override {}

private:
    http::Request m_request;
};

shop::Incoming incoming(const std::string& id, const QByteArray& body = "{}")
{
    shop::Incoming incoming;
    incoming.endpoint = shop::Endpoint::Pay;
    incoming.arrival.exchange = std::make_shared<Asked>(body);
    incoming.arrival.account = "acct_1";
    incoming.arrival.actionId = id;
    return incoming;
}

idempotency::KeyRecord paidRecord()
{
    idempotency::KeyRecord record{.account = "acct_1", .id = ShopBench::newAction()};
    record.state = values::RecordState::Succeeded;
    record.answer = idempotency::StoredAnswer{201, "{}"};
    return record;
}

/// Everything but the time it was told.
QList<std::pair<QByteArray, QByteArray>> linesOf(const HttpAnswer& answer)
{
    QList<std::pair<QByteArray, QByteArray>> lines;
    for (const auto& line : answer.headers)
        if (line.first.compare("Date", Qt::CaseInsensitive) != 0)
            lines.append(line);
    return lines;
}

void compare(const HttpAnswer& one, const HttpAnswer& other)
{
    QCOMPARE(one.status, other.status);
    QCOMPARE(one.body, other.body);
    QCOMPARE(linesOf(one), linesOf(other));
}

/// Its key is 20 h ahead, so that a purge takes the answer and leaves the record.
values::ActionId aheadOf(const values::ActionId& id)
{
    values::UuidRandom bits{};
    bits.back() = 1;
    return values::ActionId::mint(id.madeAt().value() + 20h, bits);
}

void purge(ShopBench& bench)
{
    bench.letTimePass(31 * 24h);
    bench.shop().purger().run();
}

/// The bank says it charged what it had declined, and staff believes it.
void finishFromACharge(ShopBench& bench, const values::ActionId& id)
{
    bench.changeBank({QStringLiteral("INSERT INTO charges (bank_key, state, action_id, charge_id, amount, currency, at) VALUES "
                                     "('0198c0de-0000-7000-8000-000000000001', 'approved', '%1', 'ch_planted', 4200, 'EUR', "
                                     "'2026-11-30T10:00:00.000Z')")
                          .arg(QString::fromStdString(id.toString()))});
    const auto deed = values::ActionId::mint(bench.time(), {});
    QCOMPARE(ShopBench::answerOf(bench.supportAct(deed, id, "finish-order")).status, 201);
}

} // namespace

class TestReplays : public shop::ShopTest
{
    Q_OBJECT

private Q_SLOTS:
    // Without its table no look-up can be made, so the answer is the one that is remembered.
    void exactRepeat_needsNoLookUp_data()
    {
        QTest::addColumn<QByteArray>("card");
        QTest::addColumn<int>("status");
        QTest::newRow("paid") << QByteArray("4242424242424242") << 201;
        QTest::newRow("declined") << QByteArray("4000000000000002") << 402;
    }
    void exactRepeat_needsNoLookUp()
    {
        QFETCH(QByteArray, card);
        QFETCH(int, status);
        const Payment payment = m_bench->newPayment(card);
        const HttpAnswer first = ShopBench::answerOf(m_bench->pay(m_id, payment));
        m_bench->dropOrders();
        const HttpAnswer again = ShopBench::answerOf(m_bench->pay(m_id, payment));
        QCOMPARE(again.status, status);
        QCOMPARE(again.body, first.body);
        QCOMPARE(again.header("Idempotent-Replayed"), QByteArray("true"));
        QCOMPARE(respelled(payment).status, 503);
    }

    void rememberedAnswer_isByteForByteThatOfALookUp_data()
    {
        QTest::addColumn<QByteArray>("card");
        for (const char* card : {"4242424242424242", "4000000000000002", "4000000000009995", "4000000000000069"})
            QTest::newRow(card) << QByteArray(card);
    }
    void rememberedAnswer_isByteForByteThatOfALookUp()
    {
        QFETCH(QByteArray, card);
        const Payment payment = m_bench->newPayment(card);
        const HttpAnswer first = ShopBench::answerOf(m_bench->pay(m_id, payment));
        const HttpAnswer remembered = ShopBench::answerOf(m_bench->pay(m_id, payment));
        const HttpAnswer lookedUp = respelled(payment);
        QCOMPARE(remembered.body, first.body);
        compare(remembered, lookedUp);
        compare(respelled(payment), lookedUp); // remembered by its last bytes
        compare(ShopBench::answerOf(m_bench->pay(m_id, payment)), lookedUp);
        QCOMPARE(m_bench->charges().size(), std::size_t{1});
    }

    void rememberedSignUp_isByteForByteThatOfALookUp()
    {
        for (const auto& id : {m_id, ShopBench::newAction()}) { // the second finds that the address has an account
            const HttpAnswer first = ShopBench::answerOf(m_bench->signUp(id));
            const HttpAnswer remembered = ShopBench::answerOf(m_bench->signUp(id));
            const HttpAnswer lookedUp = ShopBench::answerOf(
                m_bench->send("POST", "/v1/accounts", ShopBench::keyOf(id), ShopBench::signUpBodyFor("a@example.com") + ' '));
            QCOMPARE(remembered.body, first.body);
            compare(remembered, lookedUp);
        }
        QCOMPARE(m_bench->accounts().size(), 1);
        QCOMPARE(m_bench->mails().size(), 2);
    }

    void changeAfterTheEnd_isSeenByTheNextRequest_data()
    {
        QTest::addColumn<Change>("change");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("code");
        const auto row = [](const char* name, const Change& change, int status, const char* code = "") {
            QTest::newRow(name) << change << status << QString::fromLatin1(code);
        };
        row(
            "nothing", [](ShopBench&, const auto&) {}, 201);
        row(
            "the answer is dropped",
            [](ShopBench& bench, const auto& id) {
                bench.letTimePass(30 * 24h + 1h);
                bench.shop().purger().run();
                QTRY_VERIFY(!bench.recordOf(id).answer);
            },
            410, "answer-expired");
        row(
            "the ledger is emptied",
            [](ShopBench& bench, const auto&) {
                bool isDone = false;
                bench.source().reset([&isDone](bool emptied) { isDone = emptied; });
                QTRY_VERIFY(isDone);
            },
            422, "body-invalid"); // a new key, and the card's token went too
        row(
            "an abandon that comes too late",
            [](ShopBench& bench, const auto& id) {
                QCOMPARE(text(ShopBench::answerOf(bench.abandon(id)), "state"), QStringLiteral("succeeded"));
            },
            201);
        row(
            "the server is started again",
            [](ShopBench& bench, const auto&) {
                bench.stop();
                QVERIFY(bench.start());
            },
            201);
        row(
            "its valid_until passes", [](ShopBench& bench, const auto&) { bench.letTimePass(2h); }, 201);
        row(
            "the clock is moved", [](ShopBench& bench, const auto&) { bench.moveWallClock(40 * 24h); }, 201);
    }
    void changeAfterTheEnd_isSeenByTheNextRequest()
    {
        QFETCH(Change, change);
        QFETCH(int, status);
        QFETCH(QString, code);
        const Payment payment = m_bench->newPayment();
        const bool isAhead = code == QLatin1String("answer-expired");
        m_id = isAhead ? aheadOf(m_id) : m_id;
        QVERIFY(ShopBench::answerOf(m_bench->pay(m_id, payment)).header("Idempotent-Replayed").isEmpty());
        QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, payment)).header("Idempotent-Replayed"), QByteArray("true"));
        change(*m_bench, m_id);

        const HttpAnswer next = ShopBench::answerOf(m_bench->pay(m_id, payment));
        QCOMPARE(next.status, status);
        QCOMPARE(text(next, "code"), code);
        compare(ShopBench::answerOf(m_bench->pay(m_id, payment)), respelled(payment));
    }

    void answerOfAPurgedRecord_isThatOfALookUpWhateverStaffDoes()
    {
        const Payment payment = m_bench->newPayment("4000000000000002");
        QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, payment)).status, 402);
        purge(*m_bench);
        QTRY_COMPARE(m_bench->view().records.size(), std::size_t{0});
        QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, payment)).status, 402); // told by its order
        finishFromACharge(*m_bench, m_id);
        const HttpAnswer next = ShopBench::answerOf(m_bench->pay(m_id, payment));
        QCOMPARE(next.status, 402);
        compare(next, respelled(payment));
    }

    void sameKeyForOtherContent_isRefusedBesideARememberedAnswer()
    {
        const Payment payment = m_bench->newPayment();
        const HttpAnswer paid = ShopBench::answerOf(m_bench->pay(m_id, payment));
        Payment other = payment;
        other.value = 1;
        for (int round = 0; round < 2; ++round) {
            QCOMPARE(text(ShopBench::answerOf(m_bench->pay(m_id, other)), "code"), QStringLiteral("key-reused"));
            QCOMPARE(text(ShopBench::answerOf(m_bench->signUp(m_id)), "code"), QStringLiteral("key-reused"));
            const auto elsewhere = m_bench->send("POST", "/v1/accounts", ShopBench::keyOf(m_id), ShopBench::bodyOf(payment));
            QCOMPARE(ShopBench::answerOf(elsewhere).status, 422);
            QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, payment)).body, paid.body);
        }
    }

    void anotherAccount_isNeverToldARememberedAnswer()
    {
        const Payment payment = m_bench->newPayment();
        QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, payment)).status, 201);
        const HttpAnswer other = ShopBench::answerOf(
            m_bench->send("POST", "/v1/payments", ShopBench::keyOf(m_id), ShopBench::bodyOf(payment), shop::kOtherToken));
        QCOMPARE(other.status, 422); // its own cart and cards
        QVERIFY(other.header("Idempotent-Replayed").isEmpty());
    }

    void headThatIsRefused_isRefusedBesideARememberedAnswer_data()
    {
        QTest::addColumn<http::Headers>("headers");
        QTest::addColumn<QByteArray>("token");
        QTest::addColumn<int>("status");
        QTest::newRow("nobody's token") << http::Headers{} << QByteArray("nobody") << 401;
        QTest::newRow("support's token") << http::Headers{} << QByteArray(shop::kSupportToken) << 403;
        QTest::newRow("another key besides") << http::Headers{{"Idempotency-Key", "\"x\""}} << QByteArray(shop::kToken) << 400;
        QTest::newRow("a bad attempt") << http::Headers{{"Action-Attempt", "none"}} << QByteArray(shop::kToken) << 400;
        QTest::newRow("two types of body") << http::Headers{{"Content-Type", "text/plain"}} << QByteArray(shop::kToken) << 415;
    }
    void headThatIsRefused_isRefusedBesideARememberedAnswer()
    {
        QFETCH(http::Headers, headers);
        QFETCH(QByteArray, token);
        QFETCH(int, status);
        const Payment payment = m_bench->newPayment();
        QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, payment)).status, 201);
        const auto call =
            m_bench->send("POST", "/v1/payments", ShopBench::keyOf(m_id) + headers, ShopBench::bodyOf(payment), token);
        QCOMPARE(ShopBench::answerOf(call).status, status);
    }

    // Settled, but its answer is held back: what ends meanwhile must not be remembered afterwards.
    void answerHeldBackOverAReset_isNotRemembered()
    {
        const Payment payment = m_bench->newPayment();
        m_bench->points().holdAt(console::Point::ResultSaved);
        const auto call = m_bench->pay(m_id, payment);
        QTRY_COMPARE(m_bench->points().heldCount(), std::size_t{1});
        bool isDone = false;
        m_bench->source().reset([&isDone](bool emptied) { isDone = emptied; });
        QTRY_VERIFY(isDone);
        m_bench->points().release();
        QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, payment)).status, 422);
    }

    // Looked up, but held back: what a purge drops meanwhile must not be remembered afterwards.
    void lookUpHeldBackOverAPurge_isNotRemembered()
    {
        m_id = aheadOf(m_id);
        const Payment payment = m_bench->newPayment();
        QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, payment)).status, 201);
        m_bench->points().holdAt(console::Point::KeyLookedUp);
        const auto call = m_bench->send("POST", "/v1/payments", ShopBench::keyOf(m_id), ShopBench::respelledBodyOf(payment));
        QTRY_COMPARE(m_bench->points().heldCount(), std::size_t{1});
        m_bench->letTimePass(30 * 24h + 1h);
        m_bench->shop().purger().run();
        QTRY_VERIFY(!m_bench->recordOf(m_id).answer);
        m_bench->points().release();

        QCOMPARE(ShopBench::answerOf(call).status, 201); // as it was looked up
        QCOMPARE(text(respelled(payment), "code"), QStringLiteral("answer-expired"));
    }
    void signUpHeldBackOverAPurge_isNotRemembered()
    {
        m_bench->points().holdAt(console::Point::KeyLookedUp);
        const auto call = m_bench->signUp(m_id);
        QTRY_COMPARE(m_bench->points().heldCount(), std::size_t{1});
        m_bench->letTimePass(8 * 24h);
        m_bench->shop().purger().run();
        QTRY_VERIFY(!m_bench->recordOf(m_id).answer);
        m_bench->points().release();

        QCOMPARE(ShopBench::answerOf(call).status, 201);
        QCOMPARE(text(ShopBench::answerOf(m_bench->signUp(m_id)), "code"), QStringLiteral("answer-expired"));
    }

    void beyondItsBound_whatWasNotAskedForGoesFirst()
    {
        Replays replays(4000); // room for a few
        const auto record = paidRecord();
        replays.remember(incoming("a"), record, {});
        replays.remember(incoming("b"), record, {});
        const std::size_t two = replays.count();
        QCOMPARE(two, std::size_t{2});
        for (int n = 0; n < 100; ++n) {
            QVERIFY(replays.find(incoming("a")));
            replays.remember(incoming(std::to_string(n)), record, {});
        }
        QVERIFY(replays.count() > 2 && replays.count() < 6);
        QVERIFY(replays.find(incoming("a")));
        QVERIFY(replays.find(incoming("99")));
        QVERIFY(!replays.find(incoming("b")));
        replays.forgetAll();
        QCOMPARE(replays.count(), std::size_t{0});
        QVERIFY(!replays.find(incoming("a")));
    }

    void whatMayStillChange_isNotRemembered_data()
    {
        QTest::addColumn<int>("state");
        QTest::addColumn<bool>("hasAnswer");
        QTest::addColumn<int>("bodySize");
        QTest::addColumn<int>("room");
        QTest::addColumn<bool>("isRemembered");
        const auto row = [](const char* name, values::RecordState state, bool hasAnswer, bool isRemembered) {
            QTest::newRow(name) << static_cast<int>(state) << hasAnswer << 2 << 100'000 << isRemembered;
        };
        row("succeeded", values::RecordState::Succeeded, true, true);
        row("failed", values::RecordState::Failed, true, true);
        row("its answer was dropped", values::RecordState::Succeeded, false, false);
        row("in progress", values::RecordState::InProgress, true, false);
        row("unknown", values::RecordState::Unknown, true, false);
        row("a tombstone", values::RecordState::Abandoned, false, false);
        const int succeeded = static_cast<int>(values::RecordState::Succeeded);
        QTest::newRow("a large body") << succeeded << true << 4097 << 100'000 << false;
        QTest::newRow("no room") << succeeded << true << 2 << 0 << false;
    }
    void whatMayStillChange_isNotRemembered()
    {
        QFETCH(int, state);
        QFETCH(bool, hasAnswer);
        QFETCH(int, bodySize);
        QFETCH(int, room);
        QFETCH(bool, isRemembered);
        Replays replays(static_cast<std::size_t>(room));
        auto record = paidRecord();
        record.state = static_cast<values::RecordState>(state);
        if (!hasAnswer)
            record.answer.reset();
        const auto asked = incoming("a", QByteArray(bodySize, 'x'));
        replays.remember(asked, record, {});
        QCOMPARE(replays.find(asked).has_value(), isRemembered);
    }

private:
    /// Other bytes than what is remembered, so it is looked up.
    [[nodiscard]] HttpAnswer respelled(const Payment& payment)
    {
        return ShopBench::answerOf(
            m_bench->send("POST", "/v1/payments", ShopBench::keyOf(m_id), ShopBench::respelledBodyOf(payment)));
    }
};

QTEST_GUILESS_MAIN(TestReplays)
#include "tst_replays.moc"
