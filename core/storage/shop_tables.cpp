#include "storage/shop_tables.h"

#include "storage/binding.h"
#include "storage/record_rows.h"
#include "storage/server_ledger.h"
#include "storage/undoable.h"
#include "values/check.h"

namespace payonce::storage {

using idempotency::KeyRecord;
using idempotency::Order;
using idempotency::StoreError;
using values::Failure;
using values::Money;
using values::Result;
using values::WallTime;

namespace {

std::string cartName(std::int64_t number)
{
    return "cart_" + std::to_string(number);
}

Cart makeCart(std::int64_t number, const std::vector<CartLine>& lines, const Money& tax)
{
    CHECK(!lines.empty());
    Cart cart{cartName(number), lines, tax, tax};
    for (const CartLine& line : lines) {
        CHECK(line.amount.currency == tax.currency && line.quantity >= 1);
        cart.total.minorUnits += line.amount.minorUnits;
    }
    return cart;
}

} // namespace

Result<std::string, StoreError> ShopTables::rememberOnce(const std::string& name, const std::string& value)
{
    const auto work = [&]() -> Read<std::string> {
        const auto kept = m_database.change(
            QStringLiteral("INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING"), {bound(name), bound(value)});
        if (!kept)
            return Failure(kept.error());
        const auto rows = m_database.select(QStringLiteral("SELECT value FROM meta WHERE name = ?"), {bound(name)});
        if (!rows)
            return Failure(rows.error());
        return textOf(rows->value(0).value(0));
    };
    return undoable(m_database, work).map_error(toStoreError);
}

Result<Cart, StoreError> ShopTables::openCart(const std::string& account, const std::vector<CartLine>& lines, const Money& tax)
{
    const auto work = [&]() -> Read<Cart> {
        auto newest = newestCart(account);
        if (!newest)
            return Failure(newest.error());
        if (*newest && !(*newest)->isPaid)
            return std::move((*newest)->cart);
        const auto number = firstFreeNumber(account, *newest ? (*newest)->number + 1 : 1);
        if (!number)
            return Failure(number.error());
        Cart cart = makeCart(*number, lines, tax);
        if (const auto inserted = insertCart(account, *number, cart); !inserted)
            return Failure(inserted.error());
        return cart;
    };
    return undoable(m_database, work).map_error(toStoreError);
}

Result<std::optional<ShopTables::NumberedCart>, StorageError> ShopTables::newestCart(const std::string& account)
{
    const auto rows = m_database.select(
        QStringLiteral("SELECT c.number, c.cart_id, c.tax_minor, c.total_minor, c.currency, EXISTS (SELECT 1 FROM orders AS o "
                       "WHERE o.account = c.account AND o.cart_id = c.cart_id AND o.status = 'paid') "
                       "FROM carts AS c WHERE c.account = ? ORDER BY c.number DESC LIMIT 1"),
        {bound(account)});
    if (!rows)
        return Failure(rows.error());
    if (rows->isEmpty())
        return std::optional<NumberedCart>();
    enum { Number, Id, Tax, Total, Currency, IsPaid };
    const Row& row = rows->first();
    const auto tax = moneyOf(row.at(Tax), row.at(Currency));
    const auto total = moneyOf(row.at(Total), row.at(Currency));
    if (!tax || !total)
        return Failure(StorageError::Damaged);
    auto lines = readLines(account, numberOf(row.at(Number)), tax->currency);
    if (!lines)
        return Failure(lines.error());
    return std::optional(
        NumberedCart{numberOf(row.at(Number)), {textOf(row.at(Id)), *std::move(lines), *tax, *total}, row.at(IsPaid).toBool()});
}

Result<std::vector<CartLine>, StorageError> ShopTables::readLines(const std::string& account, std::int64_t number,
                                                                  const values::Currency& currency)
{
    const auto rows = m_database.select(
        QStringLiteral(
            "SELECT name, quantity, amount_minor FROM cart_lines WHERE account = ? AND cart_number = ? ORDER BY line"),
        {bound(account), bound(number)});
    if (!rows)
        return Failure(rows.error());
    std::vector<CartLine> lines;
    for (const Row& row : *rows)
        lines.push_back({textOf(row.at(0)), row.at(1).toInt(), Money{numberOf(row.at(2)), currency}});
    return lines;
}

Result<std::int64_t, StorageError> ShopTables::firstFreeNumber(const std::string& account, std::int64_t from)
{
    // A caller may have paid for a cart of its own under a name that comes next here.
    for (std::int64_t number = from;; ++number) {
        const auto held = m_database.select(
            QStringLiteral("SELECT 1 FROM orders WHERE account = ? AND cart_id = ? AND status IN ('open', 'paid')"),
            {bound(account), bound(cartName(number))});
        if (!held)
            return Failure(held.error());
        if (held->isEmpty())
            return number;
    }
}

Result<void, StorageError> ShopTables::insertCart(const std::string& account, std::int64_t number, const Cart& cart)
{
    const auto inserted = m_database.change(
        QStringLiteral(
            "INSERT INTO carts (account, number, cart_id, tax_minor, total_minor, currency) VALUES (?, ?, ?, ?, ?, ?)"),
        {bound(account), bound(number), bound(cart.id), bound(cart.tax.minorUnits), bound(cart.total.minorUnits),
         bound(cart.tax.currency.code())});
    if (!inserted)
        return Failure(inserted.error());
    std::int64_t place = 0;
    for (const CartLine& line : cart.lines) {
        const auto added = m_database.change(
            QStringLiteral(
                "INSERT INTO cart_lines (account, cart_number, line, name, quantity, amount_minor) VALUES (?, ?, ?, ?, ?, ?)"),
            {bound(account), bound(number), bound(++place), bound(line.name), bound(std::int64_t{line.quantity}),
             bound(line.amount.minorUnits)});
        if (!added)
            return Failure(added.error());
    }
    return {};
}

Result<void, StoreError> ShopTables::savePaymentMethod(const PaymentMethod& method, WallTime now)
{
    const auto work = [&]() -> Read<void> {
        const auto dropped =
            m_database.change(QStringLiteral("DELETE FROM payment_methods WHERE expires_at <= ?"), {bound(now)});
        if (!dropped)
            return Failure(dropped.error());
        return done(m_database.change(
            QStringLiteral("INSERT INTO payment_methods (id, account, brand, last_four, expires_at) VALUES (?, ?, ?, ?, ?)"),
            {bound(method.id), bound(method.account), bound(method.brand), bound(method.lastFour), bound(method.expiresAt)}));
    };
    return undoable(m_database, work).map_error(toStoreError);
}

Result<std::optional<PaymentMethod>, StoreError> ShopTables::findPaymentMethod(const std::string& account,
                                                                               const std::string& id, WallTime now)
{
    const auto rows = m_database.select(
        QStringLiteral(
            "SELECT brand, last_four, expires_at FROM payment_methods WHERE id = ? AND account = ? AND expires_at > ?"),
        {bound(id), bound(account), bound(now)});
    if (!rows)
        return Failure(toStoreError(rows.error()));
    if (rows->isEmpty())
        return std::optional<PaymentMethod>();
    const Row& row = rows->first();
    return std::optional(PaymentMethod{id, account, textOf(row.at(0)), textOf(row.at(1)), timeOf(row.at(2))});
}

Result<std::vector<Order>, StoreError> ShopTables::newestOrders(int limit)
{
    CHECK(limit >= 0);
    return ordersWhere(QStringLiteral("ORDER BY created_at DESC, action_id DESC LIMIT ?"), {bound(std::int64_t{limit})});
}

Result<std::vector<Order>, StoreError> ShopTables::ordersOf(const std::string& account, int limit)
{
    CHECK(limit >= 0);
    return ordersWhere(QStringLiteral("WHERE account = ? ORDER BY created_at DESC, action_id DESC LIMIT ?"),
                       {bound(account), bound(std::int64_t{limit})});
}

Result<std::optional<Order>, StoreError> ShopTables::findOrder(const std::string& account, const std::string& id)
{
    const auto orders = ordersWhere(QStringLiteral("WHERE id = ? AND account = ?"), {bound(id), bound(account)});
    if (!orders)
        return Failure(orders.error());
    return orders->empty() ? std::nullopt : std::optional(orders->front());
}

Result<std::vector<Order>, StoreError> ShopTables::ordersWhere(const QString& rest, const QVariantList& values)
{
    const auto rows = m_database.select(selectOrders(rest), values);
    if (!rows)
        return Failure(toStoreError(rows.error()));
    std::vector<Order> orders;
    for (const Row& row : *rows) {
        auto order = orderFromRow(row);
        if (!order)
            return Failure(toStoreError(order.error()));
        orders.push_back(*std::move(order));
    }
    return orders;
}

Result<std::vector<KeyRecord>, StoreError> ShopTables::newestRecords(int limit)
{
    CHECK(limit >= 0);
    const auto rows =
        m_database.select(selectRecordsWhere(QStringLiteral("TRUE ORDER BY r.first_seen DESC, r.action_id DESC LIMIT ?")),
                          {bound(std::int64_t{limit})});
    if (!rows)
        return Failure(toStoreError(rows.error()));
    std::vector<KeyRecord> records;
    for (const Row& row : *rows) {
        auto record = recordOf(row);
        if (!record)
            return Failure(toStoreError(record.error()));
        records.push_back(std::move(record->record));
    }
    return records;
}

Result<void, StoreError> ShopTables::saveReport(const ClientReport& report)
{
    const auto work = [&]() -> Read<void> {
        const auto saved =
            m_database.change(QStringLiteral("INSERT INTO reports (account, action_id, at, body) VALUES (?, ?, ?, ?)"),
                              {bound(report.account), bound(report.action), bound(report.at), boundBytes(report.body)});
        if (!saved)
            return Failure(saved.error());
        return done(m_database.change(
            QStringLiteral(
                "DELETE FROM reports WHERE account = ? AND action_id = ? AND rowid NOT IN (SELECT rowid FROM reports "
                "WHERE account = ? AND action_id = ? ORDER BY rowid DESC LIMIT ?)"),
            {bound(report.account), bound(report.action), bound(report.account), bound(report.action),
             bound(std::int64_t{kReportsMost})}));
    };
    return undoable(m_database, work).map_error(toStoreError);
}

Result<std::vector<std::string>, StoreError> ShopTables::reportsOf(const std::string& account, const values::ActionId& action)
{
    const auto rows =
        m_database.select(QStringLiteral("SELECT body FROM reports WHERE account = ? AND action_id = ? ORDER BY rowid"),
                          {bound(account), bound(action)});
    if (!rows)
        return Failure(toStoreError(rows.error()));
    std::vector<std::string> bodies;
    for (const Row& row : *rows)
        bodies.push_back(bytesOf(row.first()));
    return bodies;
}

Result<void, StoreError> ShopTables::dropReportsBefore(WallTime time)
{
    const auto work = [&]() -> Read<void> {
        return done(m_database.change(QStringLiteral("DELETE FROM reports WHERE at < ?"), {bound(time)}));
    };
    return undoable(m_database, work).map_error(toStoreError);
}

Result<void, StoreError> ShopTables::reset()
{
    const auto work = [&]() -> Read<void> {
        for (const QString& sql : {QStringLiteral("DELETE FROM orders"), QStringLiteral("DELETE FROM key_records"),
                                   QStringLiteral("DELETE FROM reports"), QStringLiteral("DELETE FROM carts"),
                                   QStringLiteral("DELETE FROM payment_methods"), QStringLiteral("DELETE FROM accounts"),
                                   QStringLiteral("DELETE FROM outbox"), QStringLiteral("DELETE FROM mails"),
                                   QStringLiteral("DELETE FROM webhook_events"), QStringLiteral("DELETE FROM webhook_facts"),
                                   QStringLiteral("DELETE FROM discrepancies"), QStringLiteral("DELETE FROM support_tasks"),
                                   QStringLiteral("DELETE FROM support_audit"),
                                   QStringLiteral("UPDATE counters SET value = 1000 WHERE name = 'order_number'")}) {
            if (const auto done = m_database.change(sql); !done)
                return Failure(done.error());
        }
        return {};
    };
    return undoable(m_database, work).map_error(toStoreError);
}

} // namespace payonce::storage
