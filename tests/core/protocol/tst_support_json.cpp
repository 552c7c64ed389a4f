#include "protocol/support_json.h"

#include <QtTest/QTest>

using namespace payonce;
using namespace payonce::protocol;

namespace {

QByteArray bytes(const std::string& text)
{
    return QByteArray::fromStdString(text);
}

values::ActionId id()
{
    return values::ActionId::parse("0198c0de-7a11-7c3e-9f00-6b1f0a2c4d5e").value();
}

console::SupportHit hit()
{
    console::SupportHit result{.id = id()};
    result.account = "acct_1";
    result.kind = "payment";
    result.state = values::RecordState::Succeeded;
    result.code = console::VerdictCode::ChargedOnce;
    result.amount = values::Money{4200, *values::Currency::fromCode("EUR")};
    result.email = "a***@example.com";
    result.lastFour = "4242";
    result.orderNumber = "1001";
    result.at = values::fromRfc3339("2026-11-30T10:00:00Z").value();
    return result;
}

const QByteArray kHit =
    R"({"action_id":"0198c0de-7a11-7c3e-9f00-6b1f0a2c4d5e","reference":"0A2C-4D5E","account":"acct_1",)"
    R"("kind":"payment","state":"succeeded","code":"charged_once","amount":{"value":4200,"currency":"EUR"},)"
    R"("email":"a***@example.com","last4":"4242","order_number":"1001","at":"2026-11-30T10:00:00.000Z")";

} // namespace

class SupportJsonTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void page_isAsTheContractSays();
    void view_isAsTheContractSays();
    void unseenAction_isAbsent();
    void deed_isAsTheContractSays();
};

void SupportJsonTest::page_isAsTheContractSays()
{
    const QByteArray one = R"({"results":[)" + kHit + R"(}],"more":true,"bank_answers":true})";
    const QByteArray none = R"({"results":[],"more":false,"bank_answers":true})";
    QCOMPARE(bytes(renderSupportPage({{hit()}, true})), one);
    QCOMPARE(bytes(renderSupportPage({})), none);
}

void SupportJsonTest::view_isAsTheContractSays()
{
    console::SupportView view{.action = {.hit = hit()}};
    view.customerSentence = "Paid.";
    view.asOf = hit().at;
    view.action.order = console::OrderStanding::Paid;
    view.action.orderId = "ord_1";
    view.action.cartId = "cart_1";
    view.action.charges = 1;
    console::TimelineRow lost;
    lost.seq = 1;
    lost.source = console::Teller::Client;
    lost.kind = "attempt_lost";
    lost.attempt = 1;
    lost.words = "Attempt 1 never reached us.";
    console::TimelineRow again;
    again.seq = 2;
    again.at = hit().at;
    again.source = console::Teller::Arrival;
    again.kind = "payment_again";
    again.words = "Again.";
    again.amount = hit().amount;
    again.ids = {{"charge", "ch_1"}};
    again.replayOf = 1;
    view.timeline = {lost, again};
    view.allowed = {{console::SupportDeed::Close, "It has ended."}, {console::SupportDeed::Note, ""}};
    const QByteArray expected =
        R"({"verdict":"charged once","code":"charged_once","customer_sentence":"Paid.","as_of":"2026-11-30T10:00:00.000Z",)"
        R"("bank_answers":true,"action":)" +
        kHit +
        R"(,"purged":false,"cancel_requested":false,"discrepancy":false,"reason":null,"held_by":null,"cart_id":"cart_1",)"
        R"("order":{"id":"ord_1","number":"1001","status":"paid"},"payment_id":null,"charge_id":null,"decline_code":null,)"
        R"("bank_key":null,"charges":1,"settled_at":null,"valid_until":null},)"
        R"("timeline":[{"seq":1,"at":null,"source":"client","kind":"attempt_lost","attempt":1,)"
        R"("words":"Attempt 1 never reached us.","amount":null,"ids":{},"replay_of":null},)"
        R"({"seq":2,"at":"2026-11-30T10:00:00.000Z","source":"arrival","kind":"payment_again","attempt":null,"words":"Again.",)"
        R"("amount":{"value":4200,"currency":"EUR"},"ids":{"charge":"ch_1"},"replay_of":1}],"neighbours":[],)"
        R"("allowed":[{"do":"close","unsafe_because":"It has ended."},{"do":"note","unsafe_because":null}]})";
    QCOMPARE(bytes(renderSupportView(view)), expected);
}

void SupportJsonTest::unseenAction_isAbsent()
{
    const auto page = bytes(renderSupportPage({{console::SupportHit{.id = id()}}, false}));
    const QByteArray part = R"("state":"absent","code":"not_charged","amount":null,"email":null)";
    QVERIFY(page.contains(part));
}

void SupportJsonTest::deed_isAsTheContractSays()
{
    const QByteArray head = R"({"action_id":"0198c0de-7a11-7c3e-9f00-6b1f0a2c4d5e","kind":"support","state":"succeeded",)";
    const QByteArray target = R"("target":"0198c0de-7a11-7c3e-9f00-6b1f0a2c4d5e","words":"Kept.")";
    const QByteArray note = head + R"("do":"note",)" + target + '}';
    const QByteArray unmask = head + R"("do":"unmask",)" + target + R"(,"email":"a@example.com"})";
    QCOMPARE(bytes(renderSupportDone({id(), console::SupportDeed::Note, id(), "Kept.", ""})), note);
    QCOMPARE(bytes(renderSupportDone({id(), console::SupportDeed::Unmask, id(), "Kept.", "a@example.com"})), unmask);
}

QTEST_APPLESS_MAIN(SupportJsonTest)
#include "tst_support_json.moc"
