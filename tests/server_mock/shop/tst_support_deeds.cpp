// What staff does, over HTTP: once for one key, never where it would do harm, and always audited.
#include "shop_bench.h"

#include <QtCore/QJsonArray>
#include <QtTest/QTest>

using namespace payonce;
using namespace std::chrono_literals;
using shop::ShopBench;
using support::HttpAnswer;

namespace {

QString text(const QJsonObject& json, const char* member)
{
    return json.value(QLatin1String(member)).toString();
}

QString named(const values::ActionId& id)
{
    return QString::fromStdString(id.toString());
}

} // namespace

class TestSupportDeeds : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        start({});
    }
    void cleanup()
    {
        m_call.reset();
        m_bench.reset();
    }

    void deedDoneTwice_takesEffectOnce_data()
    {
        QTest::addColumn<QByteArray>("deed");
        QTest::newRow("note") << QByteArray("note");
        QTest::newRow("receipt") << QByteArray("resend-receipt");
        QTest::newRow("unmask") << QByteArray("unmask");
    }
    void deedDoneTwice_takesEffectOnce()
    {
        QFETCH(QByteArray, deed);
        const auto id = paid();
        const auto deedId = ShopBench::newAction();
        const HttpAnswer first = act(deedId, id, deed);
        const HttpAnswer again = act(deedId, id, deed);
        QCOMPARE(first.status, 201);
        QCOMPARE(again.status, 201);
        QCOMPARE(again.body, first.body);
        QVERIFY(first.header("Idempotent-Replayed").isEmpty());
        QCOMPARE(again.header("Idempotent-Replayed"), QByteArray("true"));
        QCOMPARE(first.header("Action-Id"), '"' + named(deedId).toUtf8() + '"');
        QCOMPARE(text(first.json(), "action_id"), named(deedId));
        QCOMPARE(text(first.json(), "target"), named(id));
        QCOMPARE(text(first.json(), "do"), QString::fromUtf8(deed));
        const auto rows = m_bench->auditRows();
        QCOMPARE(rows.size(), std::size_t{deed == "unmask" ? 2U : 1U}); // the address was shown twice
        QVERIFY(rows.front() == (std::vector<std::string>{"support_act", deed.toStdString(), id.toString(), "asked"}));
        if (deed == "unmask")
            QVERIFY(rows.back() ==
                    (std::vector<std::string>{"support_act", "unmask", id.toString(), "shown again. Asked because: asked"}));
        QCOMPARE(rowsOf(id, QStringLiteral("mail_resend")), deed == "resend-receipt" ? 1 : 0);
        QCOMPARE(m_bench->charges().size(), std::size_t{1});
    }

    void sameKeyForOtherContent_isRefused()
    {
        const auto id = paid();
        const auto other = paid();
        const auto deedId = ShopBench::newAction();
        QCOMPARE(act(deedId, id, "note", "first").status, 201);
        for (const HttpAnswer& answer :
             {act(deedId, id, "note", "second"), act(deedId, id, "unmask", "first"), act(deedId, other, "note", "first")}) {
            QCOMPARE(answer.status, 422);
            QCOMPARE(text(answer.json(), "code"), QStringLiteral("key-reused"));
        }
        QCOMPARE(m_bench->auditRows().size(), std::size_t{1});
    }

    void unmask_tellsTheAddressInItsAnswerOnly()
    {
        const auto id = paid();
        QCOMPARE(text(act(ShopBench::newAction(), id, "unmask").json(), "email"), QStringLiteral("a@example.com"));
        const auto seen = ShopBench::answerOf(m_bench->supportLook(id));
        QVERIFY(!seen.body.contains("\"a@example.com"));
        QCOMPARE(rowsOf(id, QStringLiteral("unmask")), 1);
    }

    void badReason_isRefused_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<int>("status");
        QTest::newRow("none") << QByteArray("{}") << 422;
        QTest::newRow("empty") << QByteArray(R"({"reason":""})") << 422;
        QTest::newRow("a number") << QByteArray(R"({"reason":1})") << 422;
        QTest::newRow("too long") << QByteArray("{\"reason\":\"") + QByteArray(501, 'x') + "\"}" << 422;
        QTest::newRow("a card number") << QByteArray(R"({"reason":"card 4242 4242 4242 4242"})") << 422;
        QTest::newRow("a card number with dots") << QByteArray(R"({"reason":"4242.4242.4242.4242"})") << 422;
        QTest::newRow("no JSON") << QByteArray("reason") << 400;
    }
    void badReason_isRefused()
    {
        QFETCH(QByteArray, body);
        QFETCH(int, status);
        const auto id = paid();
        const auto path = "/v1/support/actions/" + named(id).toUtf8() + "/note";
        const auto answer = ShopBench::answerOf(
            m_bench->send("POST", path, ShopBench::keyOf(ShopBench::newAction()), body, shop::kSupportActToken));
        QCOMPARE(answer.status, status);
        QCOMPARE(text(answer.json(), "code"), QStringLiteral("body-invalid"));
        const auto rows = m_bench->auditRows();
        QCOMPARE(rows.size(), std::size_t{1});
        QVERIFY(rows.front()[1] == "note" && rows.front()[2] == id.toString() && rows.front()[3].starts_with("refused: "));
        QVERIFY(rows.front()[3].find("4242") == std::string::npos);
    }

    void harmfulDeed_isRefusedInWordsAndNotRemembered_data()
    {
        QTest::addColumn<QByteArray>("deed");
        QTest::addColumn<QByteArray>("part");
        QTest::newRow("close a paid one") << QByteArray("close") << QByteArray("has charged");
        QTest::newRow("finish a finished one") << QByteArray("finish-order") << QByteArray("finished already");
        QTest::newRow("ask about an ended one") << QByteArray("ask-bank") << QByteArray("has ended");
    }
    void harmfulDeed_isRefusedInWordsAndNotRemembered()
    {
        QFETCH(QByteArray, deed);
        QFETCH(QByteArray, part);
        const auto id = paid();
        const auto deedId = ShopBench::newAction();
        const HttpAnswer refused = act(deedId, id, deed);
        QCOMPARE(refused.status, 409);
        QCOMPARE(text(refused.json(), "code"), QStringLiteral("unsafe"));
        QVERIFY2(text(refused.json(), "detail").toUtf8().contains(part), refused.body);
        QCOMPARE(text(refused.json(), "action_id"), named(deedId));
        QCOMPARE(act(deedId, id, "note").status, 201); // the key is still free
        const auto rows = m_bench->auditRows();
        QCOMPARE(rows.size(), std::size_t{2});
        QVERIFY(rows.front()[1] == deed.toStdString() && rows.front()[3].starts_with("refused: "));
        QVERIFY(rows.front()[3].ends_with(" Asked because: asked"));
        QCOMPARE(m_bench->auditAccounts().front(), std::string("acct_1"));
        QCOMPARE(m_bench->charges().size(), std::size_t{1});
    }

    void unknownAction_isNotActedOn()
    {
        const HttpAnswer answer = act(ShopBench::newAction(), ShopBench::newAction(), "note");
        QCOMPARE(answer.status, 404);
        QCOMPARE(text(answer.json(), "code"), QStringLiteral("action-unknown"));
        const auto rows = m_bench->auditRows();
        QCOMPARE(rows.size(), std::size_t{1});
        QVERIFY(rows.front()[3].starts_with("refused: ") && rows.front()[3].ends_with(" Asked because: asked"));
    }

    void deedWithATokenThatMayNot_isAudited()
    {
        const auto id = paid();
        for (const char* token : {shop::kToken, shop::kSupportToken})
            QCOMPARE(ShopBench::answerOf(m_bench->supportAct(ShopBench::newAction(), id, "note", "asked", token)).status, 403);
        QCOMPARE(ShopBench::answerOf(m_bench->supportAct(ShopBench::newAction(), id, "note", "asked", "nobody's")).status, 401);
        const auto rows = m_bench->auditRows();
        QCOMPARE(rows.size(), std::size_t{2});
        QVERIFY(rows.front()[0] == "acct_1" && rows.back()[0] == "support");
        QVERIFY(rows.front()[1] == "note" && rows.front()[2] == id.toString() && rows.front()[3].starts_with("refused: "));
    }

    void accountThatNeverUsedTheAction_isNotActedFor_data()
    {
        QTest::addColumn<QByteArray>("account");
        QTest::newRow("another account") << QByteArray("acct_2");
        QTest::newRow("nobody") << QByteArray("nope");
        QTest::newRow("support itself") << QByteArray("support");
    }
    void accountThatNeverUsedTheAction_isNotActedFor()
    {
        QFETCH(QByteArray, account);
        const auto id = paid();
        for (const QByteArray deed : {"ask-bank", "finish-order", "close", "resend-receipt", "note", "unmask"}) {
            const auto path = "/v1/support/actions/" + named(id).toUtf8() + '/' + deed + "?account=" + account;
            const auto answer = ShopBench::answerOf(m_bench->send("POST", path, ShopBench::keyOf(ShopBench::newAction()),
                                                                  R"({"reason":"asked"})", shop::kSupportActToken));
            QCOMPARE(answer.status, 404);
            QCOMPARE(text(answer.json(), "code"), QStringLiteral("action-unknown"));
        }
        QCOMPARE(m_bench->view().records.size(), std::size_t{1}); // no tombstone of somebody else
        QCOMPARE(m_bench->auditAccounts().front(), account.toStdString());
    }

    // Staff finished it, and the record is gone since: the client still hears what it was told.
    void finishedOrderOfACancelledPayment_isStillCancelledWhenItsRecordIsGone()
    {
        const auto id = closedYetCharged();
        QCOMPARE(act(ShopBench::newAction(), id, "finish-order").status, 201);
        m_bench->letTimePass(32 * 24h);
        m_bench->shop().purger().run();
        QTRY_COMPARE(m_bench->view().records.size(), std::size_t{0});
        for (const QByteArray rest : {"?kind=payment", "/abandon?kind=payment"}) {
            const auto told = m_bench->ask(id, rest).json();
            QCOMPARE(text(told, "state"), QStringLiteral("abandoned"));
            QCOMPARE(text(told, "reason"), QStringLiteral("cancelled"));
        }
        QCOMPARE(codeOf(id), QStringLiteral("charged_once"));
    }

    void purgedPayment_isNotSaidToBeUnknownToTheBank()
    {
        const auto id = paid();
        m_bench->letTimePass(32 * 24h);
        m_bench->shop().purger().run();
        QTRY_COMPARE(m_bench->view().records.size(), std::size_t{0});
        const auto asked = text(act(m_bench->newActionNow(), id, "ask-bank").json(), "detail");
        QVERIFY2(asked.contains(QStringLiteral("has ended")), qPrintable(asked));
    }

    void silentBank_leavesADeedUndoneAndSaysSo()
    {
        idempotency::LedgerNumbers numbers;
        numbers.evidenceLimit = 50ms;
        start(numbers);
        const auto id = paid();
        const auto lock = m_bench->lockBank();
        QCOMPARE(act(ShopBench::newAction(), id, "close").status, 503);
        QCOMPARE(act(ShopBench::newAction(), id, "note").status, 201);
    }

    void unsentPayment_isClosedSoThatNoLateCopyCharges()
    {
        const auto id = ShopBench::newAction();
        const auto path = "/v1/support/actions/" + named(id).toUtf8() + "/close?account=acct_1";
        const QByteArray body = R"({"reason":"never came"})";
        const auto call = m_bench->send("POST", path, ShopBench::keyOf(ShopBench::newAction()), body, shop::kSupportActToken);
        QCOMPARE(ShopBench::answerOf(call).status, 201);
        QCOMPARE(ShopBench::answerOf(m_bench->pay(id, m_bench->newPayment())).status, 410);
        QVERIFY(m_bench->charges().empty());
        QCOMPARE(codeOf(id), QStringLiteral("not_charged"));
        QCOMPARE(rowsOf(id, QStringLiteral("closed_unsent")), 1);
    }

    void openPayment_isClosedByTheBanksFence()
    {
        const auto id = ShopBench::newAction();
        m_bench->points().holdAt(console::Point::BankBefore);
        m_call = m_bench->pay(id, m_bench->newPayment());
        QTRY_COMPARE(m_bench->points().heldCount(), std::size_t{1});
        QCOMPARE(codeOf(id), QStringLiteral("unknown_being_checked"));
        QCOMPARE(act(ShopBench::newAction(), id, "close").status, 201);
        QTRY_COMPARE(codeOf(id), QStringLiteral("not_charged"));
        m_bench->points().release();
        QCOMPARE(ShopBench::answerOf(m_call).status, 410);
        QVERIFY(m_bench->charges().empty());
        QCOMPARE(rowsOf(id, QStringLiteral("fenced")), 1);
    }

    void chargedPayment_isFinishedAndNeverClosed()
    {
        const auto id = ShopBench::newAction();
        m_bench->points().holdAt(console::Point::BankCommitted);
        m_call = m_bench->pay(id, m_bench->newPayment());
        QTRY_COMPARE(m_bench->points().heldCount(), std::size_t{1});
        QCOMPARE(act(ShopBench::newAction(), id, "close").status, 409);
        QCOMPARE(act(ShopBench::newAction(), id, "finish-order").status, 201);
        QCOMPARE(codeOf(id), QStringLiteral("charged_once"));
        m_bench->points().release();
        QCOMPARE(ShopBench::answerOf(m_call).status, 201); // from the record as staff settled it
        QCOMPARE(m_bench->charges().size(), std::size_t{1});
    }

    // The bank charged what the shop had closed (planted): the order is put right, the client's answer stays.
    void cancelledOrder_isFinishedFromTheBanksCharge()
    {
        const auto id = closedYetCharged();
        QCOMPARE(codeOf(id), QStringLiteral("charged_order_cancelled"));
        const auto deedId = ShopBench::newAction();
        QCOMPARE(act(deedId, id, "finish-order").status, 201);
        QCOMPARE(act(deedId, id, "finish-order").status, 201);
        QCOMPARE(codeOf(id), QStringLiteral("charged_once"));
        QCOMPARE(act(ShopBench::newAction(), id, "finish-order").status, 409);
        QCOMPARE(text(ShopBench::answerOf(m_bench->look(id)).json(), "state"), QStringLiteral("abandoned"));
        QCOMPARE(m_bench->charges().size(), std::size_t{1});
    }

    // One order a cart, also for staff.
    void cancelledOrder_isNotFinishedBesideAnotherOrderOfItsCart()
    {
        const auto id = closedYetCharged();
        const auto second = ShopBench::newAction();
        QCOMPARE(ShopBench::answerOf(m_bench->pay(second, m_bench->newPayment())).status, 201);
        const HttpAnswer refused = act(ShopBench::newAction(), id, "finish-order");
        QCOMPARE(refused.status, 409);
        QVERIFY(text(refused.json(), "detail").contains(QString::fromStdString(values::reference(second))));
    }

    void silentBank_isAskedAgainAtOnce()
    {
        idempotency::LedgerNumbers numbers;
        numbers.bankLimit = 50ms;
        numbers.reconcileEvery = 1h; // by itself it would not come back in this test
        start(numbers);
        m_bench->shop().startReconciler();
        const auto id = ShopBench::newAction();
        const auto payment = m_bench->newPayment();
        m_bench->bank().shut();
        QCOMPARE(ShopBench::answerOf(m_bench->pay(id, payment)).status, 409);
        m_bench->bank().loseWaiting();
        m_bench->bank().open();
        QCOMPARE(codeOf(id), QStringLiteral("unknown_being_checked"));
        QCOMPARE(act(ShopBench::newAction(), id, "ask-bank").status, 201);
        QTRY_COMPARE(codeOf(id), QStringLiteral("charged_once"));
        QCOMPARE(m_bench->charges().size(), std::size_t{1});
    }

    void brokenDisk_doesNothingAndSaysSo()
    {
        const auto id = paid();
        m_bench->letWrites(ShopBench::Writes::Fail);
        const auto deedId = ShopBench::newAction();
        QCOMPARE(act(deedId, id, "resend-receipt").status, 503);
        m_bench->letWrites(ShopBench::Writes::Work);
        QCOMPARE(rowsOf(id, QStringLiteral("mail_resend")), 0);
        QCOMPARE(act(deedId, id, "resend-receipt").status, 201);
        QCOMPARE(rowsOf(id, QStringLiteral("mail_resend")), 1);
    }

    void bodyThatIsNoJsonByItsType_isRefused()
    {
        const auto path = "/v1/support/actions/" + named(paid()).toUtf8() + "/note";
        QCOMPARE(ShopBench::answerOf(
                     m_bench->send("POST", path, ShopBench::keyOf(ShopBench::newAction()), {}, shop::kSupportActToken))
                     .status,
                 415);
    }

