#include "core/idempotency/ledger_states.h"

#include "core/idempotency/ledger_samples.h"

#include <QtTest/QTest>

#include <array>

using namespace payonce::idempotency;
using namespace payonce::samples;
using namespace std::chrono_literals;
using payonce::values::RecordState;

namespace payonce::tests {

namespace {

/// docs/contract.md, States of a record: from `state`, each call of kCalls leads to the state below it. `=`: it stays.
struct StateRow
{
    const char* state;
    std::array<const char*, 8> after;
};

constexpr std::array kCalls{"same claim",
                            "claim of another body",
                            "abandon",
                            "settle by the owner",
                            "settle by a displaced owner",
                            "mark unknown",
                            "settle by whoever hears the bank first",
                            "take over by the next run"};

// clang-format off
constexpr std::array kStates{
    StateRow{"absent",      {"in_progress", "in_progress", "abandoned", "=",         "=", "=",       "=",      "="}},
    StateRow{"in_progress", {"=",           "=",           "=",         "succeeded", "=", "unknown", "failed", "unknown"}},
    StateRow{"unknown",     {"=",           "=",           "=",         "succeeded", "=", "=",       "failed", "="}},
    StateRow{"succeeded",   {"=",           "=",           "=",         "=",         "=", "=",       "=",      "="}},
    StateRow{"failed",      {"=",           "=",           "=",         "=",         "=", "=",       "=",      "="}},
    StateRow{"abandoned",   {"=",           "=",           "=",         "=",         "=", "=",       "=",      "="}},
};
// clang-format on

} // namespace

void LedgerStates::everyCall_inEveryState_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("call");
    QTest::addColumn<QByteArray>("after");
    for (const StateRow& row : kStates) {
        for (std::size_t call = 0; call < kCalls.size(); ++call) {
            const QByteArray after(row.after.at(call));
            QTest::addRow("%s, %s", row.state, kCalls.at(call))
                << QByteArray(row.state) << QByteArray(kCalls.at(call)) << (after == "=" ? QByteArray(row.state) : after);
        }
    }
}

void LedgerStates::everyCall_inEveryState()
{
    QFETCH(const QByteArray, before);
    QFETCH(const QByteArray, call);
    QFETCH(const QByteArray, after);
    bringInto(before);
    QCOMPARE(state(), before);
    make(call);
    QCOMPARE(state(), after);
    bench().crash();
    QCOMPARE(state(), after);
}

void LedgerStates::bringInto(const QByteArray& state)
{
    if (state == "absent")
        return;
    const KeyRecord record = claimed(1);
    if (state == "unknown")
        markUnknown(ownershipOf(record));
    if (state == "succeeded")
        settle(ownershipOf(record), approved());
    if (state == "failed")
        settle(ownershipOf(record), declined());
    if (state == "abandoned")
        settle(ownershipOf(record), fenced());
}

void LedgerStates::make(const QByteArray& call)
{
    ClaimRequest other = request(1);
    other.fingerprint = fingerprint(2);
    const Ownership owner{kAccount, actionId(1), kServer, 1};
    const Ownership displaced{kAccount, actionId(1), kServer, 0};
    orFail(store().beginBatch());
    // A call about an absent record fails, and changes nothing.
    if (call == "same claim")
        (void)store().claim(request(1), stamp(2));
    if (call == "claim of another body")
        (void)store().claim(other, stamp(2));
    if (call == "abandon")
        (void)store().abandon({kAccount, actionId(1)}, {kServer, kNow});
    if (call == "settle by the owner")
        (void)store().settle(owner, approved(), kNow);
    if (call == "settle by a displaced owner")
        (void)store().settle(displaced, declined(), kNow);
    if (call == "mark unknown")
        (void)store().markUnknown(owner);
    if (call == "settle by whoever hears the bank first")
        (void)store().takeOverAndSettle({kAccount, actionId(1)}, {kOtherServer, kNow}, declined());
    if (call == "take over by the next run")
        (void)store().takeOverOpen(kNextRun, kNow, 100, {});
    orFail(store().commitBatch());
}

QByteArray LedgerStates::state()
{
    const auto record = found(1);
    return record ? QByteArray(values::nameOf(record->state)) : QByteArray("absent");
}

// docs/contract.md: another server's record only when its lease has lapsed; an earlier life's at once.
void LedgerStates::anotherServersRecord_isTakenOverOnceItsLeaseHasLapsed()
{
    const KeyRecord working = claimed(1, "cart-a");
    markUnknown(ownershipOf(claimed(2, "cart-b")));
    QVERIFY(takeOver(kOtherServer, kNow + 15s - 1ms).empty());
    QCOMPARE(found(1), std::optional(working));
    QCOMPARE(takeOver(kNextRun, kNow, 1).size(), std::size_t{1});
    const auto taken = takeOver(kOtherServer, kNow + 15s);
    QCOMPARE(taken.size(), std::size_t{2});
    QCOMPARE(taken.back().owner, std::string(kOtherServer));
}

void LedgerStates::lostServersRecord_isSettledByTheOther()
{
    const KeyRecord lost = claimed(1);
    const KeyRecord taken = takeOver(kOtherServer, kNow + 15s).front();
    QCOMPARE(taken.bankKey, lost.bankKey);
    const KeyRecord ended = settle(ownershipOf(taken), approved());
    QCOMPARE(ended.state, RecordState::Succeeded);
    QCOMPARE(settle(ownershipOf(lost), declined()), ended); // it was only slow
    QCOMPARE(std::get<AnswerFrom>(claim(request(1), stamp(2))).record, ended);
}

} // namespace payonce::tests
