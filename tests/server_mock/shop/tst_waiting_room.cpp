#include "shop/waiting_room.h"

#include <QtTest/QTest>

#include <chrono>

using namespace payonce;
using idempotency::KeyRecord;
using shop::WaitingRoom;

namespace {

values::ActionId actionNumber(std::uint8_t n)
{
    return values::ActionId::mint(*values::fromRfc3339("2026-11-30T12:00:00Z"), {0, 0, 0, 0, 0, 0, 0, 0, 0, n});
}

KeyRecord recordOf(const std::string& account, std::uint8_t n)
{
    const auto euro = *values::Currency::fromCode("EUR");
    return {.account = account,
            .id = actionNumber(n),
            .policyId = {},
            .fingerprint = {},
            .terms = idempotency::PaymentTerms{{}, {1, euro}, {}, {}, {}},
            .state = values::RecordState::Succeeded,
            .chargeId = "ch_1"};
}

constexpr std::chrono::seconds kLong{25};
constexpr std::chrono::milliseconds kShort{20};

} // namespace

class TestWaitingRoom : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void wake_reachesEverybodyWhoWaitsForThisRecordAndNobodyElse()
    {
        WaitingRoom room;
        int woken = 0;
        int others = 0;
        const auto here = [&woken](const std::optional<KeyRecord>& record) {
            woken += record && record->chargeId == "ch_1" ? 1 : 100;
        };
        const auto other = [&others](const auto&) { ++others; };
        QVERIFY(room.hold("acct_1", actionNumber(1), kLong, here));
        QVERIFY(room.hold("acct_1", actionNumber(1), kLong, here));
        QVERIFY(room.hold("acct_1", actionNumber(2), kLong, other));
        QVERIFY(room.hold("acct_2", actionNumber(1), kLong, other));

        room.wake(recordOf("acct_1", 1));
        room.wake(recordOf("acct_1", 1));

        QCOMPARE(woken, 2);
        QCOMPARE(others, 0);
        QCOMPARE(room.heldCount(), std::size_t{2});
    }

    void passedTime_wakesWithoutARecord()
    {
        WaitingRoom room;
        std::optional<std::optional<KeyRecord>> woken;

        QVERIFY(room.hold("acct_1", actionNumber(1), kShort, [&woken](const auto& record) { woken = record; }));

        QTRY_VERIFY(woken);
        QVERIFY(!*woken);
        QCOMPARE(room.heldCount(), std::size_t{0});
    }

    void guest_isNotWokenBeforeItsTime()
    {
        // From here on Qt's ordinary timers may be early.
        constexpr std::chrono::milliseconds kCoarse{2005};
        WaitingRoom room;
        std::optional<std::chrono::nanoseconds> after;
        const auto begin = std::chrono::steady_clock::now();

        QVERIFY(room.hold("acct_1", actionNumber(1), kCoarse,
                          [&](const auto&) { after = std::chrono::steady_clock::now() - begin; }));

        QTRY_VERIFY(after);
        QVERIFY(*after >= kCoarse);
    }

    void fullRoom_takesNobody()
    {
        WaitingRoom room;
        for (std::size_t i = 0; i < shop::kHeldMost; ++i)
            QVERIFY(room.hold("acct_1", actionNumber(1), kLong, [](const auto&) {}));

        bool woken = false;
        QVERIFY(!room.hold("acct_1", actionNumber(1), kLong, [&woken](const auto&) { woken = true; }));

        room.wake(recordOf("acct_1", 1));
        QVERIFY(!woken);
        QVERIFY(room.hold("acct_1", actionNumber(1), kLong, [](const auto&) {}));
    }

    void emptiedRoom_wakesNobody()
    {
        WaitingRoom room;
        bool woken = false;
        QVERIFY(room.hold("acct_1", actionNumber(1), kLong, [&woken](const auto&) { woken = true; }));

        room.empty();
        room.wake(recordOf("acct_1", 1));

        QVERIFY(!woken);
    }
};

QTEST_GUILESS_MAIN(TestWaitingRoom)
#include "tst_waiting_room.moc"
