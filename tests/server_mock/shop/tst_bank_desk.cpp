#include "shop/bank_desk.h"

#include <QtTest/QTest>

#include <vector>

using namespace payonce;
using idempotency::BankRow;
using idempotency::BankState;
using idempotency::KeyRecord;
using shop::BankDesk;

namespace {

/// Writes down what it is asked and answers when the test says so.
class SlowBank final : public bank::Bank
{
public:
    struct Call
    {
        std::string verb;
        values::BankKey key;
        bank::Answered done;
    };

    void charge(const bank::ChargeOrder& order, bank::Answered done) override
    {
        orders.push_back(order);
        calls.push_back({"charge", order.key, std::move(done)});
    }
    void lookup(const values::BankKey& key, bank::Answered done) override { calls.push_back({"lookup", key, std::move(done)}); }
    void fence(const values::BankKey& key, bank::Answered done) override { calls.push_back({"fence", key, std::move(done)}); }
    void exchange(const std::string&, std::function<void(std::optional<bank::ExchangedCard>)>) override
    {
        qFatal("not asked for");
    }

    std::vector<Call> calls;
    std::vector<bank::ChargeOrder> orders;
};

KeyRecord openRecord(std::uint8_t n)
{
    const auto noon = *values::fromRfc3339("2026-11-30T12:00:00Z");
    const values::UuidRandom bits{0, 0, 0, 0, 0, 0, 0, 0, 0, n};
    const auto euro = *values::Currency::fromCode("EUR");
    return {.account = "acct_1",
            .id = values::ActionId::mint(noon, bits),
            .policyId = {},
            .fingerprint = {},
            .terms = idempotency::PaymentTerms{"cart_1", {4200, euro}, "pm_1", {}, {}},
            .bankKey = values::BankKey::mint(noon, bits)};
}

constexpr std::chrono::seconds kLong{60};
constexpr std::chrono::milliseconds kShort{20};

} // namespace

class TestBankDesk : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyVerb_carriesTheOneBankKey()
    {
        SlowBank bank;
        BankDesk desk(bank, kLong);
        const KeyRecord record = openRecord(1);
        const auto ignore = [](const auto&) {};

        desk.charge(record, ignore);
        desk.lookup(record, ignore);
        desk.fence(record, ignore);

        QCOMPARE(bank.calls.size(), std::size_t{3});
        for (const auto& call : bank.calls)
            QVERIFY(call.key == *record.bankKey);
        QVERIFY(bank.orders.front().actionId == record.id);
        QVERIFY(bank.orders.front().amount == record.terms->amount);
        QCOMPARE(bank.orders.front().paymentMethod, record.terms->paymentMethod);
    }

    void answer_isToldAndTheActionIsFree()
    {
        SlowBank bank;
        BankDesk desk(bank, kLong);
        std::optional<BankRow> told;
        desk.charge(openRecord(1), [&told](const auto& row) { told = row; });
        QCOMPARE(desk.asking(), std::vector{openRecord(1).id});

        bank.calls.front().done({BankRow{BankState::Approved, "ch_1", ""}});

        QVERIFY(told);
        QCOMPARE(told->chargeId, std::string("ch_1"));
        QVERIFY(desk.asking().empty());
    }

    void silentBank_isUnknownAfterTheLimitAndItsLateAnswerIsDropped()
    {
        SlowBank bank;
        BankDesk desk(bank, kShort);
        int told = 0;
        std::optional<BankRow> row{BankRow{}};
        desk.charge(openRecord(1), [&](const auto& came) {
            ++told;
            row = came;
        });

        QTRY_COMPARE(told, 1);
        bank.calls.front().done({BankRow{BankState::Approved, "ch_1", ""}});

        QCOMPARE(told, 1);
        QVERIFY(!row);
        QVERIFY(desk.asking().empty());
    }

    void forgottenCall_tellsNobody()
    {
        SlowBank bank;
        BankDesk desk(bank, kLong);
        bool told = false;
        desk.lookup(openRecord(1), [&told](const auto&) { told = true; });

        desk.forgetAll();
        bank.calls.front().done({BankRow{}});

        QVERIFY(!told);
        QVERIFY(desk.asking().empty());
    }

    void answerAfterTheDeskIsGone_isHarmless()
    {
        SlowBank bank;
        bool told = false;
        {
            BankDesk desk(bank, kLong);
            desk.lookup(openRecord(1), [&told](const auto&) { told = true; });
        }

        bank.calls.front().done({BankRow{}});

        QVERIFY(!told);
    }
};

QTEST_GUILESS_MAIN(TestBankDesk)
#include "tst_bank_desk.moc"
