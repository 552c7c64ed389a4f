// ActionLines: every action of the shop in short, as the control API lists and judges them, a page at a time.
#pragma once

#include "idempotency/ledger_store.h"
#include "idempotency/order.h"
#include "storage/database.h"

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace payonce::storage {

/// The order of an action.
struct OrderLine
{
    std::string id;
    std::string number;
    std::string cartId;
    values::Money amount;
    idempotency::OrderStatus status = idempotency::OrderStatus::Open;
    std::string chargeId; ///< empty: it is not paid
    values::WallTime createdAt;
};

struct ActionLine
{
    std::int64_t place = 0; ///< newer ones have a greater one
    std::string account;
    std::string actionId;
    std::optional<values::RecordState> state; ///< none: the record is gone, the order is left
    std::string bankKey;                      ///< empty where there is none, or none any more
    std::string chargeId;                     ///< that the record was settled by
    values::WallTime at;                      ///< first seen
    bool hasDiscrepancy = false;
    std::optional<OrderLine> order;
};

/// Before the first page.
inline constexpr std::int64_t kNewestPlace = std::numeric_limits<std::int64_t>::max();

/// On a database of openShopDatabase(), which outlives it, on its thread. Pages begin below `before`, newest first; what comes
/// while somebody pages is not seen. A record and its order are of one moment.
class ActionLines
{
public:
    using Lines = values::Result<std::vector<ActionLine>, idempotency::StoreError>;

    explicit ActionLines(Database& database) : m_database(database) {}

    /// Actions with a record, but deeds of support.
    [[nodiscard]] Lines withRecord(std::int64_t before, int limit);
    /// Orders, whether their record is there or gone: a page may hold none of the latter and still not be the last.
    [[nodiscard]] Lines withOrder(std::int64_t before, int limit);
    /// The action that a charge of this bank key belongs to.
    [[nodiscard]] Lines ofBankKey(const std::string& bankKey);
    /// Mails that have arrived, all of them.
    [[nodiscard]] values::Result<std::int64_t, idempotency::StoreError> mailCount();

private:
    [[nodiscard]] Lines linesOf(const QString& sql, const QVariantList& values);

    Database& m_database;
};

} // namespace payonce::storage
