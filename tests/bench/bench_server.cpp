#include "bench/bench_server.h"

#include "bench/bare_ledger.h"
#include "bench/shop_load.h"
#include "idempotency/ledger_store.h"
#include "storage/server_ledger.h"
#include "storage/shop_tables.h"
#include "support/fresh_id.h"
#include "values/check.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace payonce::bench {

namespace {

using idempotency::ClaimRequest;
using idempotency::ClaimStamp;

constexpr int kWarmUps = 1000;
constexpr int kSmallLedger = 10'000;
constexpr int kClaims = 3200;
constexpr int kMemoryParts = 10;
constexpr values::WallTime kNow{std::chrono::milliseconds(1'796'032'800'000)};

std::string timesOf(const LoadResult& result)
{
    std::string words = "p50 " + inMilliseconds(result.times.median()) + ", p99 " + inMilliseconds(result.times.percentile(99));
    if (result.refused > 0)
        words += ", REFUSED " + std::to_string(result.refused);
    return words;
}

Figure throughput(const std::string& what, const LoadResult& ours, const std::string& besideWhat, double beside, int percent)
{
    return {what + " (50 connections, " + std::to_string(ours.times.count()) + " requests)",
            inRate(ours.perSecond()) + ", " + timesOf(ours),
            besideWhat + ": " + inRate(beside) + " | " + inPercent(ours.perSecond() / beside),
            ">= " + std::to_string(percent) + " %", ours.refused == 0 && 100 * ours.perSecond() >= percent * beside};
}

void warmUp(ShopLoad& shop)
{
    CHECK(shop.pay(mintKeys(kWarmUps, KeyOrder::AsMade)).refused == 0);
}

template <class Id> Id freshId()
{
    return Id::mint(kNow, support::randomBits());
}

/// `count` paid records with their orders, as if a month of payments lay behind; written in one go.
void fillLedger(storage::Database& database, int count)
{
    const auto numbers =
        QStringLiteral("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %1) ").arg(count);
    CHECK(database.begin());
    CHECK(database.execute(
        QStringLiteral(
            "INSERT INTO key_records (account, action_id, kind, policy_id, fingerprint, cart_id, amount_minor, currency, "
            "payment_method, email, valid_until, state, owner, fence, lease_until, bank_key, first_seen, settled_at, "
            "payment_id, order_id, charge_id, answer_status, answer_body) ") +
        numbers +
        QStringLiteral("SELECT 'acct_' || (i % 50), printf('01980000-%04x-7%03x-9f00-%012x', i >> 12, i & 4095, i), "
                       "'payment', 'payonce-1', randomblob(32), 'own-' || i, 4200, 'EUR', 'pm_1', 'a@example.com', 1, "
                       "'succeeded', 'old', i, 1, printf('01980000-%04x-7%03x-9f01-%012x', i >> 12, i & 4095, i), i, i, "
                       "'pay_' || i, 'ord_' || i, 'ch_' || i, 201, randomblob(320) FROM n")));
    CHECK(database.execute(
        QStringLiteral("INSERT INTO orders (id, number, account, action_id, cart_id, amount_minor, currency, status, "
                       "payment_id, charge_id, policy_id, fingerprint, created_at, settled_at) SELECT order_id, 100000 + "
                       "fence, account, action_id, cart_id, amount_minor, currency, 'paid', payment_id, charge_id, policy_id, "
                       "fingerprint, first_seen, settled_at FROM key_records")));
    CHECK(database.commit());
}

ClaimRequest claimOf(int number)
{
    const auto euro = values::Currency::fromCode("EUR");
    CHECK(euro);
    return {"acct_" + std::to_string(number % 50),
            freshId<values::ActionId>(),
            "payonce-1",
            {},
            {"new-" + std::to_string(number), {4200, *euro}, "pm_bench", "a@example.com", kNow + std::chrono::minutes(15)}};
}

Samples claims(int stored)
{
    const QTemporaryDir directory;
    const auto database = storage::openShopDatabase(directory.filePath(QStringLiteral("shop.sqlite")));
    CHECK(database);
    fillLedger(**database, stored);
    storage::ServerLedger ledger(**database, [](const idempotency::KeyRecord&) {
        return idempotency::StoredAnswer{201, "{}"};
    });
    storage::ShopTables tables(**database);
    Samples samples;
    for (int number = 0; number < kClaims;) {
        const auto start = BenchClock::now();
        CHECK(ledger.beginBatch());
        for (int n = 0; n < kGroup; ++n, ++number) {
            const auto name = std::to_string(number);
            const ClaimStamp stamp{"bench", kNow, freshId<values::BankKey>(), "pay_new" + name, "ord_new" + name};
            const auto claimed = ledger.claim(claimOf(number), stamp);
            CHECK(claimed);
        }
        CHECK(ledger.commitBatch());
        samples.add(since(start) / kGroup);
    }
    return samples;
}

} // namespace

