// Support's look-ups over HTTP: who may, what is found by what, what is masked, and that every look-up is audited.
#include "shop_test.h"

#include <QtCore/QJsonArray>
#include <QtCore/QUrl>
#include <QtTest/QTest>

using namespace payonce;
using shop::ShopBench;

namespace {

QString text(const QJsonObject& json, const char* member)
{
    return json.value(QLatin1String(member)).toString();
}

/// With a bank that is silent soon.
idempotency::LedgerNumbers impatient()
{
    idempotency::LedgerNumbers numbers;
    numbers.evidenceLimit = std::chrono::milliseconds(200);
    return numbers;
}

} // namespace

class TestSupportDesk : public shop::ShopTest
{
    Q_OBJECT

public:
    TestSupportDesk() : ShopTest(impatient()) {}

private Q_SLOTS:
    void tokens_openWhatTheyAreFor_data()
    {
        QTest::addColumn<QByteArray>("method");
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<QByteArray>("token");
        QTest::addColumn<int>("status");
        const QByteArray id = "0198c0de-7a11-7c3e-9f00-6b1f0a2c4d5e";
        const QByteArray look = "/v1/support/actions/" + id;
        QTest::newRow("search with support")
            << QByteArray("GET") << QByteArray("/v1/support/actions?q=1001") << QByteArray(shop::kSupportToken) << 200;
        QTest::newRow("search with support_act")
            << QByteArray("GET") << QByteArray("/v1/support/actions?q=1001") << QByteArray(shop::kSupportActToken) << 200;
        QTest::newRow("search with an account")
            << QByteArray("GET") << QByteArray("/v1/support/actions?q=1001") << QByteArray(shop::kToken) << 403;
        QTest::newRow("search with nobody's")
            << QByteArray("GET") << QByteArray("/v1/support/actions?q=1001") << QByteArray("wrong") << 401;
        QTest::newRow("look with support") << QByteArray("GET") << look << QByteArray(shop::kSupportToken) << 404;
        QTest::newRow("look with an account") << QByteArray("GET") << look << QByteArray(shop::kToken) << 403;
        QTest::newRow("deed with an account") << QByteArray("POST") << look + "/note" << QByteArray(shop::kToken) << 403;
        QTest::newRow("deed with support") << QByteArray("POST") << look + "/note" << QByteArray(shop::kSupportToken) << 403;
        QTest::newRow("deed with support_act, without a key")
            << QByteArray("POST") << look + "/note" << QByteArray(shop::kSupportActToken) << 400;
        for (const QByteArray path : {"/v1/policy", "/v1/cart", "/v1/orders"}) {
            QTest::newRow(path + " with support") << QByteArray("GET") << path << QByteArray(shop::kSupportToken) << 403;
            QTest::newRow(path + " with support_act") << QByteArray("GET") << path << QByteArray(shop::kSupportActToken) << 403;
        }
        QTest::newRow("payment with support_act")
            << QByteArray("POST") << QByteArray("/v1/payments") << QByteArray(shop::kSupportActToken) << 403;
        QTest::newRow("abandon with support_act")
            << QByteArray("POST") << QByteArray("/v1/actions/" + id + "/abandon") << QByteArray(shop::kSupportActToken) << 403;
    }
    void tokens_openWhatTheyAreFor()
    {
        QFETCH(QByteArray, method);
        QFETCH(QByteArray, path);
        QFETCH(QByteArray, token);
        QFETCH(int, status);
        const auto answer =
            ShopBench::answerOf(m_bench->send(method, path, {}, method == "POST" ? R"({"reason":"x"})" : "", token));
        QCOMPARE(answer.status, status);
        if (status == 403)
            QCOMPARE(text(answer.json(), "code"), QStringLiteral("forbidden"));
    }

    void payment_isFoundByEverythingPeopleSay()
    {
        const auto id = pay();
        const auto seen = look(id);
        const auto action = seen.value(QStringLiteral("action")).toObject();
        const auto order = action.value(QStringLiteral("order")).toObject();
        const QString full = QString::fromStdString(id.toString());
        const QString reference = QString::fromStdString(values::reference(id));
        for (const QString& said :
             {full, full.toUpper(), reference, reference.toLower(), QString(reference).remove(QLatin1Char('-')),
              QStringLiteral(" # %1 ").arg(reference), text(order, "id"), text(order, "number"),
              QLatin1Char('#') + text(order, "number"), text(action, "payment_id"), text(action, "charge_id"),
              text(action, "bank_key"), QStringLiteral("cart_1"), QStringLiteral("a@example.com"),
              QStringLiteral("A@Example.com"), QStringLiteral("4242")}) {
            const auto page = search(said);
            QVERIFY2(page.value(QStringLiteral("results")).toArray().size() == 1, qPrintable(said));
            QVERIFY(!page.value(QStringLiteral("more")).toBool(true));
            const auto hit = page.value(QStringLiteral("results")).toArray().first().toObject();
            QCOMPARE(text(hit, "action_id"), full);
            QCOMPARE(text(hit, "reference"), reference);
            QCOMPARE(text(hit, "kind"), QStringLiteral("payment"));
            QCOMPARE(text(hit, "state"), QStringLiteral("succeeded"));
            QCOMPARE(text(hit, "code"), QStringLiteral("charged_once"));
            QCOMPARE(hit.value(QStringLiteral("amount")).toObject().value(QStringLiteral("value")).toInt(), 4200);
            QCOMPARE(text(hit, "email"), QStringLiteral("a***@example.com"));
            QVERIFY(text(hit, "at").endsWith(QLatin1Char('Z')));
        }
    }

