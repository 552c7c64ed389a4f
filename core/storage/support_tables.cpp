#include "storage/support_tables.h"

#include "storage/binding.h"
#include "storage/outbox_table.h"
#include "storage/record_rows.h"
#include "storage/server_ledger.h"
#include "storage/undoable.h"
#include "values/check.h"

#include <algorithm>

namespace payonce::storage {

using idempotency::StoreError;
using values::ActionId;
using values::Failure;
using values::Result;
using values::WallTime;

namespace {

/// The columns in the order of both statements.
enum Column {
    Account,
    Id,
    Kind,
    State,
    Order,
    AmountMinor,
    Currency,
    Email,
    LastFour,
    CartId,
    OrderId,
    OrderNumber,
    PaymentId,
    ChargeId,
    DeclineCode,
    BankKeyText,
    CancelRequested,
    Reason,
    HeldBy,
    FirstSeen,
    SettledAt,
    ValidUntil,
    HasDiscrepancy
};

/// Actions with an order, found by the order; the record may be gone.
QString selectByOrder(const QString& rest)
{
    return QStringLiteral(
               "SELECT o.account, o.action_id, 'payment', r.state, o.status, o.amount_minor, o.currency, r.email, r.last_four, "
               "o.cart_id, o.id, o.number, o.payment_id, o.charge_id, o.decline_code, r.bank_key, r.cancel_requested, "
               "COALESCE(r.reason, o.reason), r.held_by, o.created_at, o.settled_at, r.valid_until, ") +
           discrepancyOf("o") +
           QStringLiteral(
               "FROM orders AS o LEFT JOIN key_records AS r ON r.account = o.account AND r.action_id = o.action_id ") +
           rest;
}

/// Actions found by their record.
QString selectByRecord(const QString& rest)
{
    return QStringLiteral("SELECT r.account, r.action_id, r.kind, r.state, o.status, r.amount_minor, r.currency, "
                          "COALESCE(r.email, a.email), r.last_four, r.cart_id, r.order_id, o.number, r.payment_id, "
                          "COALESCE(o.charge_id, r.charge_id), r.decline_code, r.bank_key, "
                          "r.cancel_requested, r.reason, r.held_by, r.first_seen, r.settled_at, r.valid_until, ") +
           discrepancyOf("r") +
           QStringLiteral("FROM key_records AS r LEFT JOIN orders AS o ON o.id = r.order_id "
                          "LEFT JOIN accounts AS a ON a.owner = r.account AND a.action_id = r.action_id ") +
           rest;
}

const QString kOrderless = QStringLiteral(" AND r.order_id = '' AND r.kind <> 'support' LIMIT ?");

Result<SupportRow, StorageError> supportRowOf(const Row& row)
{
    const auto id = ActionId::parseAnyForm(textOf(row.at(Id)));
    if (!id)
        return Failure(StorageError::Damaged);
    SupportRow result{.account = textOf(row.at(Account)),
                      .id = *id,
                      .kind = textOf(row.at(Kind)),
                      .state = values::recordStateOf(textOf(row.at(State))),
                      .order = idempotency::orderStatusOf(textOf(row.at(Order))),
                      .amount = moneyOf(row.at(AmountMinor), row.at(Currency)),
                      .email = textOf(row.at(Email)),
                      .lastFour = textOf(row.at(LastFour)),
                      .cartId = textOf(row.at(CartId)),
                      .orderId = textOf(row.at(OrderId)),
                      .orderNumber = textOf(row.at(OrderNumber)),
                      .paymentId = textOf(row.at(PaymentId)),
                      .chargeId = textOf(row.at(ChargeId)),
                      .declineCode = textOf(row.at(DeclineCode)),
                      .bankKey = values::BankKey::parse(textOf(row.at(BankKeyText))),
                      .cancelRequested = row.at(CancelRequested).toBool(),
                      .reason = idempotency::abandonReasonOf(textOf(row.at(Reason))),
                      .heldBy = textOf(row.at(HeldBy)),
                      .firstSeen = timeOf(row.at(FirstSeen)),
                      .settledAt = optionalTimeOf(row.at(SettledAt)),
                      .validUntil = optionalTimeOf(row.at(ValidUntil)),
                      .hasDiscrepancy = row.at(HasDiscrepancy).toBool()};
    if (result.state.has_value() == row.at(State).isNull() || result.order.has_value() == row.at(Order).isNull())
        return Failure(StorageError::Damaged);
    return result;
}

QVariantList valuesFor(SupportColumn column, const std::string& value)
{
    constexpr std::size_t kReferenceLength = 8;
    if (column == SupportColumn::ActionId)
        return {bound(value.substr(value.size() - std::min(kReferenceLength, value.size()))), bound(value)};
    return {bound(value)};
}

} // namespace

QStringList supportQueries(SupportColumn column)
{
    switch (column) {
    case SupportColumn::ActionId:
        // Compared with the bare column, SQLite would see through substr() and find no index.
        return {
            selectByOrder(
                QStringLiteral("WHERE substr(o.action_id, length(o.action_id) - 7) = ? AND o.action_id || '' = ? LIMIT ?")),
            selectByRecord(QStringLiteral("WHERE substr(r.action_id, length(r.action_id) - 7) = ? AND r.action_id || '' = ?") +
                           kOrderless)};
    case SupportColumn::Reference:
        return {selectByOrder(QStringLiteral("WHERE substr(o.action_id, length(o.action_id) - 7) = ? LIMIT ?")),
                selectByRecord(QStringLiteral("WHERE substr(r.action_id, length(r.action_id) - 7) = ?") + kOrderless)};
    case SupportColumn::OrderId: return {selectByOrder(QStringLiteral("WHERE o.id = ? LIMIT ?"))};
    case SupportColumn::OrderNumber: return {selectByOrder(QStringLiteral("WHERE o.number = ? LIMIT ?"))};
    case SupportColumn::PaymentId: return {selectByOrder(QStringLiteral("WHERE o.payment_id = ? LIMIT ?"))};
    case SupportColumn::BankKey: return {selectByRecord(QStringLiteral("WHERE r.bank_key = ? LIMIT ?"))};
    case SupportColumn::CartId:
        return {selectByOrder(QStringLiteral("WHERE o.cart_id = ? ORDER BY o.created_at DESC LIMIT ?"))};
    case SupportColumn::Email:
        return {selectByRecord(QStringLiteral(
                    "WHERE lower(r.email) = lower(?) AND r.email IS NOT NULL ORDER BY r.first_seen DESC LIMIT ?")),
                selectByRecord(QStringLiteral("WHERE a.email_key = lower(?) LIMIT ?"))};
    case SupportColumn::LastFour:
        return {selectByRecord(
            QStringLiteral("WHERE r.last_four = ? AND r.last_four IS NOT NULL ORDER BY r.first_seen DESC LIMIT ?"))};
    }
    return {};
}

QString neighbourQuery()
{
    return selectByRecord(
        QStringLiteral("WHERE lower(r.email) = lower(?) AND r.email IS NOT NULL AND r.first_seen >= ? AND r.first_seen <= ? "
                       "AND r.amount_minor = ? AND r.currency = ? AND NOT (r.account = ? AND r.action_id = ?) "
                       "ORDER BY r.first_seen DESC LIMIT ?"));
}

Result<std::vector<SupportRow>, StoreError> SupportTables::rowsOf(const QString& sql, const QVariantList& values)
{
    const auto rows = m_database.select(sql, values);
    if (!rows)
        return Failure(toStoreError(rows.error()));
    std::vector<SupportRow> result;
    for (const Row& row : *rows) {
        auto one = supportRowOf(row);
        if (!one)
            return Failure(toStoreError(one.error()));
        result.push_back(*std::move(one));
    }
    return result;
}

Result<std::vector<SupportRow>, StoreError> SupportTables::find(SupportColumn column, const std::string& value, int limit)
{
    CHECK(limit >= 0);
    std::vector<SupportRow> found;
    for (const QString& sql : supportQueries(column)) {
        auto rows = rowsOf(sql, valuesFor(column, value) + QVariantList{bound(std::int64_t{limit})});
        if (!rows)
            return rows;
        found.insert(found.end(), std::make_move_iterator(rows->begin()), std::make_move_iterator(rows->end()));
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const SupportRow& a, const SupportRow& b) { return a.firstSeen > b.firstSeen; });
    if (found.size() > static_cast<std::size_t>(limit))
        found.erase(found.begin() + limit, found.end());
    return found;
}

