#include "core/storage/durable_ledger.h"

#include <QtTest/QTest>

#include <atomic>
#include <barrier>
#include <mutex>
#include <set>
#include <thread>

using namespace payonce::idempotency;
using namespace payonce::samples;
using namespace std::chrono_literals;
using payonce::values::RecordState;

namespace payonce::tests {

namespace {

constexpr int kServers = 32;
/// Nobody gives up in a race.
constexpr storage::OpenOptions kPatient{60s};

std::string ownerOf(int server)
{
    return "home-" + std::to_string(server) + "/run-1";
}

ClaimStamp stampOf(int server, int nth = 0)
{
    const auto number = static_cast<std::uint8_t>(server + 1);
    ClaimStamp made = stamp(number, kNow, ownerOf(server));
    values::UuidRandom random{};
    random[random.size() - 2] = number;
    random.back() = static_cast<std::uint8_t>(nth);
    made.bankKey = values::BankKey::mint(kNow, random);
    made.paymentId += "_" + std::to_string(nth);
    made.orderId += "_" + std::to_string(nth);
    return made;
}

/// `work` of each server, on a thread and a connection of its own, all at once.
void race(const storage::Location& place, int servers, const std::function<void(ShopDatabase&, int)>& work)
{
    std::barrier start(servers);
    std::vector<std::thread> threads;
    for (int server = 0; server < servers; ++server)
        threads.emplace_back([&, server] {
            ShopDatabase shop({}, place, kPatient);
            start.arrive_and_wait();
            work(shop, server);
        });
    for (std::thread& thread : threads)
        thread.join();
}

template <class Kind> int countOf(const std::vector<ClaimDecision>& decisions)
{
    return static_cast<int>(std::count_if(decisions.begin(), decisions.end(),
                                          [](const ClaimDecision& one) { return std::holds_alternative<Kind>(one); }));
}

/// What each server was told; `request` is made for its number.
std::vector<ClaimDecision> claimAtOnce(const storage::Location& place, const std::function<ClaimRequest(int)>& request)
{
    std::mutex mutex;
    std::vector<ClaimDecision> decisions;
    race(place, kServers, [&](ShopDatabase& shop, int server) {
        auto told = inBatch(shop.ledger(), [&] { return shop.ledger().claim(request(server), stampOf(server)); });
        const std::lock_guard lock(mutex);
        decisions.push_back(std::move(told));
    });
    return decisions;
}

} // namespace

DurableLedger::DurableLedger(const MakePlace& makePlace)
    : LedgerConformance(
          [makePlace](const LedgerNumbers& numbers) { return std::make_unique<DurableBench>(numbers, makePlace()); }),
      m_makePlace(makePlace)
{
}

void DurableLedger::failingCall_doesNotUndoTheOthersOfItsBatch()
{
    claimed(1, "cart-a");
    orFail(store().beginBatch());
    valueOrFail(store().claim(request(2, "cart-b"), stamp(2)));
    // An order id that is taken: the record is written before the order says no.
    ClaimStamp clash = stamp(3);
    clash.orderId = stamp(1).orderId;
    const auto refused = store().claim(request(3, "cart-c"), clash);
    QVERIFY(!refused);
    QCOMPARE(refused.error(), StoreError::Unavailable);
    valueOrFail(store().claim(request(4, "cart-d"), stamp(4)));
    orFail(store().commitBatch());
    bench().crash();

    QVERIFY(found(2) && !found(3) && found(4));
    QCOMPARE(found(4)->orderNumber, std::string("1003"));
}

void DurableLedger::undoneWork_takesItsRowsWithItAndNothingElse_data()
{
    QTest::addColumn<bool>("refuses");
    QTest::newRow("it fails") << false;
    QTest::newRow("it refuses") << true;
}

void DurableLedger::undoneWork_takesItsRowsWithItAndNothingElse()
{
    QFETCH(const bool, refuses);
    const auto save = [this](const char* id) {
        return shop().tables().savePaymentMethod({id, kAccount, "visa", "4242", kNow + 24h}, kNow).has_value();
    };
    const auto done = [&](const KeyRecord&) -> values::Result<OnceOutcome, StoreError> {
        return save("pm_kept") ? StoredAnswer{201, "{}"} : StoredAnswer{500, {}};
    };
    const auto undone = [&](const KeyRecord&) -> values::Result<OnceOutcome, StoreError> {
        if (!save("pm_undone") || !refuses)
            return values::Failure(StoreError::Damaged);
        return RefuseClaim{ProblemCode::Forbidden, {}};
    };
    orFail(store().beginBatch());
    QVERIFY(save("pm_before"));
    const auto outcome = store().claimOnce(onceRequest(1), {kServer, kNow}, undone);
    QVERIFY(store().claimOnce(onceRequest(2), {kServer, kNow}, done));
    orFail(store().commitBatch());
    bench().crash();

    QCOMPARE(outcome.has_value(), refuses);
    QVERIFY(!found(1) && found(2));
    const auto isKept = [this](const char* id) { return shop().tables().findPaymentMethod(kAccount, id, kNow)->has_value(); };
    QVERIFY(isKept("pm_before") && isKept("pm_kept"));
    QVERIFY(!isKept("pm_undone"));
}

void DurableLedger::lockedDatabase_beginsNoBatch()
{
    ShopDatabase blocked({}, shop().place(), {1ms});
    orFail(store().beginBatch());
    QCOMPARE(blocked.ledger().beginBatch().error(), StoreError::Locked);
    orFail(store().commitBatch());
    orFail(blocked.ledger().beginBatch());
    orFail(blocked.ledger().commitBatch());
}

void DurableLedger::damagedRow_isDamaged_data()
{
    QTest::addColumn<QString>("change");
    QTest::newRow("currency") << QStringLiteral("currency = 'XXX1'");
    QTest::newRow("reason") << QStringLiteral("state = 'abandoned', reason = 'tired'");
    QTest::newRow("bank key") << QStringLiteral("bank_key = 'not-a-uuid'");
}

void DurableLedger::damagedRow_isDamaged()
{
    QFETCH(const QString, change);
    claimed(1);
    QVERIFY(shop().database().execute(QStringLiteral("UPDATE key_records SET ") + change));
    QCOMPARE(store().find(kAccount, actionId(1)).error(), StoreError::Damaged);
    orFail(store().beginBatch());
    QCOMPARE(store().claim(request(1), stamp(2)).error(), StoreError::Damaged);
    QCOMPARE(store().settle({kAccount, actionId(1), kServer, 1}, approved(), kNow).error(), StoreError::Damaged);
    orFail(store().commitBatch());
    QCOMPARE(shop().tables().newestRecords(10).error(), StoreError::Damaged);
}

void DurableLedger::expiredCard_isNotKnown()
{
    ClaimRequest asked = request(2, "cart-b");
    asked.terms.validUntil = kNow + 25h;
    QVERIFY(std::holds_alternative<Execute>(claim(asked, stamp(2, kNow + 24h - 1ms))));
    asked.id = actionId(3);
    asked.terms.cartId = "cart-c";
    QCOMPARE(std::get<RefuseClaim>(claim(asked, stamp(3, kNow + 24h))).code, ProblemCode::MemberInvalid);
}

// Hole 1: a double click that reaches two servers.
void DurableLedger::claimersOfOneKey_executeOnce()
{
    const auto decisions = claimAtOnce(shop().place(), [](int) { return request(1); });
    QCOMPARE(countOf<Execute>(decisions), 1);
    QCOMPARE(countOf<AnswerFrom>(decisions), kServers - 1);
    const KeyRecord record = found(1).value();
    for (const ClaimDecision& one : decisions)
        if (const auto* answer = std::get_if<AnswerFrom>(&one))
            QCOMPARE(answer->record, record);
    QCOMPARE(bench().orders().size(), std::size_t{1});
}

void DurableLedger::claimersOfOneCart_executeOnce()
{
    const auto decisions =
        claimAtOnce(shop().place(), [](int server) { return request(static_cast<std::uint8_t>(server + 1)); });
    QCOMPARE(countOf<Execute>(decisions), 1);
    QCOMPARE(countOf<WriteTombstone>(decisions), kServers - 1);
    const auto holder = bench().orders().front().actionId;
    for (const ClaimDecision& one : decisions)
        if (const auto* tombstone = std::get_if<WriteTombstone>(&one))
            QCOMPARE(tombstone->record.heldBy, holder.toString());
}

void DurableLedger::claimers_neverShareAFenceOrAnOrderNumber()
{
    constexpr int kEach = 3;
    std::mutex mutex;
    std::set<FenceNumber> fences;
    std::set<int> numbers;
    race(shop().place(), kServers, [&](ShopDatabase& shop, int server) {
        for (int nth = 0; nth < kEach; ++nth) {
            ClaimRequest asked = request(1, "cart-" + std::to_string(server) + "-" + std::to_string(nth));
            values::UuidRandom random{};
            random[random.size() - 2] = static_cast<std::uint8_t>(server);
            random.back() = static_cast<std::uint8_t>(nth);
            asked.id = values::ActionId::mint(kNow, random);
            const auto told = inBatch(shop.ledger(), [&] { return shop.ledger().claim(asked, stampOf(server, nth)); });
            const KeyRecord record = std::get<Execute>(told).record;
            const std::lock_guard lock(mutex);
            fences.insert(record.fence);
            numbers.insert(std::stoi(record.orderNumber));
        }
    });
    QCOMPARE(fences.size(), static_cast<std::size_t>(kServers * kEach));
    QCOMPARE(*numbers.begin(), 1001);
    QCOMPARE(*numbers.rbegin(), 1000 + kServers * kEach); // no gap
    QCOMPARE(numbers.size(), static_cast<std::size_t>(kServers * kEach));
}

// Hole 4: a lease ends while its owner still works; whoever settles first wins, and everybody answers the same.
void DurableLedger::writersOfOneRecord_settleItOnce()
{
    const KeyRecord worker = claimed(1);
    std::mutex mutex;
    std::vector<KeyRecord> told;
    race(shop().place(), kServers, [&](ShopDatabase& shop, int server) {
        auto stands = inBatch(shop.ledger(), [&] {
            LedgerStore& store = shop.ledger();
            return server % 2 == 0 ? store.settle(ownershipOf(worker), approved(), kNow + 1s)
                                   : store.takeOverAndSettle({kAccount, actionId(1)}, {ownerOf(server), kNow + 1s}, declined());
        });
        const std::lock_guard lock(mutex);
        told.push_back(std::move(stands));
    });
    const KeyRecord record = found(1).value();
    QVERIFY(values::isTerminal(record.state));
    for (const KeyRecord& one : told)
        QCOMPARE(one, record);
}

void DurableLedger::lapsedRecords_areTakenOverByOneServerEach()
{
    constexpr std::uint8_t kRecords = 12;
    for (std::uint8_t number = 1; number <= kRecords; ++number)
        claimed(number, "cart-" + std::to_string(number));
    std::mutex mutex;
    std::multiset<values::ActionId> taken;
    race(shop().place(), 8, [&](ShopDatabase& shop, int server) {
        const auto records =
            inBatch(shop.ledger(), [&] { return shop.ledger().takeOverOpen(ownerOf(server + 50), kNow + 15s, 4, {}); });
        const std::lock_guard lock(mutex);
        for (const KeyRecord& record : records)
            taken.insert(record.id);
    });
    QCOMPARE(taken.size(), std::size_t{kRecords});
    QCOMPARE(std::set<values::ActionId>(taken.begin(), taken.end()).size(), std::size_t{kRecords});
}

// model-findings A3, "watermark read outside the claim's lock": what the claim has read stays true until it commits.
void DurableLedger::openClaim_keepsThePurgeWaiting()
{
    ShopDatabase purger({}, shop().place(), {1ms});
    orFail(store().beginBatch());
    QVERIFY(std::holds_alternative<Execute>(valueOrFail(store().claim(request(1), stamp(1)))));
    QCOMPARE(purger.ledger().beginBatch().error(), StoreError::Locked);
    orFail(store().commitBatch());
    inBatch(purger.ledger(), [&] { return purger.ledger().raiseWatermark(kNow + 1h); });
    inBatch(purger.ledger(), [&] { return purger.ledger().purge(100); });
    QCOMPARE(std::get<AnswerFrom>(claim(request(1), stamp(2))).record, found(1).value());
}

// Two charges in the model. All but one send a paid key once more, while that one raises the watermark over it and deletes its
// record.
void DurableLedger::claimAndPurge_neverRunAKeyTwice()
{
    settle(ownershipOf(claimed(1)), approved());
    std::atomic<int> executed = 0;
    std::atomic<int> late = 0;
    std::atomic<bool> isRaised = false;
    race(shop().place(), kServers, [&](ShopDatabase& shop, int server) {
        if (server == 0) {
            inBatch(shop.ledger(), [&] { return shop.ledger().raiseWatermark(kNow + 1h); });
            isRaised = true;
            inBatch(shop.ledger(), [&] { return shop.ledger().purge(100); });
            return;
        }
        const auto again = inBatch(shop.ledger(), [&] { return shop.ledger().claim(request(1), stampOf(server)); });
        executed += std::holds_alternative<Execute>(again) ? 1 : 0;
        const bool wasRaised = isRaised;
        const auto number = static_cast<std::uint8_t>(server + 1);
        const auto fresh = inBatch(shop.ledger(), [&] {
            return shop.ledger().claim(request(number, "cart-" + std::to_string(number)), stampOf(server, 1));
        });
        late += wasRaised && std::holds_alternative<Execute>(fresh) ? 1 : 0;
    });
    QCOMPARE(executed.load(), 0);
    QCOMPARE(late.load(), 0);
    QVERIFY(!found(1));
    QCOMPARE(foundPurged(1)->state, RecordState::Succeeded);
}

void DurableLedger::firstServers_makeTheDatabaseTogether()
{
    const auto place = makePlace();
    std::atomic<int> opened = 0;
    race(place, 8, [&](ShopDatabase& shop, int server) {
        inBatch(shop.ledger(), [&] { return shop.tables().rememberOnce("server_id", ownerOf(server)); });
        ++opened;
    });
    QCOMPARE(opened.load(), 8);
    const auto ids = ShopDatabase({}, place).database().readNumber(QStringLiteral("SELECT count(*) FROM meta"));
    QCOMPARE(ids.value(), 1);
}

} // namespace payonce::tests
