// The bank's rows for who only looks: what is committed, whoever is writing now.
#pragma once

#include "bank/charge_entries.h"
#include "batch/batch_thread.h"

#include <memory>

namespace payonce::bank {

/// A store of batch::BatchThread; every look is a transaction of its own, and none waits for a writer.
class BankReader
{
public:
    /// Of a bank that was opened before.
    [[nodiscard]] static batch::Outcome<std::unique_ptr<BankReader>> open(const storage::Location& location);

    [[nodiscard]] static batch::Outcome<void> beginBatch() { return {}; }
    [[nodiscard]] static batch::Outcome<void> commitBatch() { return {}; }
    [[nodiscard]] static batch::Failed whyUnsaved() { return {}; }

    /// As newestChargesIn().
    [[nodiscard]] ChargeEntries newestCharges(std::int64_t before, int limit)
    {
        return newestChargesIn(*m_database, before, limit);
    }

private:
    explicit BankReader(std::unique_ptr<storage::Database> database) : m_database(std::move(database)) {}

    std::unique_ptr<storage::Database> m_database;
};

} // namespace payonce::bank