Result<std::vector<std::string>, StoreError> SupportTables::idsByReference(const std::string& shown)
{
    // The characters in this order, whatever stands between them; which of them are its last ones is seen here.
    QString pattern = QStringLiteral("%");
    for (const char c : shown)
        pattern += QString(QChar(QLatin1Char(c)).toLower()) + QLatin1Char('%');
    const auto rows =
        m_database.select(QStringLiteral("SELECT DISTINCT action_id FROM key_records WHERE lower(action_id) LIKE ? LIMIT ?"),
                          {pattern, bound(std::int64_t{kReferenceCandidatesMost})});
    if (!rows)
        return Failure(toStoreError(rows.error()));
    std::vector<std::string> ids;
    for (const Row& row : *rows) {
        const auto id = ActionId::parseAnyForm(textOf(row.first()));
        std::string reference = id ? values::reference(*id) : std::string();
        std::erase(reference, '-');
        if (reference == shown)
            ids.push_back(id->toString());
    }
    return ids;
}

Result<std::vector<SupportRow>, StoreError> SupportTables::neighbours(const SupportRow& row, std::chrono::milliseconds span,
                                                                      int limit)
{
    if (row.email.empty() || !row.amount)
        return std::vector<SupportRow>();
    return rowsOf(neighbourQuery(),
                  {bound(row.email), bound(row.firstSeen - span), bound(row.firstSeen + span), bound(row.amount->minorUnits),
                   bound(row.amount->currency.code()), bound(row.account), bound(row.id), bound(std::int64_t{limit})});
}