    void unknownText_findsNothing_data()
    {
        QTest::addColumn<QString>("said");
        QTest::newRow("reference") << QStringLiteral("FFFF-FFFF");
        QTest::newRow("charge") << QStringLiteral("ch_none");
        QTest::newRow("e-mail") << QStringLiteral("nobody@example.com");
        QTest::newRow("part of an e-mail") << QStringLiteral("@example.com");
        QTest::newRow("a wildcard") << QStringLiteral("%");
        QTest::newRow("SQL") << QStringLiteral("' OR '1'='1");
        QTest::newRow("card number") << QStringLiteral("4242 4242 4242 4242");
    }
    void unknownText_findsNothing()
    {
        QFETCH(QString, said);
        static_cast<void>(pay());
        QVERIFY(search(said).value(QStringLiteral("results")).toArray().isEmpty());
    }

    void emptyOrEndlessText_isRefused()
    {
        for (const QByteArray& query : {QByteArray(), QByteArray("?q="), "?q=" + QByteArray(300, 'a')}) {
            const auto answer =
                ShopBench::answerOf(m_bench->send("GET", "/v1/support/actions" + query, {}, {}, shop::kSupportToken));
            QCOMPARE(answer.status, 422);
        }
    }

    void manyActions_areTheNewestFiftyWithMore()
    {
        const auto first = m_bench->newPayment();
        values::ActionId newest = ShopBench::newAction();
        for (int i = 0; i < 52; ++i) {
            auto payment = first;
            payment.cart = "own-" + QByteArray::number(i);
            newest = ShopBench::newAction();
            QCOMPARE(ShopBench::answerOf(m_bench->pay(newest, payment)).status, 201);
        }
        const auto page = search(QStringLiteral("a@example.com"));
        const auto results = page.value(QStringLiteral("results")).toArray();
        QCOMPARE(results.size(), 50);
        QVERIFY(page.value(QStringLiteral("more")).toBool());
        QVERIFY(text(results.first().toObject(), "at") >= text(results.last().toObject(), "at"));
    }

    void unknownAction_is404()
    {
        const auto answer = ShopBench::answerOf(m_bench->supportLook(ShopBench::newAction()));
        QCOMPARE(answer.status, 404);
        QCOMPARE(text(answer.json(), "code"), QStringLiteral("action-unknown"));
        const auto bad = ShopBench::answerOf(m_bench->send("GET", "/v1/support/actions/abc", {}, {}, shop::kSupportToken));
        QCOMPARE(bad.status, 400);
    }

    void neighbours_areShownWithTheirVerdicts()
    {
        const auto id = pay();
        const auto second = pay();
        const auto near = look(id).value(QStringLiteral("neighbours")).toArray();
        QCOMPARE(near.size(), 1);
        QCOMPARE(text(near.first().toObject(), "action_id").toStdString(), second.toString());
        QCOMPARE(text(near.first().toObject(), "code"), QStringLiteral("charged_once"));
    }

    // Two accounts may use one ID: each charge belongs to its own record.
    void sameIdOfTwoAccounts_isTwoActions()
    {
        const auto id = ShopBench::newAction();
        QCOMPARE(ShopBench::answerOf(m_bench->pay(id, m_bench->newPayment())).status, 201);
        auto other = m_bench->newPayment();
        const QByteArray card = support::cardBody();
        other.paymentMethod =
            text(ShopBench::answerOf(m_bench->send("POST", "/v1/payment-methods", {}, card, shop::kOtherToken)).json(), "id")
                .toUtf8();
        QCOMPARE(ShopBench::answerOf(
                     m_bench->send("POST", "/v1/payments", ShopBench::keyOf(id), ShopBench::bodyOf(other), shop::kOtherToken))
                     .status,
                 201);
        const auto results = search(QString::fromStdString(id.toString())).value(QStringLiteral("results")).toArray();
        QCOMPARE(results.size(), 2);
        for (const auto& hit : results)
            QCOMPARE(text(hit.toObject(), "code"), QStringLiteral("charged_once"));
        for (const char* account : {"acct_1", "acct_2"}) {
            const auto path = "/v1/support/actions/" + QByteArray::fromStdString(id.toString()) + "?account=" + account;
            const auto seen = ShopBench::answerOf(m_bench->send("GET", path, {}, {}, shop::kSupportToken)).json();
            QCOMPARE(text(seen.value(QStringLiteral("action")).toObject(), "account"), QString::fromLatin1(account));
            QCOMPARE(text(seen, "code"), QStringLiteral("charged_once"));
        }
    }

