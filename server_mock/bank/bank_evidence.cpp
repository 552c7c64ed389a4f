// The part of BankLedger that shows its rows to support.
#include "bank/bank_ledger.h"

#include "bank/bank_state.h"
#include "storage/binding.h"
#include "storage/server_ledger.h"

#include <algorithm>

namespace payonce::bank {

using idempotency::StoreError;
using storage::bound;
using storage::textOf;
using values::Failure;
using values::Result;

namespace {

std::optional<EvidenceRow> evidenceOf(const storage::Row& row)
{
    enum { Key, Action, State, Charge, Decline, Amount, Currency, At };
    const auto state = stateOf(textOf(row.at(State)));
    const auto at = values::fromRfc3339(textOf(row.at(At)));
    if (!state || !at)
        return {};
    return EvidenceRow{textOf(row.at(Key)),
                       textOf(row.at(Action)),
                       *state,
                       textOf(row.at(Charge)),
                       textOf(row.at(Decline)),
                       storage::moneyOf(row.at(Amount), row.at(Currency)),
                       *at};
}

} // namespace

QStringList evidenceQueries()
{
    const QString rows =
        QStringLiteral("SELECT bank_key, action_id, state, charge_id, decline_code, amount, currency, at FROM charges ");
    return {rows + QStringLiteral("WHERE action_id = ? LIMIT ?"), rows + QStringLiteral("WHERE bank_key = ? LIMIT ?"),
            rows + QStringLiteral("WHERE charge_id = ? LIMIT ?")};
}

BankLedger::Outcome<std::vector<EvidenceRow>> BankLedger::evidence(const EvidenceQuery& query)
{
    const QStringList queries = evidenceQueries();
    std::vector<std::pair<QString, std::string>> asked;
    for (const std::string& id : query.actionIds)
        asked.emplace_back(queries.at(0), id);
    for (const std::string& key : query.bankKeys)
        asked.emplace_back(queries.at(1), key);
    if (!query.chargeId.empty())
        asked.emplace_back(queries.at(2), query.chargeId);
    std::vector<EvidenceRow> result;
    for (const auto& [sql, value] : asked) {
        const auto rows = m_database->select(sql, {bound(value), bound(kEvidenceMost)});
        if (!rows)
            return Failure(storage::toStoreError(rows.error()));
        for (const storage::Row& row : *rows) {
            auto one = evidenceOf(row);
            if (!one)
                return Failure(StoreError::Damaged);
            const bool isKnown = std::any_of(result.begin(), result.end(),
                                             [&one](const EvidenceRow& known) { return known.bankKey == one->bankKey; });
            if (!isKnown)
                result.push_back(*std::move(one));
        }
    }
    std::stable_sort(result.begin(), result.end(), [](const EvidenceRow& a, const EvidenceRow& b) { return a.at < b.at; });
    return result;
}

} // namespace payonce::bank
