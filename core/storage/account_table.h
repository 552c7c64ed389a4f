// AccountTable: what sign-ups make (docs/contract.md, Sign-up).
#pragma once

#include "idempotency/ledger_store.h"
#include "storage/database.h"

#include <string>
#include <vector>

namespace payonce::storage {

struct Account
{
    std::string id;    ///< `acc_…`
    std::string owner; ///< the account of the token it came with
    values::ActionId action;
    std::string email;    ///< as it was written
    std::string emailKey; ///< the address in the one form in which two spellings of it are the same
    std::string name;
    values::WallTime createdAt;
    friend bool operator==(const Account&, const Account&) = default;
};

struct SignedUp
{
    Account account; ///< the one that has the address now
    bool isNew = false;
};

/// On a database of openShopDatabase(), which outlives it, on its thread. Calls that write belong to the open batch.
class AccountTable
{
public:
    template <class T> using Stored = values::Result<T, idempotency::StoreError>;

    explicit AccountTable(Database& database) : m_database(database) {}

    /// Writes `wanted` and its welcome mail. Where the address has an account, that one stays as it is, and its holder gets a
    /// mail that says so. The unique index decides, so parallel sign-ups make one account and one welcome mail.
    [[nodiscard]] Stored<SignedUp> signUp(const Account& wanted);
    /// Newest first, at most `limit`. Readable without a batch.
    [[nodiscard]] Stored<std::vector<Account>> newest(int limit);

private:
    template <class T> using Read = values::Result<T, StorageError>;

    [[nodiscard]] Read<bool> add(const Account& account);
    [[nodiscard]] Read<std::vector<Account>> accountsWhere(const QString& rest, const QVariantList& values);

    Database& m_database;
};

} // namespace payonce::storage
