#include "storage/action_rows.h"

#include "storage/binding.h"

#include <QtCore/QCryptographicHash>

#include <string_view>
#include <utility>

namespace payonce::storage {

using retry::JournalError;

const char* const kActionColumns =
    "id, kind, path, account, server_id, cart_id, amount, currency, email, created_at, valid_until, lease, "
    "told_not_started, adopted, payment_method, brand, last_four, body, fingerprint, wish_cause, "
    "wish_detail, conflict, final_state, final_cause, final_detail, order_number, charge_id, "
    "decline_code, charged_amount, charged_currency";
const char* const kAttemptColumns = "number, started_at, bytes_taken, status, error, reason";

namespace {

enum ActionColumn {
    Id,
    Kind,
    Path,
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
    Adopted,
    PaymentMethod,
    Brand,
    LastFour,
    Body,
    Fingerprint,
    WishCause,
    WishDetail,
    Conflict,
    FinalState,
    FinalCause,
    FinalDetail,
    OrderNumber,
    ChargeId,
    DeclineCode,
    ChargedAmount,
    ChargedCurrency,
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
    const auto state = named(row[FinalState], retry::State::Conflict);
    const auto cause = named(row[FinalCause], retry::Cause::TooOld);
    if (!state || !retry::isFinal(*state) || !cause) {
        return false;
    }
    final = retry::FinalAnswer{.state = *state,
                               .cause = *cause,
                               .orderNumber = textOf(row[OrderNumber]),
                               .chargeId = textOf(row[ChargeId]),
                               .declineCode = textOf(row[DeclineCode]),
                               .charged = std::nullopt,
                               .detail = textOf(row[FinalDetail])};
    if (!row[ChargedAmount].isNull()) {
        final->charged = moneyOf(row[ChargedAmount], row[ChargedCurrency]);
        return final->charged.has_value();
    }
    return true;
}

/// The wish to cancel and the conflict: neither is ever read as absent because its name is not known.
bool readMarks(const Row& row, retry::StoredAction& action)
{
    if (!row[WishCause].isNull()) {
        const auto cause = named(row[WishCause], retry::Cause::TooOld);
        if (!cause) {
            return false;
        }
        action.wish = retry::CancelWish{.cause = *cause, .detail = textOf(row[WishDetail])};
    }
    if (!row[Conflict].isNull()) {
        action.conflict = named(row[Conflict], retry::Cause::TooOld);
        return action.conflict.has_value();
    }
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
    const auto kind = named(row[Kind], retry::Kind::Other);
    if (!id || !amount || !kind) {
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
        .target = {.kind = *kind, .path = textOf(row[Path])},
        .adopted = numberOf(row[Adopted]) != 0,
        .wish = std::nullopt,
        .conflict = std::nullopt,
    };
    const bool whole = readReady(row, action.ready) && readFinal(row, action.final) && readMarks(row, action);
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
