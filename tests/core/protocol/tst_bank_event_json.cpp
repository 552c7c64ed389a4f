#include "protocol/bank_event_json.h"

#include <QtTest/QTest>

using namespace payonce;
using idempotency::BankState;
using protocol::parseBankEvent;
using protocol::renderBankEvent;

namespace {

const QByteArray kSucceeded = R"({"type":"charge.succeeded","timestamp":"2026-11-30T10:00:00.000Z","data":)"
                              R"({"bank_key":"0198c0de-7a11-7c3e-9f00-0000000000a1","charge_id":"ch_1","sequence":2,)"
                              R"("amount":{"value":4200,"currency":"EUR"}}})";
const QByteArray kDeclined = R"({"type":"charge.declined","timestamp":"2026-11-30T10:00:00.000Z","data":)"
                             R"({"bank_key":"0198c0de-7a11-7c3e-9f00-0000000000a1","decline_code":"expired_card","sequence":2,)"
                             R"("amount":{"value":4200,"currency":"EUR"}}})";

} // namespace

class TestBankEventJson : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void event_isReadAndWrittenByteForByte_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::newRow("succeeded") << kSucceeded;
        QTest::newRow("declined") << kDeclined;
    }
    void event_isReadAndWrittenByteForByte()
    {
        QFETCH(QByteArray, body);
        const auto event = parseBankEvent("evt_1", body.toStdString());
        QVERIFY(event.has_value());
        QCOMPARE(event->id, std::string("evt_1"));
        QCOMPARE(event->sequence, std::int64_t{2});
        QCOMPARE(event->amount.minorUnits, std::int64_t{4200});
        QCOMPARE(QByteArray::fromStdString(renderBankEvent(*event)), body);
    }

    void unknownMembers_areLeftAlone()
    {
        QByteArray body = kSucceeded;
        body.replace(R"("data":{)", R"("livemode":false,"data":{"network":"x",)");
        const auto event = parseBankEvent("evt_1", body.toStdString());
        QVERIFY(event.has_value());
        QCOMPARE(event->row.chargeId, std::string("ch_1"));
        QCOMPARE(static_cast<int>(event->row.state), static_cast<int>(BankState::Approved));
    }

    void badEvent_isRefusedAndNamesTheMember_data()
    {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* name, const char* from, const char* to, const char* says) {
            QTest::newRow(name) << QByteArray(from) << QByteArray(to) << QByteArray(says);
        };
        row("other type", "charge.succeeded", "charge.refunded", "type");
        row("no type", R"("type":"charge.succeeded",)", "", "type");
        row("no time", R"("timestamp":"2026-11-30T10:00:00.000Z",)", "", "timestamp");
        row("bad time", "2026-11-30T10:00:00.000Z", "yesterday", "timestamp");
        row("no data", R"("data":{)", R"("date":{)", "data");
        row("key of version 4", "7a11-7c3e", "7a11-4c3e", "data.bank_key");
        row("no key", R"("bank_key")", R"("bank_kez")", "data.bank_key");
        row("no charge", R"("charge_id":"ch_1",)", "", "data.charge_id");
        row("empty charge", R"("ch_1")", R"("")", "data.charge_id");
        row("sequence 0", R"("sequence":2)", R"("sequence":0)", "data.sequence");
        row("sequence as a fraction", R"("sequence":2)", R"("sequence":2.0)", "data.sequence");
        row("amount as text", "4200", R"("4200")", "data.amount");
        row("amount as a fraction", "4200", "4200.0", "data.amount");
        row("amount 0", "4200", "0", "data.amount");
        row("unknown currency", "EUR", "EUX", "data.amount");
    }
    void badEvent_isRefusedAndNamesTheMember()
    {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QFETCH(QByteArray, says);
        QVERIFY(kSucceeded.contains(from));
        const auto event = parseBankEvent("evt_1", QByteArray(kSucceeded).replace(from, to).toStdString());
        QVERIFY(!event);
        QCOMPARE(static_cast<int>(event.error().code), static_cast<int>(idempotency::ProblemCode::MemberInvalid));
        QVERIFY2(QByteArray::fromStdString(event.error().detail).contains(says), event.error().detail.c_str());
    }

    void bodyThatIsNoJson_isRefused_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("cut off") << kSucceeded.left(40);
        QTest::newRow("a member twice") << QByteArray(kSucceeded).replace(R"("sequence":2)", R"("sequence":2,"sequence":3)");
    }
    void bodyThatIsNoJson_isRefused()
    {
        QFETCH(QByteArray, body);
        const auto event = parseBankEvent("evt_1", body.toStdString());
        QVERIFY(!event);
        QCOMPARE(static_cast<int>(event.error().code), static_cast<int>(idempotency::ProblemCode::BodyInvalid));
    }
};

QTEST_APPLESS_MAIN(TestBankEventJson)
#include "tst_bank_event_json.moc"
