#include "storage/record_rows.h"

#include "storage/binding.h"

#include <algorithm>

namespace payonce::storage {

using idempotency::Fingerprint;
using idempotency::KeyRecord;
using idempotency::Order;
using idempotency::StoredAnswer;
using values::ActionId;
using values::BankKey;
using values::Failure;
using values::Result;

namespace {

/// The columns in the order of selectRecordsWhere().
enum Column {
    Account,
    Id,
    Kind,
    PolicyId,
    FingerprintBytes,
    CartId,
    AmountMinor,
    Currency,
    PaymentMethod,
    Email,
    ValidUntil,
    State,
    Owner,
    Fence,
    LeaseUntil,
    BankKeyText,
    CancelRequested,
    FirstSeen,
    SettledAt,
    PaymentId,
    OrderId,
    OrderNumber,
    ChargeId,
    DeclineCode,
    Reason,
    HeldBy,
    AnswerStatus,
    AnswerBody,
    Asked,
    NextAskAt,
    HasDiscrepancy,
    ColumnCount,
};

/// Empty for NULL, Damaged for anything but 32 bytes.
Result<std::optional<Fingerprint>, StorageError> fingerprintOf(const QVariant& value)
{
    if (value.isNull())
        return std::optional<Fingerprint>();
    const QByteArray bytes = value.toByteArray();
    Fingerprint fingerprint;
    if (static_cast<std::size_t>(bytes.size()) != fingerprint.bytes.size())
        return Failure(StorageError::Damaged);
    std::transform(bytes.begin(), bytes.end(), fingerprint.bytes.begin(),
                   [](char byte) { return static_cast<std::uint8_t>(byte); });
    return std::optional(fingerprint);
}

QVariant boundFingerprint(const std::optional<Fingerprint>& fingerprint)
{
    if (!fingerprint)
        return {};
    QByteArray bytes;
    for (const std::uint8_t byte : fingerprint->bytes)
        bytes.append(static_cast<char>(byte));
    return bytes;
}

/// Cart, amount, currency, payment method, e-mail and time; NULL where there are no terms.
QVariantList boundTerms(const std::optional<idempotency::PaymentTerms>& terms)
{
    if (!terms)
        return {{}, {}, {}, {}, {}, {}};
    return {bound(terms->cartId),
            bound(terms->amount.minorUnits),
            bound(terms->amount.currency.code()),
            bound(terms->paymentMethod),
            bound(terms->email),
            bound(terms->validUntil)};
}

/// The columns that may be NULL.
Result<void, StorageError> readOptionals(const Row& row, KeyRecord& record)
{
    auto fingerprint = fingerprintOf(row.at(FingerprintBytes));
    if (!fingerprint)
        return Failure(fingerprint.error());
    record.fingerprint = *fingerprint;
    if (!row.at(CartId).isNull()) {
        const auto amount = moneyOf(row.at(AmountMinor), row.at(Currency));
        if (!amount)
            return Failure(StorageError::Damaged);
        record.terms = idempotency::PaymentTerms{textOf(row.at(CartId)), *amount, textOf(row.at(PaymentMethod)),
                                                 textOf(row.at(Email)), timeOf(row.at(ValidUntil))};
    }
    if (!row.at(BankKeyText).isNull()) {
        record.bankKey = BankKey::parse(textOf(row.at(BankKeyText)));
        if (!record.bankKey)
            return Failure(StorageError::Damaged);
    }
    if (!row.at(Reason).isNull()) {
        record.reason = idempotency::abandonReasonOf(textOf(row.at(Reason)));
        if (!record.reason)
            return Failure(StorageError::Damaged);
    }
    record.settledAt = optionalTimeOf(row.at(SettledAt));
    if (!row.at(AnswerStatus).isNull())
        record.answer = StoredAnswer{row.at(AnswerStatus).toInt(), bytesOf(row.at(AnswerBody))};
    return {};
}

} // namespace

QString discrepancyOf(const char* row)
{
    const QLatin1String name(row);
    return QLatin1String("EXISTS (SELECT 1 FROM discrepancies AS d WHERE d.account = ") + name +
           QLatin1String(".account AND d.action_id = ") + name + QLatin1String(".action_id) ");
}

QString selectRecordsWhere(const QString& condition)
{
    return QStringLiteral(
               "SELECT r.account, r.action_id, r.kind, r.policy_id, r.fingerprint, r.cart_id, r.amount_minor, r.currency, "
               "r.payment_method, r.email, r.valid_until, r.state, r.owner, r.fence, r.lease_until, r.bank_key, "
               "r.cancel_requested, "
               "r.first_seen, r.settled_at, r.payment_id, r.order_id, o.number, r.charge_id, r.decline_code, r.reason, "
               "r.held_by, r.answer_status, r.answer_body, r.asked, r.next_ask_at, ") +
           discrepancyOf("r") + QStringLiteral("FROM key_records AS r LEFT JOIN orders AS o ON o.id = r.order_id WHERE ") +
           condition;
}

Result<RecordRow, StorageError> recordOf(const Row& row)
{
    if (row.size() != ColumnCount)
        return Failure(StorageError::Failed);
    const auto id = ActionId::parseAnyForm(textOf(row.at(Id)));
    const auto kind = idempotency::recordKindOf(textOf(row.at(Kind)));
    const auto state = values::recordStateOf(textOf(row.at(State)));
    if (!id || !kind || !state)
        return Failure(StorageError::Damaged);
    KeyRecord record{.account = textOf(row.at(Account)),
                     .id = *id,
                     .kind = *kind,
                     .policyId = textOf(row.at(PolicyId)),
                     .state = *state,
                     .owner = textOf(row.at(Owner)),
                     .fence = numberOf(row.at(Fence)),
                     .leaseUntil = timeOf(row.at(LeaseUntil)),
                     .cancelRequested = row.at(CancelRequested).toBool(),
                     .firstSeen = timeOf(row.at(FirstSeen)),
                     .paymentId = textOf(row.at(PaymentId)),
                     .orderId = textOf(row.at(OrderId)),
                     .orderNumber = textOf(row.at(OrderNumber)),
                     .chargeId = textOf(row.at(ChargeId)),
                     .declineCode = textOf(row.at(DeclineCode)),
                     .heldBy = textOf(row.at(HeldBy)),
                     .hasDiscrepancy = row.at(HasDiscrepancy).toBool()};
    if (const auto read = readOptionals(row, record); !read)
        return Failure(read.error());
    return RecordRow{std::move(record), {row.at(Asked).toInt(), timeOf(row.at(NextAskAt))}};
}

Result<std::optional<RecordRow>, StorageError> firstRecordOf(const Rows& rows)
{
    if (rows.isEmpty())
        return std::optional<RecordRow>();
    auto first = recordOf(rows.first());
    if (!first)
        return Failure(first.error());
    return std::optional(*std::move(first));
}

Result<void, StorageError> insertRecord(Database& database, const KeyRecord& record)
{
    const auto reason = record.reason ? bound(std::string_view(nameOf(*record.reason))) : QVariant();
    const auto answerStatus = record.answer ? bound(std::int64_t{record.answer->status}) : QVariant();
    const auto answerBody = record.answer ? boundBytes(record.answer->body) : QVariant();
    return done(database.change(
        QStringLiteral(
            "INSERT INTO key_records (account, action_id, kind, policy_id, fingerprint, cart_id, amount_minor, currency, "
            "payment_method, email, valid_until, state, owner, fence, lease_until, bank_key, first_seen, settled_at, "
            "payment_id, order_id, reason, held_by, answer_status, answer_body, last_four) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, "
            "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
            "(SELECT last_four FROM payment_methods WHERE id = ? AND account = ?))"),
        QVariantList{bound(record.account), bound(record.id), bound(std::string_view(nameOf(record.kind))),
                     bound(record.policyId), boundFingerprint(record.fingerprint)} +
            boundTerms(record.terms) +
            QVariantList{bound(std::string_view(values::nameOf(record.state))), bound(record.owner), bound(record.fence),
                         bound(record.leaseUntil), bound(record.bankKey), bound(record.firstSeen), bound(record.settledAt),
                         bound(record.paymentId), bound(record.orderId), reason, bound(record.heldBy), answerStatus, answerBody,
                         record.terms ? bound(record.terms->paymentMethod) : QVariant(), bound(record.account)}));
}

Result<void, StorageError> insertOrder(Database& database, const KeyRecord& record)
{
    const Order order = orderOf(record);
    return done(database.change(
        QStringLiteral(
            "INSERT INTO orders (id, number, account, action_id, cart_id, amount_minor, currency, status, payment_id, "
            "policy_id, fingerprint, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
        {bound(order.id), bound(order.number), bound(order.account), bound(order.actionId), bound(order.cartId),
         bound(order.amount.minorUnits), bound(order.amount.currency.code()), bound(std::string_view(nameOf(order.status))),
         bound(record.paymentId), bound(record.policyId), boundFingerprint(record.fingerprint), bound(order.createdAt)}));
}

Result<std::optional<KeyRecord>, StorageError> findKeptByOrder(Database& database, const idempotency::RecordKey& key)
{
    const auto rows = database.select(
        QStringLiteral(
            "SELECT id, number, account, action_id, cart_id, amount_minor, currency, status, created_at, payment_id, "
            "charge_id, decline_code, reason, policy_id, fingerprint, settled_at, ") +
            discrepancyOf("orders") + QStringLiteral("FROM orders WHERE account = ? AND action_id = ?"),
        {bound(key.account), bound(key.id)});
    if (!rows)
        return Failure(rows.error());
    if (rows->isEmpty())
        return std::optional<KeyRecord>();
    enum { PaymentKey = 9, Charge, Decline, WhyAbandoned, Policy, Print, Settled, IsContradicted };
    const Row& row = rows->first();
    const auto order = orderFromRow(row);
    const auto fingerprint = fingerprintOf(row.at(Print));
    if (!order || !fingerprint || order->status == idempotency::OrderStatus::Open)
        return Failure(StorageError::Damaged);
    KeyRecord kept{.account = key.account,
                   .id = key.id,
                   .policyId = textOf(row.at(Policy)),
                   .fingerprint = *fingerprint,
                   .terms = idempotency::PaymentTerms{order->cartId, order->amount, {}, {}, {}},
                   .firstSeen = order->createdAt,
                   .settledAt = optionalTimeOf(row.at(Settled)),
                   .paymentId = textOf(row.at(PaymentKey)),
                   .orderId = order->id,
                   .orderNumber = order->number,
                   .chargeId = textOf(row.at(Charge)),
                   .declineCode = textOf(row.at(Decline)),
                   .reason = idempotency::abandonReasonOf(textOf(row.at(WhyAbandoned))),
                   .hasDiscrepancy = row.at(IsContradicted).toBool()};
    // Staff may have finished the order of a record that had ended otherwise: the record's own end is what was told.
    if (kept.reason)
        kept.state = values::RecordState::Abandoned;
    else if (order->status == idempotency::OrderStatus::Paid && kept.declineCode.empty())
        kept.state = values::RecordState::Succeeded;
    else
        kept.state = values::RecordState::Failed;
    return std::optional(std::move(kept));
}

QString selectOrders(const QString& rest)
{
    return QStringLiteral(
               "SELECT id, number, account, action_id, cart_id, amount_minor, currency, status, created_at FROM orders ") +
           rest;
}

Result<Order, StorageError> orderFromRow(const Row& row)
{
    enum { OrderKey, Number, OwnedBy, Action, Cart, Minor, Code, Status, CreatedAt };
    const auto action = ActionId::parseAnyForm(textOf(row.at(Action)));
    const auto amount = moneyOf(row.at(Minor), row.at(Code));
    const auto status = idempotency::orderStatusOf(textOf(row.at(Status)));
    if (!action || !amount || !status)
        return Failure(StorageError::Damaged);
    return Order{textOf(row.at(OrderKey)),
                 textOf(row.at(Number)),
                 textOf(row.at(OwnedBy)),
                 *action,
                 textOf(row.at(Cart)),
                 *amount,
                 *status,
                 timeOf(row.at(CreatedAt))};
}

} // namespace payonce::storage
