#include "bank/ledger_bank.h"

#include "bank/random_name.h"

#include <utility>

namespace payonce::bank {

// The id is written by the worker thread before start() returns, never after.
LedgerBank::LedgerBank(const storage::Location& location, Clock clock)
    : m_clock(std::move(clock)),
      m_thread([this, location]() -> batch::Outcome<std::unique_ptr<BankLedger>> {
          auto ledger = BankLedger::open(location, randomName("bank_"));
          if (ledger)
              m_bankId = (*ledger)->bankId();
          return ledger;
      }),
      m_reader([location] { return BankReader::open(location); })
{
}

batch::Failed LedgerBank::start()
{
    const batch::Failed failed = m_thread.start();
    return failed ? failed : m_reader.start();
}

void LedgerBank::charge(const ChargeOrder& order, Answered done)
{
    const ChargeStamp stamp{m_clock(), randomName("ch_")};
    ask([order, stamp](BankLedger& ledger) { return ledger.charge(order, stamp); }, std::move(done));
}

void LedgerBank::lookup(const values::BankKey& key, Answered done)
{
    ask([key](BankLedger& ledger) { return ledger.lookup(key); }, std::move(done));
}

void LedgerBank::fence(const values::BankKey& key, Answered done)
{
    const values::WallTime now = m_clock();
    ask([key, now](BankLedger& ledger) { return ledger.fence(key, now); }, std::move(done));
}

void LedgerBank::ask(std::function<batch::Outcome<Row>(BankLedger&)> work, Answered done)
{
    m_thread.submit<Row>(std::move(work),
                         [done = std::move(done)](batch::Outcome<Row> row) { done(row ? BankAnswer{*row} : BankAnswer{}); });
}

void LedgerBank::exchange(const std::string& number, std::function<void(std::optional<ExchangedCard>)> done)
{
    const Card card = cardOf(number);
    const std::string paymentMethod = randomName("pm_");
    const values::WallTime now = m_clock();
    m_thread.submit<void>(
        [card, paymentMethod, now](BankLedger& ledger) { return ledger.keepCard(paymentMethod, card, now); },
        [card, paymentMethod, done = std::move(done)](batch::Outcome<void> kept) {
            done(kept ? std::optional(ExchangedCard{paymentMethod, card.brand, card.lastFour}) : std::nullopt);
        });
}

void LedgerBank::charges(std::function<void(std::optional<std::vector<ChargeEntry>>)> done)
{
    using Entries = std::vector<ChargeEntry>;
    m_thread.submit<Entries>([](BankLedger& ledger) { return ledger.charges(); },
                             [done = std::move(done)](batch::Outcome<Entries> entries) {
                                 done(entries ? std::optional(std::move(*entries)) : std::nullopt);
                             });
}

void LedgerBank::newestCharges(std::int64_t before, int limit,
                               std::function<void(std::optional<std::vector<ChargeEntry>>)> done)
{
    using Entries = std::vector<ChargeEntry>;
    m_reader.submit<Entries>([before, limit](BankReader& reader) { return reader.newestCharges(before, limit); },
                             [done = std::move(done)](batch::Outcome<Entries> entries) {
                                 done(entries ? std::optional(std::move(*entries)) : std::nullopt);
                             });
}

void LedgerBank::takeEvents(std::chrono::milliseconds lease, int limit, std::function<void(std::vector<WaitingEvent>)> done)
{
    using Events = std::vector<WaitingEvent>;
    m_thread.submit<Events>(
        [lease, limit, now = m_clock()](BankLedger& ledger) { return ledger.takeEvents(now, lease, limit); },
        [done = std::move(done)](batch::Outcome<Events> events) { done(events ? *std::move(events) : Events()); });
}

void LedgerBank::endEvent(const WaitingEvent& event, EventEnd how)
{
    m_thread.submit<void>([event, how, now = m_clock()](BankLedger& ledger) { return ledger.endEvent(event, how, now); },
                          [](const batch::Outcome<void>&) {});
}

void LedgerBank::rows(const EvidenceQuery& query, std::function<void(std::optional<std::vector<EvidenceRow>>)> done)
{
    using Rows = std::vector<EvidenceRow>;
    m_thread.submit<Rows>(
        [query](BankLedger& ledger) { return ledger.evidence(query); },
        [done = std::move(done)](batch::Outcome<Rows> rows) { done(rows ? std::optional(std::move(*rows)) : std::nullopt); });
}

void LedgerBank::clear(std::function<void(bool)> done)
{
    m_thread.submit<void>([](BankLedger& ledger) { return ledger.clear(); },
                          [done = std::move(done)](batch::Outcome<void> cleared) { done(cleared.has_value()); });
}

} // namespace payonce::bank