    void accountThatNeverUsedTheAction_is404_data()
    {
        QTest::addColumn<QByteArray>("account");
        QTest::newRow("another account") << QByteArray("acct_2");
        QTest::newRow("nobody") << QByteArray("nope");
    }
    void accountThatNeverUsedTheAction_is404()
    {
        QFETCH(QByteArray, account);
        const auto id = pay();
        QCOMPARE(ShopBench::answerOf(m_bench->look(id, {}, shop::kOtherToken)).status, 404); // asking is no using
        const auto path = "/v1/support/actions/" + QByteArray::fromStdString(id.toString()) + "?account=" + account;
        const auto answer = ShopBench::answerOf(m_bench->send("GET", path, {}, {}, shop::kSupportToken));
        QCOMPARE(answer.status, 404);
        QCOMPARE(text(answer.json(), "code"), QStringLiteral("action-unknown"));
    }

    // What the shop knows is told, and of the charge that nobody knows now.
    void silentBank_leavesWhatTheShopKnows()
    {
        const auto id = pay();
        const auto lock = m_bench->lockBank();
        const auto seen = look(id);
        QCOMPARE(text(seen, "code"), QStringLiteral("unknown_being_checked"));
        QVERIFY(!seen.value(QStringLiteral("bank_answers")).toBool(true));
        const auto action = seen.value(QStringLiteral("action")).toObject();
        QCOMPARE(text(action, "state"), QStringLiteral("succeeded"));
        QVERIFY(action.value(QStringLiteral("charges")).isNull());
        QCOMPARE(text(seen.value(QStringLiteral("timeline")).toArray().last().toObject(), "kind"),
                 QStringLiteral("bank_silent"));
        const auto page = search(QString::fromStdString(id.toString()));
        QVERIFY(!page.value(QStringLiteral("bank_answers")).toBool(true));
        QCOMPARE(text(page.value(QStringLiteral("results")).toArray().first().toObject(), "code"),
                 QStringLiteral("unknown_being_checked"));
        QVERIFY(search(text(action, "charge_id")).value(QStringLiteral("results")).toArray().isEmpty());
        QCOMPARE(ShopBench::answerOf(m_bench->supportLook(ShopBench::newAction())).status, 404);
    }

    void everyLookUp_isAudited()
    {
        const auto id = pay();
        static_cast<void>(search(QStringLiteral("a@example.com")));
        static_cast<void>(search(QStringLiteral("4242424242424242")));
        static_cast<void>(look(id));
        static_cast<void>(ShopBench::answerOf(m_bench->supportLook(ShopBench::newAction())));
        const auto rows = auditRows();
        QCOMPARE(rows.size(), std::size_t{4});
        QVERIFY(rows[0] == (std::vector<std::string>{"support", "search", "", "e-mail a***@example.com"}));
        QVERIFY(rows[1] == (std::vector<std::string>{"support", "search", "", "nothing that is an ID"}));
        QVERIFY(rows[2] == (std::vector<std::string>{"support", "look", id.toString(), ""}));
        QCOMPARE(rows[3][1], std::string("look"));
    }

    // The audit comes before the answer: what cannot be written down is not shown.
    void lookUpThatCannotBeAudited_showsNothing()
    {
        const auto id = pay();
        m_bench->changeShop({QStringLiteral(
            "CREATE TRIGGER no_audit BEFORE INSERT ON support_audit BEGIN SELECT RAISE(ABORT, 'broken'); END")});
        QCOMPARE(ShopBench::answerOf(m_bench->supportLook(id)).status, 503);
        QCOMPARE(ShopBench::answerOf(m_bench->send("GET", "/v1/support/actions?q=1001", {}, {}, shop::kSupportToken)).status,
                 503);
    }

    void reset_forgetsTheAuditWithItsActions()
    {
        static_cast<void>(look(pay()));
        std::optional<bool> done;
        m_bench->source().reset([&done](bool emptied) { done = emptied; });
        QTRY_VERIFY(done.has_value() && *done);
        QVERIFY(auditRows().empty());
    }

private:
    values::ActionId pay()
    {
        const auto id = ShopBench::newAction();
        auto payment = m_bench->newPayment();
        payment.cart = m_paid == 0 ? "cart_1" : "own-" + QByteArray::number(m_paid);
        ++m_paid;
        if (ShopBench::answerOf(m_bench->pay(id, payment)).status != 201)
            qFatal("not paid");
        return id;
    }
    QJsonObject search(const QString& said)
    {
        const auto path = "/v1/support/actions?q=" + QUrl::toPercentEncoding(said);
        const auto answer = ShopBench::answerOf(m_bench->send("GET", path, {}, {}, shop::kSupportToken));
        if (answer.status != 200)
            qFatal("search: %d", answer.status);
        return answer.json();
    }
    QJsonObject look(const values::ActionId& id)
    {
        const auto answer = ShopBench::answerOf(m_bench->supportLook(id));
        if (answer.status != 200)
            qFatal("look: %d %s", answer.status, answer.body.constData());
        return answer.json();
    }
    std::vector<std::vector<std::string>> auditRows() { return m_bench->auditRows(); }

    int m_paid = 0;
};

QTEST_GUILESS_MAIN(TestSupportDesk)
#include "tst_support_desk.moc"
