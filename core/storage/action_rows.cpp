#include "storage/action_rows.h"

#include "storage/binding.h"

#include <QtCore/QCryptographicHash>

#include <string_view>
#include <utility>

namespace payonce::storage {

using retry::JournalError;
using values::Failure;
using values::Result;

const char* const kActionColumns =
    "id, kind, path, account, server_id, cart_id, amount, currency, email, created_at, valid_until, lease, "
    "told_not_started, adopted, payment_method, brand, last_four, body, fingerprint, wish_cause, "
    "wish_detail, conflict, final_state, final_cause, final_detail, order_number, charge_id, "
    "decline_code, charged_amount, charged_currency";
const char* const kShownColumns = "state, cause, detail, is_long, next_try";
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

enum ShownColumn { ShownState, ShownCause, ShownDetail, IsLong, NextTry, ShownColumns };

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

QVariantList boundAction(const retry::StoredAction& action, std::int64_t owner)
{
    return {bound(action.id),
            bound(std::string_view(values::reference(action.id))),
            bound(std::string_view(retry::nameOf(action.target.kind))),
            bound(std::string_view(action.target.path)),
            bound(std::string_view(action.scope.account)),
            bound(std::string_view(action.scope.serverId)),
            bound(std::string_view(action.purchase.cartId)),
            bound(action.purchase.amount.minorUnits),
            bound(action.purchase.amount.currency.code()),
            bound(std::string_view(action.purchase.email)),
            bound(action.createdAt),
            bound(action.validUntil),
            bound(std::int64_t{action.toldNotStarted ? 1 : 0}),
            bound(std::int64_t{action.adopted ? 1 : 0}),
            bound(owner)};
}

QVariantList boundFinal(const retry::FinalAnswer& answer)
{
    return {bound(std::string_view(retry::nameOf(answer.state))),
            bound(std::string_view(retry::nameOf(answer.cause))),
            bound(std::string_view(answer.orderNumber)),
            bound(std::string_view(answer.chargeId)),
            bound(std::string_view(answer.declineCode)),
            bound(std::string_view(answer.detail)),
            answer.charged ? bound(answer.charged->minorUnits) : QVariant(),
            answer.charged ? bound(answer.charged->currency.code()) : QVariant()};
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

std::optional<retry::Shown> shownOf(const Row& row)
{
    if (row.size() != ShownColumns) {
        return std::nullopt;
    }
    const auto state = named(row[ShownState], retry::State::Conflict);
    const auto cause = named(row[ShownCause], retry::Cause::TooOld);
    if (!state || !cause) {
        return std::nullopt;
    }
    retry::Shown shown{.state = *state,
                       .cause = *cause,
                       .detail = textOf(row[ShownDetail]),
                       .isLong = numberOf(row[IsLong]) != 0,
                       .nextTry = std::nullopt};
    if (!row[NextTry].isNull()) {
        shown.nextTry = values::MonotonicTime(values::MonotonicClock::duration(numberOf(row[NextTry])));
    }
    return shown;
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

namespace {

Result<std::vector<retry::Attempt>, JournalError> readAttempts(Database& database, const values::ActionId& id)
{
    const auto rows = database.select(QStringLiteral("SELECT %1 FROM attempts WHERE action_id = ? ORDER BY number LIMIT %2")
                                          .arg(QLatin1String(kAttemptColumns))
                                          .arg(kMostAttempts),
                                      {bound(id)});
    if (!rows) {
        return Failure(journalErrorOf(rows.error()));
    }
    std::vector<retry::Attempt> attempts;
    for (const Row& row : *rows) {
        auto attempt = attemptOf(row);
        if (!attempt) {
            return Failure(JournalError::Damaged);
        }
        attempts.push_back(*std::move(attempt));
    }
    return attempts;
}

} // namespace

Result<std::vector<retry::StoredAction>, JournalError> readActions(Database& database, const Rows& rows)
{
    std::vector<retry::StoredAction> actions;
    for (const Row& row : rows) {
        auto action = actionOf(row);
        if (!action) {
            return Failure(JournalError::Damaged);
        }
        auto attempts = readAttempts(database, action->id);
        if (!attempts) {
            return Failure(attempts.error());
        }
        action->attempts = *std::move(attempts);
        actions.push_back(*std::move(action));
    }
    return actions;
}

Result<std::optional<retry::StoredAction>, JournalError> readAction(Database& database, const values::ActionId& id)
{
    const auto rows =
        database.select(QStringLiteral("SELECT %1 FROM actions WHERE id = ?").arg(QLatin1String(kActionColumns)), {bound(id)});
    if (!rows) {
        return Failure(journalErrorOf(rows.error()));
    }
    auto actions = readActions(database, *rows);
    if (!actions) {
        return Failure(actions.error());
    }
    return actions->empty() ? std::nullopt : std::optional(std::move(actions->front()));
}

std::string sha256Hex(const std::string& bytes)
{
    const QByteArray view = QByteArray::fromRawData(bytes.data(), static_cast<qsizetype>(bytes.size()));
    return QCryptographicHash::hash(view, QCryptographicHash::Sha256).toHex().toStdString();
}

} // namespace payonce::storage
