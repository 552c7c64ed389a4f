// Support's rules as a table: the verdict, the sentence for the customer, and every deed's permission.
#include "console/support_rules.h"

#include <QtTest/QTest>

using namespace payonce::console;
using payonce::values::Currency;
using payonce::values::Money;
using payonce::values::RecordState;

namespace {

QByteArray bytes(std::string_view text)
{
    return {text.data(), static_cast<qsizetype>(text.size())};
}

Standing standing(std::optional<RecordState> state, OrderStanding order, int charges)
{
    Standing result;
    result.state = state;
    result.hasBankKey = state.has_value() && order != OrderStanding::None;
    result.hasEmail = state.has_value();
    result.charges = charges;
    result.order = order;
    result.orderNumber = "1001";
    result.amount = Money{4200, *Currency::fromCode("EUR")};
    return result;
}

/// The deeds that may be done, in their fixed order.
QByteArray permitted(const Standing& standing)
{
    QByteArray names;
    for (const Permission& permission : permissionsOf(standing))
        if (permission.unsafeBecause.empty())
            names += (names.isEmpty() ? "" : " ") + bytes(nameOf(permission.deed));
    return names;
}

} // namespace

Q_DECLARE_METATYPE(payonce::console::Standing)

namespace {

void row(const char* name, const Standing& given, const char* code, const char* sentence, const char* deeds)
{
    QTest::newRow(name) << given << QByteArray(code) << QByteArray(sentence) << QByteArray(deeds);
}

void addUsualStandings()
{
    using S = RecordState;
    using O = OrderStanding;
    row("paid", standing(S::Succeeded, O::Paid, 1), "charged_once",
        "Your payment of 42.00 EUR went through, once. Your order number is 1001.", "resend-receipt note unmask");
    row("declined", standing(S::Failed, O::Closed, 0), "not_charged",
        "The card was declined. You were not charged. You can pay with another card.", "note unmask");
    row("closed by the fence", standing(S::Abandoned, O::Closed, 0), "not_charged",
        "This payment was closed before anything was charged, and it can never be charged now. You can pay again.",
        "note unmask");
    row("tombstone", standing(S::Abandoned, O::None, 0), "not_charged",
        "This payment was closed before anything was charged, and it can never be charged now. You can pay again.",
        "note unmask");
    row("never arrived", standing({}, O::None, 0), "not_charged",
        "We have not received this payment, and nothing was charged. It can still reach us: let us close it before you pay "
        "again.",
        "close note");
    row("being worked on", standing(S::InProgress, O::Open, 0), "unknown_being_checked",
        "We are asking the bank whether your payment of 42.00 EUR went through. It cannot be charged twice; please do not pay "
        "again.",
        "ask-bank close note unmask");
    row("unknown", standing(S::Unknown, O::Open, 0), "unknown_being_checked",
        "We are asking the bank whether your payment of 42.00 EUR went through. It cannot be charged twice; please do not pay "
        "again.",
        "ask-bank close note unmask");
}

void addChargesWithoutTheirOrder()
{
    using S = RecordState;
    using O = OrderStanding;
    row("charged, not yet saved", standing(S::Unknown, O::Open, 1), "unknown_being_checked",
        "We are asking the bank whether your payment of 42.00 EUR went through. It cannot be charged twice; please do not pay "
        "again.",
        "ask-bank finish-order note unmask");
    row("charged, order left open", standing(S::Succeeded, O::Open, 1), "charged_order_open",
        "Your payment of 42.00 EUR went through, but your order is not finished yet. Please do not pay again.",
        "finish-order note unmask");
    row("charged, order cancelled", standing(S::Abandoned, O::Closed, 1), "charged_order_cancelled",
        "Your payment of 42.00 EUR went through, but your order was cancelled. We will put that right; please do not pay "
        "again.",
        "finish-order note unmask");
    row("charged, order unknown", standing({}, O::None, 1), "charged_order_open",
        "Your payment of 42.00 EUR went through, but your order is not finished yet. Please do not pay again.", "note");
    row("charged twice", standing(S::Succeeded, O::Paid, 2), "charged_twice",
        "Your payment of 42.00 EUR was charged more than once. That is our mistake, and we will put it right.",
        "resend-receipt note unmask");
    row("charged twice, order cancelled", standing(S::Abandoned, O::Closed, 2), "charged_twice",
        "Your payment of 42.00 EUR was charged more than once. That is our mistake, and we will put it right.", "note unmask");
    row("paid by the record, not by the bank", standing(S::Succeeded, O::Paid, 0), "not_charged",
        "Our records say that you paid, but the bank has no charge for it. We are looking into it; you have nothing to do.",
        "resend-receipt note unmask");
}

void addContradictionsAndGaps()
{
    using S = RecordState;
    using O = OrderStanding;
    Standing contradicted = standing(S::Succeeded, O::Paid, 1);
    contradicted.hasDiscrepancy = true;
    row("paid, and the bank tells of another charge", contradicted, "charged_order_cancelled",
        "Your payment of 42.00 EUR went through and your order number is 1001, but the bank has told us something else "
        "besides. We are looking into it; please do not pay again.",
        "resend-receipt note unmask");
    Standing held = standing(S::Abandoned, O::Closed, 1);
    held.cartHolder = "0A2C-4D5E";
    row("charged, and the cart was paid again", held, "charged_order_cancelled",
        "Your payment of 42.00 EUR went through, but your order was cancelled. We will put that right; please do not pay "
        "again.",
        "note unmask");
    Standing purged = standing(S::Succeeded, O::Paid, 1);
    purged.hasBankKey = purged.hasEmail = false;
    row("long ago", purged, "charged_once", "Your payment of 42.00 EUR went through, once. Your order number is 1001.", "note");
    Standing silent = standing(S::Succeeded, O::Paid, 0);
    silent.isBankSilent = true;
    row("paid by the record, and the bank is silent", silent, "unknown_being_checked",
        "We are asking the bank whether your payment of 42.00 EUR went through. It cannot be charged twice; please do not pay "
        "again.",
        "resend-receipt note unmask");
    silent.state = S::Unknown;
    silent.order = O::Open;
    row("unknown, and the bank is silent", silent, "unknown_being_checked",
        "We are asking the bank whether your payment of 42.00 EUR went through. It cannot be charged twice; please do not pay "
        "again.",
        "ask-bank note unmask");
    Standing signUp = standing(S::Succeeded, O::None, 0);
    signUp.isPayment = false;
    row("sign-up", signUp, "not_charged", "Your account is ready. See your mail. Nothing is charged for it.", "note unmask");
}

} // namespace

class SupportRulesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void standing_decidesEverything_data();
    void standing_decidesEverything();
    void cause_isToldInWords_data();
    void cause_isToldInWords();
    void everyDeed_isFoundByItsName();
    void nothing_chargesAgain();
    void everyRefusal_isASentence();
};

void SupportRulesTest::standing_decidesEverything_data()
{
    QTest::addColumn<Standing>("given");
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<QByteArray>("sentence");
    QTest::addColumn<QByteArray>("deeds");
    addUsualStandings();
    addChargesWithoutTheirOrder();
    addContradictionsAndGaps();
}

void SupportRulesTest::standing_decidesEverything()
{
    QFETCH(const Standing, given);
    QFETCH(const QByteArray, code);
    QFETCH(const QByteArray, sentence);
    QFETCH(const QByteArray, deeds);
    QCOMPARE(bytes(codeOf(verdictOf(given))), code);
    QCOMPARE(bytes(customerSentence(given)), sentence);
    QCOMPARE(permitted(given), deeds);
}

void SupportRulesTest::cause_isToldInWords_data()
{
    QTest::addColumn<QByteArray>("deed");
    QTest::addColumn<Standing>("given");
    QTest::addColumn<QByteArray>("part");
    using S = RecordState;
    using O = OrderStanding;
    Standing held = standing(S::Abandoned, O::Closed, 1);
    held.cartHolder = "0A2C-4D5E";
    QTest::newRow("close a charged one") << QByteArray("close") << standing(S::Unknown, O::Open, 1)
                                         << QByteArray("has charged");
    QTest::newRow("close an ended one") << QByteArray("close") << standing(S::Failed, O::Closed, 0) << QByteArray("ended");
    QTest::newRow("finish from nothing") << QByteArray("finish-order") << standing(S::Unknown, O::Open, 0)
                                         << QByteArray("no charge");
    QTest::newRow("finish a finished one") << QByteArray("finish-order") << standing(S::Succeeded, O::Paid, 1)
                                           << QByteArray("finished already");
    QTest::newRow("finish from two charges")
        << QByteArray("finish-order") << standing(S::Abandoned, O::Closed, 2) << QByteArray("more than once");
    QTest::newRow("finish into a taken cart") << QByteArray("finish-order") << held << QByteArray("0A2C-4D5E");
    QTest::newRow("ask of a tombstone") << QByteArray("ask-bank") << standing(S::Abandoned, O::None, 0)
                                        << QByteArray("never asked");
    Standing purged = standing(S::Succeeded, O::Paid, 1);
    purged.hasBankKey = false;
    QTest::newRow("ask of a purged one") << QByteArray("ask-bank") << purged << QByteArray("has ended");
    Standing silent = standing(S::Unknown, O::Open, 0);
    silent.isBankSilent = true;
    QTest::newRow("close while the bank is silent") << QByteArray("close") << silent << QByteArray("does not answer");
    QTest::newRow("receipt of nothing") << QByteArray("resend-receipt") << standing(S::Failed, O::Closed, 0)
                                        << QByteArray("not paid");
}

void SupportRulesTest::cause_isToldInWords()
{
    QFETCH(const QByteArray, deed);
    QFETCH(const Standing, given);
    QFETCH(const QByteArray, part);
    const auto cause = bytes(unsafeBecause(*supportDeedOf(deed.toStdString()), given));
    QVERIFY2(cause.contains(part), cause);
}

void SupportRulesTest::everyDeed_isFoundByItsName()
{
    for (const Permission& permission : permissionsOf({}))
        QVERIFY(supportDeedOf(nameOf(permission.deed)) == permission.deed);
    QVERIFY(!supportDeedOf("charge"));
    QVERIFY(!supportDeedOf(""));
    QVERIFY(!supportDeedOf("Close"));
}

void SupportRulesTest::nothing_chargesAgain()
{
    for (const Permission& permission : permissionsOf({}))
        QVERIFY(!bytes(nameOf(permission.deed)).contains("charge"));
}

void SupportRulesTest::everyRefusal_isASentence()
{
    for (const auto state : {std::optional<RecordState>(), std::optional(RecordState::InProgress),
                             std::optional(RecordState::Succeeded), std::optional(RecordState::Abandoned)})
        for (const auto order : {OrderStanding::None, OrderStanding::Open, OrderStanding::Paid, OrderStanding::Closed})
            for (int charges = 0; charges <= 2; ++charges)
                for (const Permission& permission : permissionsOf(standing(state, order, charges)))
                    QVERIFY(permission.unsafeBecause.empty() || permission.unsafeBecause.back() == '.');
}

QTEST_APPLESS_MAIN(SupportRulesTest)
#include "tst_support_rules.moc"
