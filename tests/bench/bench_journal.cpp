#include "bench/bench_journal.h"

#include "bench/bare_commits.h"
#include "protocol/payment_request.h"
#include "storage/client_journal.h"
#include "support/fresh_id.h"
#include "values/check.h"

#include <QtCore/QTemporaryDir>

namespace payonce::bench {

namespace {

constexpr int kRuns = 300;
constexpr std::chrono::minutes kValidFor(15);

retry::StoredAction actionNumber(int number)
{
    const auto now = support::wallTime();
    const auto euro = values::Currency::fromCode("EUR");
    CHECK(euro);
    retry::StoredAction action{.id = support::freshId(now),
                               .scope = {.account = "acct_bench", .serverId = "srv_bench"},
                               .purchase = {.cartId = "bench_" + std::to_string(number),
                                            .amount = {.minorUnits = 4200, .currency = *euro},
                                            .email = "you@example.com"},
                               .createdAt = now,
                               .validUntil = now + kValidFor,
                               .ready = {},
                               .attempts = {},
                               .final = {}};
    return action;
}

} // namespace

std::vector<Figure> benchJournal()
{
    const QTemporaryDir directory;
    BareCommits bare(directory.path());
    storage::ClientJournal journal(storage::ClientJournal::fileAt(directory.filePath(QStringLiteral("client.sqlite"))));
    Samples saves;
    Samples commits;
    for (int run = 0; run < kRuns; ++run) {
        const auto action = actionNumber(run);
        auto start = BenchClock::now();
        const auto lease = journal.saveAction(action);
        saves.add(since(start));
        CHECK(lease.has_value());
        const auto ready = protocol::buildPayment(action.purchase, {"pm_bench", "visa", "4242"}, action.validUntil);
        start = BenchClock::now();
        CHECK(journal.saveReady(action.id, *lease, ready, {1, action.createdAt}).has_value());
        saves.add(since(start));
        commits.add(bare.commitOne());
        commits.add(bare.commitOne());
    }
    return {{"One save of the journal, beside a bare SQLite commit (WAL, synchronous=FULL)",
             "p50 " + inMilliseconds(saves.median()) + ", p99 " + inMilliseconds(saves.percentile(99)),
             "bare: p50 " + inMilliseconds(commits.median()) + " | ratio " + asRatio(saves.median(), commits.median()),
             "<= 2 x", saves.median() <= 2 * commits.median()}};
}

} // namespace payonce::bench
