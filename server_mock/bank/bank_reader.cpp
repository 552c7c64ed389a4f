#include "bank/bank_reader.h"

#include "bank/bank_ledger.h"
#include "storage/server_ledger.h"

#include <utility>

namespace payonce::bank {

batch::Outcome<std::unique_ptr<BankReader>> BankReader::open(const storage::Location& location)
{
    auto database = storage::Database::open(location, bankSchema());
    if (!database)
        return values::Failure(storage::toStoreError(database.error()));
    return std::unique_ptr<BankReader>(new BankReader(*std::move(database))); // NOLINT: the constructor is private
}

} // namespace payonce::bank