std::vector<Figure> benchFreshPayments(const ServerBench& bench)
{
    ShopLoad shop;
    warmUp(shop);
    const auto asMade = shop.pay(mintKeys(bench.payments, KeyOrder::AsMade));
    const auto shuffled = shop.pay(mintKeys(bench.payments, KeyOrder::Shuffled));
    shop.stop();
    BareLedger bare(shop.directory());
    const int count = bench.payments / kGroup * kGroup;
    const double bareRate = count * 1e6 / static_cast<double>(bare.run(count).count());
    const std::string besideWhat = "bare claim, bank row and result on the same files, 32 a commit";
    return {throughput("Fresh payments through HTTP, keys as the app makes them", asMade, besideWhat, bareRate, 40),
            throughput("Fresh payments through HTTP, keys with shuffled times", shuffled, besideWhat, bareRate, 40)};
}

std::vector<Figure> benchReplays(const ServerBench& bench)
{
    ShopLoad shop;
    warmUp(shop);
    auto keys = mintKeys(bench.payments, KeyOrder::AsMade);
    CHECK(shop.pay(keys).refused == 0);
    const auto asMade = shop.pay(keys, Waiting::Awake);
    std::shuffle(keys.begin(), keys.end(), *QRandomGenerator::global());
    const auto shuffled = shop.pay(keys, Waiting::Awake);
    const auto bare = shop.askHealth(bench.payments, ShopLoad::Bytes::Bare);
    const auto alike = shop.askHealth(bench.payments, ShopLoad::Bytes::LikePayments);
    const std::string besideBare = "bare answer of the same server (/healthz)";
    const std::string besideAlike = "bare answer to the bytes of a payment";
    return {throughput("Replays, in the order of the payments", asMade, besideAlike, alike.perSecond(), 50),
            throughput("Replays, in random order", shuffled, besideAlike, alike.perSecond(), 50),
            throughput("Replays, in the order of the payments", asMade, besideBare, bare.perSecond(), 50),
            throughput("Replays, in random order", shuffled, besideBare, bare.perSecond(), 50)};
}

std::vector<Figure> benchStoredRecords(const ServerBench& bench)
{
    const auto few = claims(kSmallLedger);
    const auto many = claims(bench.stored);
    return {{"One durable claim of a batch of 32, with " + std::to_string(bench.stored) + " stored records",
             "p50 " + inMilliseconds(many.median()) + ", p99 " + inMilliseconds(many.percentile(99)),
             "with " + std::to_string(kSmallLedger) + ": p50 " + inMilliseconds(few.median()) + " | ratio " +
                 asRatio(many.median(), few.median()),
             "<= 1.5 x", static_cast<double>(many.median().count()) <= 1.5 * static_cast<double>(few.median().count())}};
}

std::vector<Figure> benchMemory(const ServerBench& bench)
{
    ShopLoad shop;
    std::int64_t early = 0;
    std::int64_t last = 0;
    int refused = 0;
    for (int part = 0; part < kMemoryParts; ++part) {
        refused += shop.pay(mintKeys(bench.memoryOver / kMemoryParts, KeyOrder::AsMade)).refused;
        last = shop.residentKib();
        if (part == 0)
            early = last;
    }
    const double ratio = static_cast<double>(last) / static_cast<double>(early);
    std::array<char, 32> words{};
    std::snprintf(words.data(), words.size(), "%.2f x", ratio);
    return {{"Resident memory of the server after " + std::to_string(bench.memoryOver) + " payments",
             std::to_string(last / 1024) + " MiB" + (refused > 0 ? ", REFUSED " + std::to_string(refused) : ""),
             "after a tenth of them: " + std::to_string(early / 1024) + " MiB | ratio " + words.data(), "<= 1.2 x",
             refused == 0 && ratio <= 1.2}};
}

} // namespace payonce::bench
