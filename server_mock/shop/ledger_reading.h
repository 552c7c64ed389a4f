// One reading of the shop's and the bank's databases, in pages, so that neither payments nor the main thread wait for it.
#pragma once

#include "bank/ledger_bank.h"
#include "faults/ledger_source.h"
#include "shop/shop.h"
#include "storage/action_lines.h"

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace payonce::shop {

/// How much is read, and how much of it in one job.
struct ReadingBounds
{
    int actionsMost = 50'000; ///< the newest ones; of charges and orders as well
    int rowsAPage = 500;
};

/// Mails and accounts in one view; the newest ones.
inline constexpr int kMailsListedMost = 10'000;

class LedgerReading : public std::enable_shared_from_this<LedgerReading>
{
public:
    /// Empty: a database could not be read.
    using Done = std::function<void(std::optional<faults::LedgerView>)>;

    /// Bank and shop outlive it.
    LedgerReading(bank::LedgerBank& bank, Shop& shop, const ReadingBounds& bounds, Done done);

    /// Once; on the main thread, where `done` is told.
    void start() { readRecords(storage::kNewestPlace); }

private:
    using Lines = std::vector<storage::ActionLine>;

    void readRecords(std::int64_t before);
    void readOrders(std::int64_t before);
    void readRest();
    void readCharges(std::int64_t before);
    void readOwners();
    void finish();
    void take(const storage::ActionLine& line);
    void cutAt(const std::string& at);
    [[nodiscard]] std::vector<std::string> strangersKeys(std::size_t most);

    bank::LedgerBank& m_bank;
    Shop& m_shop;
    ReadingBounds m_bounds;
    Done m_done;
    faults::LedgerView m_view;
    int m_ordersSeen = 0;
    std::set<std::string> m_orders;   // ids
    std::set<std::string> m_bankKeys; // of records
    std::set<std::string> m_charges;  // of orders
    std::size_t m_ownersSought = 0;   // charges, from the front
    std::string m_cutAt;              // of what is as old nobody knows whether it is whole
};

} // namespace payonce::shop
