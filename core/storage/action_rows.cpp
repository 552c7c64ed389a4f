#include "storage/action_rows.h"

#include "storage/binding.h"

#include <QtCore/QCryptographicHash>

#include <string_view>
#include <utility>

namespace payonce::storage {

using retry::JournalError;

const char* const kActionColumns = "id, account, server_id, cart_id, amount, currency, email, created_at, valid_until, lease, "
                                   "told_not_started, payment_method, brand, last_four, body, fingerprint, final_state, "
                                   "final_cause, order_number, charge_id, decline_code";
const char* const kAttemptColumns = "number, started_at, bytes_taken, status, error, reason";

namespace {

enum ActionColumn {
    Id,
    Account,
    ServerId,
    CartId,
    Amount,
    Currency,
    Email,
    CreatedAt,
    ValidUntil,
    Lease,
    ToldNotStarted,
    PaymentMethod,
    Brand,
    LastFour,
    Body,
    Fingerprint,
    FinalState,
    FinalCause,
    OrderNumber,
    ChargeId,
    DeclineCode,
    ActionColumns,
};

enum AttemptColumn { Number, StartedAt, BytesTaken, Status, Error, Reason, AttemptColumns };

/// The value whose name this is, up to and including `last`.
template <class Enum> std::optional<Enum> named(const QVariant& text, Enum last)
{
    const std::string wanted = textOf(text);
    for (int index = 0; index <= static_cast<int>(last); ++index) {
        const auto value = static_cast<Enum>(index);
        if (wanted == retry::nameOf(value)) {
            return value;
        }
    }
    return std::nullopt;
}

/// False if the row holds a body that is not the one its fingerprint was taken of.
bool readReady(const Row& row, std::optional<retry::PreparedRequest>& ready)
{
    if (row[Body].isNull()) {
        return true;
    }
    ready = retry::PreparedRequest{
        .card = {.paymentMethod = textOf(row[PaymentMethod]), .brand = textOf(row[Brand]), .lastFour = textOf(row[LastFour])},
        .body = bytesOf(row[Body]),
        .fingerprint = textOf(row[Fingerprint]),
    };
    return sha256Hex(ready->body) == ready->fingerprint;
}

bool readFinal(const Row& row, std::optional<retry::FinalAnswer>& final)
{
    if (row[FinalState].isNull()) {
        return true;
    }
    const auto state = named(row[FinalState], retry::State::Unresolved);
    const auto cause = named(row[FinalCause], retry::Cause::ContraryAnswer);
    if (!state || !retry::isFinal(*state) || !cause) {
        return false;
    }
    final = retry::FinalAnswer{.state = *state,
                               .cause = *cause,
                               .orderNumber = textOf(row[OrderNumber]),
                               .chargeId = textOf(row[ChargeId]),
                               .declineCode = textOf(row[DeclineCode])};
    return true;
}

} // namespace

JournalError journalErrorOf(StorageError error)
{
    switch (error) {
    case StorageError::DiskFull: return JournalError::DiskFull;
    case StorageError::ReadOnly: return JournalError::ReadOnly;
    case StorageError::Locked: return JournalError::Locked;
    case StorageError::Damaged: return JournalError::Damaged;
    case StorageError::NewerVersion: return JournalError::NewerVersion;
    case StorageError::Constraint:
    case StorageError::Lost:
    case StorageError::Failed: break;
    }
    return JournalError::Failed;
}

std::optional<retry::StoredAction> actionOf(const Row& row)
{
    if (row.size() != ActionColumns) {
        return std::nullopt;
    }
    const auto id = values::ActionId::parse(textOf(row[Id]));
    const auto amount = moneyOf(row[Amount], row[Currency]);
    if (!id || !amount) {
        return std::nullopt;
    }
    retry::StoredAction action{
        .id = *id,
        .scope = {.account = textOf(row[Account]), .serverId = textOf(row[ServerId])},
        .purchase = {.cartId = textOf(row[CartId]), .amount = *amount, .email = textOf(row[Email])},
        .createdAt = timeOf(row[CreatedAt]),
        .validUntil = timeOf(row[ValidUntil]),
        .lease = numberOf(row[Lease]),
        .toldNotStarted = numberOf(row[ToldNotStarted]) != 0,
        .ready = std::nullopt,
        .attempts = {},
        .final = std::nullopt,
    };
    const bool whole = readReady(row, action.ready) && readFinal(row, action.final);
    return whole ? std::optional(std::move(action)) : std::nullopt;
}

std::optional<retry::Attempt> attemptOf(const Row& row)
{
    if (row.size() != AttemptColumns) {
        return std::nullopt;
    }
    retry::Attempt attempt{.number = static_cast<int>(numberOf(row[Number])), .startedAt = timeOf(row[StartedAt]), .end = {}};
    if (row[BytesTaken].isNull()) {
        return attempt;
    }
    const auto error = named(row[Error], retry::TransportError::Other);
    const auto reason = named(row[Reason], retry::EndReason::Shutdown);
    if (!error || !reason) {
        return std::nullopt;
    }
    attempt.end = retry::AttemptEnd{.bytesTaken = numberOf(row[BytesTaken]), .status = {}, .error = *error, .reason = *reason};
    if (!row[Status].isNull()) {
        attempt.end->status = static_cast<int>(numberOf(row[Status]));
    }
    return attempt;
}

std::string sha256Hex(const std::string& bytes)
{
    const QByteArray view = QByteArray::fromRawData(bytes.data(), static_cast<qsizetype>(bytes.size()));
    return QCryptographicHash::hash(view, QCryptographicHash::Sha256).toHex().toStdString();
}

} // namespace payonce::storage
