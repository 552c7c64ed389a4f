#include "core/idempotency/ledger_fixture.h"

#include "core/idempotency/ledger_samples.h"

#include <QtTest/QTest>

using namespace payonce::idempotency;
using namespace payonce::samples;
using namespace std::chrono_literals;

namespace payonce::tests {

LedgerFixture::LedgerFixture(MakeBench makeBench) : m_makeBench(std::move(makeBench)) {}

ClaimDecision LedgerFixture::claim(const ClaimRequest& request, const ClaimStamp& stamp)
{
    return inBatch(store(), [&] { return store().claim(request, stamp); });
}

KeyRecord LedgerFixture::claimed(std::uint8_t number, const std::string& cartId)
{
    const auto decision = claim(request(number, cartId), stamp(number));
    return std::get<Execute>(decision).record;
}

OnceDecision LedgerFixture::claimOnce(const OnceRequest& request, values::WallTime now, const StoredAnswer& answer)
{
    orFail(store().beginBatch());
    const auto work = [&](const KeyRecord&) -> values::Result<OnceOutcome, StoreError> {
        ++m_runs;
        return answer;
    };
    auto decision = valueOrFail(store().claimOnce(request, {kServer, now}, work));
    orFail(store().commitBatch());
    return decision;
}

KeyRecord LedgerFixture::settle(const Ownership& by, const BankRow& row)
{
    return inBatch(store(), [&] { return store().settle(by, row, kNow + 1s); });
}

AbandonDecision LedgerFixture::abandon(std::uint8_t number, const std::string& account)
{
    return inBatch(store(), [&] { return store().abandon({account, actionId(number)}, {kServer, kNow}); });
}

KeyRecord LedgerFixture::takeOverAndSettle(std::uint8_t number, const std::string& owner, const BankRow& row)
{
    return inBatch(store(), [&] { return store().takeOverAndSettle({kAccount, actionId(number)}, {owner, kNow + 1s}, row); });
}

KeyRecord LedgerFixture::markUnknown(const Ownership& by)
{
    return inBatch(store(), [&] { return store().markUnknown(by); });
}

std::vector<KeyRecord> LedgerFixture::takeOver(const std::string& owner, values::WallTime now, int limit,
                                               const std::vector<values::ActionId>& busy)
{
    return inBatch(store(), [&] { return store().takeOverOpen(owner, now, limit, busy); });
}

void LedgerFixture::raiseWatermark(values::WallTime to)
{
    orFail(store().beginBatch());
    valueOrFail(store().raiseWatermark(to));
    orFail(store().commitBatch());
}

int LedgerFixture::purge(int limit)
{
    orFail(store().beginBatch());
    const int gone = valueOrFail(store().purge(limit));
    orFail(store().commitBatch());
    return gone;
}

std::optional<KeyRecord> LedgerFixture::foundPurged(std::uint8_t number)
{
    return valueOrFail(store().findPurged({kAccount, actionId(number)}));
}

std::optional<KeyRecord> LedgerFixture::found(std::uint8_t number)
{
    return valueOrFail(store().find(kAccount, actionId(number)));
}

void LedgerFixture::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_runs = 0;
    LedgerNumbers numbers;
    numbers.openRecordsMost = 20;
    numbers.tombstonesMost = 5;
    m_bench = m_makeBench(numbers);
    m_bench->addPaymentMethod(kAccount, kCard);
    m_bench->addPaymentMethod(kOther, kCard + std::string("_b"));
}

void LedgerFixture::cleanup()
{
    m_bench.reset();
}

} // namespace payonce::tests
