// The part of ServerLedger for kinds without a bank: claim, work and record in one savepoint.
#include "storage/server_ledger.h"

#include "storage/undoable.h"

#include <utility>

namespace payonce::storage {

using idempotency::OnceDecision;
using idempotency::OnceRequest;
using idempotency::OnceWork;
using idempotency::RefuseClaim;
using idempotency::RunOnce;
using idempotency::StoreError;
using idempotency::WriterStamp;
using values::Failure;
using values::Result;

namespace {

/// Why the savepoint was undone, if not for an error of its own.
struct Undone
{
    std::optional<StoreError> failed{};
    std::optional<RefuseClaim> refused{};
};

/// Runs the work and completes the record. An error means: undo everything; `undone` says why.
Result<void, StorageError> runWork(const OnceWork& work, RunOnce& run, Undone& undone)
{
    auto outcome = work(run.record);
    if (!outcome) {
        undone.failed = outcome.error();
        return Failure(StorageError::Failed);
    }
    if (auto* refused = std::get_if<RefuseClaim>(&*outcome)) {
        undone.refused = std::move(*refused);
        return Failure(StorageError::Failed);
    }
    run.record = settledOnce(run.record, std::get<idempotency::StoredAnswer>(*std::move(outcome)));
    return {};
}

} // namespace

Result<OnceDecision, StoreError> ServerLedger::claimOnce(const OnceRequest& request, const WriterStamp& stamp,
                                                         const OnceWork& work)
{
    Undone undone;
    const auto inOneGo = [&]() -> Result<OnceDecision, StorageError> {
        const auto facts = keyFacts({request.account, request.id}, stamp.now);
        if (!facts)
            return Failure(facts.error());
        OnceDecision decision = decideOnce(request, *facts, stamp, m_numbers);
        Result<void, StorageError> written;
        if (const auto* tombstone = std::get_if<idempotency::WriteTombstone>(&decision))
            written = insertRecord(m_database, tombstone->record);
        if (auto* run = std::get_if<RunOnce>(&decision)) {
            written = runWork(work, *run, undone);
            if (written)
                written = insertRecord(m_database, run->record);
        }
        if (!written)
            return Failure(written.error());
        return decision;
    };
    auto decision = undoable(m_database, inOneGo);
    if (undone.refused)
        return OnceDecision(*std::move(undone.refused));
    if (undone.failed)
        return Failure(*undone.failed);
    return std::move(decision).map_error(toStoreError);
}

} // namespace payonce::storage