Result<std::optional<ActionId>, StoreError> SupportTables::otherHolder(const SupportRow& row)
{
    const auto rows = m_database.select(
        QStringLiteral("SELECT action_id FROM orders WHERE account = ? AND cart_id = ? AND status IN ('open', 'paid')"),
        {bound(row.account), bound(row.cartId)});
    if (!rows)
        return Failure(toStoreError(rows.error()));
    if (rows->isEmpty())
        return std::optional<ActionId>();
    const auto holder = ActionId::parseAnyForm(textOf(rows->first().first()));
    if (!holder)
        return Failure(StoreError::Damaged);
    return *holder == row.id ? std::nullopt : holder;
}

Result<std::vector<SupportMail>, StoreError> SupportTables::mails(const std::string& account, const ActionId& id)
{
    const auto rows =
        m_database.select(QStringLiteral("SELECT delivery_id, kind, resend, created_at, sent_at FROM outbox "
                                         "WHERE account = ? AND action_id = ? ORDER BY created_at, resend LIMIT ?"),
                          {bound(account), bound(id), bound(std::int64_t{kSupportRowsMost})});
    if (!rows)
        return Failure(toStoreError(rows.error()));
    std::vector<SupportMail> mails;
    for (const Row& row : *rows)
        mails.push_back(
            {textOf(row.at(0)), textOf(row.at(1)), row.at(2).toBool(), timeOf(row.at(3)), optionalTimeOf(row.at(4))});
    return mails;
}

Result<std::int64_t, StoreError> SupportTables::change(const QString& sql, const QVariantList& values)
{
    return undoable(m_database, [&] { return m_database.change(sql, values); }).map_error(toStoreError);
}

