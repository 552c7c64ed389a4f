#include "storage/account_table.h"

#include "storage/binding.h"
#include "storage/outbox_table.h"
#include "storage/server_ledger.h"
#include "storage/undoable.h"
#include "values/check.h"

#include <utility>

namespace payonce::storage {

using idempotency::StoreError;
using values::Failure;
using values::Result;

namespace {

Result<Account, StorageError> accountOf(const Row& row)
{
    enum { Id, Owner, Action, Email, EmailKey, Name, CreatedAt };
    const auto action = values::ActionId::parseAnyForm(textOf(row.at(Action)));
    if (!action)
        return Failure(StorageError::Damaged);
    return Account{textOf(row.at(Id)),   textOf(row.at(Owner)),    *action, textOf(row.at(Email)), textOf(row.at(EmailKey)),
                   textOf(row.at(Name)), timeOf(row.at(CreatedAt))};
}

/// To the address as its account has it, not as somebody else may have written it.
NewMail mailFor(const SignedUp& signedUp, const Account& wanted)
{
    const bool isNew = signedUp.isNew;
    return {isNew ? MailKind::Welcome : MailKind::AlreadyRegistered,
            isNew ? "welcome:" + signedUp.account.id : "already_registered:" + wanted.owner + ':' + wanted.action.toString(),
            wanted.owner,
            wanted.action,
            {},
            signedUp.account.email};
}

} // namespace

Result<SignedUp, StoreError> AccountTable::signUp(const Account& wanted)
{
    const auto work = [&]() -> Result<SignedUp, StorageError> {
        const auto isNew = add(wanted);
        if (!isNew)
            return Failure(isNew.error());
        auto holders = accountsWhere(QStringLiteral("WHERE email_key = ?"), {bound(wanted.emailKey)});
        if (!holders || holders->size() != 1)
            return Failure(holders ? StorageError::Failed : holders.error());
        SignedUp signedUp{std::move(holders->front()), *isNew};
        if (const auto put = putMail(m_database, mailFor(signedUp, wanted), wanted.createdAt); !put)
            return Failure(put.error());
        return signedUp;
    };
    return undoable(m_database, work).map_error(toStoreError);
}

Result<bool, StorageError> AccountTable::add(const Account& account)
{
    const auto added =
        m_database.change(QStringLiteral("INSERT INTO accounts (id, owner, action_id, email, email_key, name, created_at) "
                                         "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (email_key) DO NOTHING"),
                          {bound(account.id), bound(account.owner), bound(account.action), bound(account.email),
                           bound(account.emailKey), bound(account.name), bound(account.createdAt)});
    if (!added)
        return Failure(added.error());
    return *added == 1;
}

Result<std::vector<Account>, StoreError> AccountTable::newest(int limit)
{
    CHECK(limit >= 0);
    return accountsWhere(QStringLiteral("ORDER BY created_at DESC, action_id DESC LIMIT ?"), {bound(std::int64_t{limit})})
        .map_error(toStoreError);
}

Result<std::vector<Account>, StorageError> AccountTable::accountsWhere(const QString& rest, const QVariantList& values)
{
    const auto rows = m_database.select(
        QStringLiteral("SELECT id, owner, action_id, email, email_key, name, created_at FROM accounts ") + rest, values);
    if (!rows)
        return Failure(rows.error());
    std::vector<Account> accounts;
    for (const Row& row : *rows) {
        auto account = accountOf(row);
        if (!account)
            return Failure(account.error());
        accounts.push_back(*std::move(account));
    }
    return accounts;
}

} // namespace payonce::storage