private:
    void start(const idempotency::LedgerNumbers& numbers)
    {
        m_bench = std::make_unique<ShopBench>(numbers);
        m_paid = 0;
        QVERIFY(m_bench->start());
    }
    values::ActionId paid()
    {
        const auto id = ShopBench::newAction();
        auto payment = m_bench->newPayment();
        payment.cart = "own-" + QByteArray::number(++m_paid);
        if (ShopBench::answerOf(m_bench->pay(id, payment)).status != 201)
            qFatal("not paid");
        return id;
    }
    /// Abandoned before the bank was asked; then the bank has a charge for it all the same.
    values::ActionId closedYetCharged()
    {
        const auto id = ShopBench::newAction();
        m_call = m_bench->payHeldAt(console::Point::BankBefore, id, m_bench->newPayment());
        if (ShopBench::answerOf(m_bench->abandon(id)).status != 200)
            qFatal("not abandoned");
        m_bench->points().release();
        m_bench->changeBank(
            {QStringLiteral("INSERT INTO charges (bank_key, state, action_id, charge_id, amount, currency, at) VALUES "
                            "('0198c0de-0000-7000-8000-000000000001', 'approved', '%1', 'ch_planted', 4200, 'EUR', "
                            "'2026-11-30T10:00:00.000Z')")
                 .arg(named(id))});
        return id;
    }
    HttpAnswer act(const values::ActionId& deedId, const values::ActionId& target, const QByteArray& deed,
                   const QByteArray& reason = "asked")
    {
        return ShopBench::answerOf(m_bench->supportAct(deedId, target, deed, reason));
    }
    QString codeOf(const values::ActionId& id) { return text(ShopBench::answerOf(m_bench->supportLook(id)).json(), "code"); }
    /// Rows of this kind in the action's timeline. It looks with `support`, so the audit has a row more afterwards.
    int rowsOf(const values::ActionId& id, const QString& kind)
    {
        int count = 0;
        const auto rows = ShopBench::answerOf(m_bench->supportLook(id)).json().value(QStringLiteral("timeline")).toArray();
        for (const auto& row : rows)
            count += text(row.toObject(), "kind") == kind ? 1 : 0;
        return count;
    }

    std::unique_ptr<ShopBench> m_bench;
    std::unique_ptr<support::HttpCall> m_call;
    int m_paid = 0;
};

QTEST_GUILESS_MAIN(TestSupportDeeds)
#include "tst_support_deeds.moc"