Result<void, StoreError> SupportTables::audit(const AuditRow& row)
{
    return done(change(QStringLiteral("INSERT INTO support_audit (at, who, deed, account, action_id, deed_id, reason) "
                                      "VALUES (?, ?, ?, ?, ?, ?, ?)"),
                       {bound(row.at), bound(row.who), bound(row.deed), bound(row.account), bound(row.actionId),
                        bound(row.deedId), bound(row.reason)}));
}

Result<std::vector<AuditRow>, StoreError> SupportTables::deeds(const std::string& account, const ActionId& id)
{
    const auto rows = m_database.select(
        QStringLiteral("SELECT at, who, deed, deed_id, reason FROM support_audit "
                       "WHERE account = ? AND action_id = ? AND deed_id <> '' ORDER BY at DESC, rowid DESC LIMIT ?"),
        {bound(account), bound(id), bound(std::int64_t{kSupportRowsMost})});
    if (!rows)
        return Failure(toStoreError(rows.error()));
    std::vector<AuditRow> deeds;
    for (const Row& row : *rows)
        deeds.push_back({timeOf(row.at(0)), textOf(row.at(1)), textOf(row.at(2)), account, id.toString(), textOf(row.at(3)),
                         textOf(row.at(4))});
    std::reverse(deeds.begin(), deeds.end());
    return deeds;
}

Result<void, StoreError> SupportTables::askSoon(const std::string& account, const ActionId& id)
{
    return done(change(QStringLiteral("UPDATE key_records SET next_ask_at = 0 WHERE account = ? AND action_id = ? "
                                      "AND state IN ('in_progress', 'unknown')"),
                       {bound(account), bound(id)}));
}

Result<bool, StoreError> SupportTables::finishOrder(const SupportRow& row, const std::string& chargeId, WallTime now)
{
    const auto work = [&]() -> Result<bool, StorageError> {
        const auto finished = m_database.change(
            // Why it was not paid stays: that is what the client was told, and it is told so when the record is gone.
            QStringLiteral(
                "UPDATE orders SET status = 'paid', charge_id = ?, settled_at = ? WHERE id = ? AND status <> 'paid'"),
            {bound(chargeId), bound(now), bound(row.orderId)});
        if (!finished || *finished == 0)
            return finished ? Result<bool, StorageError>(false) : Failure(finished.error());
        const auto closed = m_database.change(
            QStringLiteral("UPDATE support_tasks SET closed_at = ? WHERE account = ? AND action_id = ? AND closed_at IS NULL"),
            {bound(now), bound(row.account), bound(row.id)});
        if (!closed)
            return Failure(closed.error());
        if (row.email.empty())
            return true;
        const auto queued = putMail(m_database, receiptOf(row.paymentId, row.account, row.id, row.orderId, row.email), now);
        return queued ? Result<bool, StorageError>(true) : Failure(queued.error());
    };
    return undoable(m_database, work).map_error(toStoreError);
}

Result<std::vector<SupportEvent>, StoreError> SupportTables::events(const values::BankKey& key)
{
    const auto rows = m_database.select(
        QStringLiteral(
            "SELECT id, transition, outcome, deliveries, received_at FROM webhook_events WHERE bank_key = ? LIMIT ?"),
        {bound(key), bound(std::int64_t{kSupportRowsMost})});
    if (!rows)
        return Failure(toStoreError(rows.error()));
    std::vector<SupportEvent> events;
    for (const Row& row : *rows)
        events.push_back({textOf(row.at(0)), textOf(row.at(1)), textOf(row.at(2)), numberOf(row.at(3)), timeOf(row.at(4))});
    std::stable_sort(events.begin(), events.end(),
                     [](const SupportEvent& a, const SupportEvent& b) { return a.receivedAt < b.receivedAt; });
    return events;
}

} // namespace payonce::storage
