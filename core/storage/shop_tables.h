// ShopTables: what the shop keeps beside key records and orders: its names, carts and exchanged cards.
#pragma once

#include "idempotency/ledger_store.h"
#include "idempotency/order.h"
#include "storage/database.h"

#include <string>
#include <vector>

namespace payonce::storage {

struct CartLine
{
    std::string name;
    int quantity = 1;
    values::Money amount; ///< of the whole line, before tax
    friend bool operator==(const CartLine&, const CartLine&) = default;
};

/// Lines and tax are in one currency; their sum is the total.
struct Cart
{
    std::string id; ///< `cart_1`, `cart_2`, … within the account
    std::vector<CartLine> lines;
    values::Money tax;
    values::Money total;
    friend bool operator==(const Cart&, const Cart&) = default;
};

/// A card that was exchanged. Number and security code never come here.
struct PaymentMethod
{
    std::string id;
    std::string account;
    std::string brand;
    std::string lastFour;
    values::WallTime expiresAt;
    friend bool operator==(const PaymentMethod&, const PaymentMethod&) = default;
};

/// What a client says about its own action: evidence, never a reason.
struct ClientReport
{
    std::string account;
    values::ActionId action;
    values::WallTime at;
    std::string body; ///< exact bytes
};

/// Reports kept of one action, the newest ones.
inline constexpr int kReportsMost = 10;

/// On a database of openShopDatabase(), which outlives it, on its thread. Calls that write belong to the batch that
/// ServerLedger::beginBatch() opened on the same database.
class ShopTables
{
public:
    template <class T> using Stored = values::Result<T, idempotency::StoreError>;

    explicit ShopTables(Database& database) : m_database(database) {}

    /// The value of `name`: the one stored before or, at first use, `value`. For ids that never change (server, bank).
    [[nodiscard]] Stored<std::string> rememberOnce(const std::string& name, const std::string& value);

    /// The account's newest cart; a new one with these lines (never empty) if it has none or its newest one is paid.
    [[nodiscard]] Stored<Cart> openCart(const std::string& account, const std::vector<CartLine>& lines,
                                        const values::Money& tax);

    /// Drops the expired ones of all accounts as well.
    [[nodiscard]] Stored<void> savePaymentMethod(const PaymentMethod& method, values::WallTime now);
    /// Empty: unknown, another account's, or expired at `now`.
    [[nodiscard]] Stored<std::optional<PaymentMethod>> findPaymentMethod(const std::string& account, const std::string& id,
                                                                         values::WallTime now);

    /// Of all accounts, newest first, at most `limit`. Readable without a batch.
    [[nodiscard]] Stored<std::vector<idempotency::Order>> newestOrders(int limit);
    /// Of one account, newest first, at most `limit`; readable without a batch as well.
    [[nodiscard]] Stored<std::vector<idempotency::Order>> ordersOf(const std::string& account, int limit);
    /// Empty: unknown or another account's.
    [[nodiscard]] Stored<std::optional<idempotency::Order>> findOrder(const std::string& account, const std::string& id);
    [[nodiscard]] Stored<std::vector<idempotency::KeyRecord>> newestRecords(int limit);

    [[nodiscard]] Stored<void> saveReport(const ClientReport& report);
    /// The bodies, oldest first.
    [[nodiscard]] Stored<std::vector<std::string>> reportsOf(const std::string& account, const values::ActionId& action);
    [[nodiscard]] Stored<void> dropReportsBefore(values::WallTime time);

    /// Drops records, orders, reports, carts and payment methods; order numbers start again at 1001. The remembered ids and the
    /// fence counter stay, so that work under way for a dropped record writes nothing.
    [[nodiscard]] Stored<void> reset();

private:
    struct NumberedCart
    {
        std::int64_t number = 0;
        Cart cart;
        bool isPaid = false;
    };

    template <class T> using Read = values::Result<T, StorageError>;

    [[nodiscard]] Stored<std::vector<idempotency::Order>> ordersWhere(const QString& rest, const QVariantList& values);
    [[nodiscard]] Read<std::optional<NumberedCart>> newestCart(const std::string& account);
    [[nodiscard]] Read<std::vector<CartLine>> readLines(const std::string& account, std::int64_t number,
                                                        const values::Currency& currency);
    [[nodiscard]] Read<std::int64_t> firstFreeNumber(const std::string& account, std::int64_t from);
    [[nodiscard]] Read<void> insertCart(const std::string& account, std::int64_t number, const Cart& cart);

    Database& m_database;
};

} // namespace payonce::storage
