// What the control API shows of the shop's and the bank's databases, and how it empties them.
#pragma once

#include "values/money.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace payonce::faults {

struct ChargeRow
{
    std::string id; ///< `ch_…`; empty for a decline
    std::string actionId;
    values::Money amount;
    std::string status;    ///< approved or declined
    std::string at;        ///< RFC 3339
    std::string bankKey{}; ///< tells whose it is, also before the shop has settled it
};

struct OrderRow
{
    std::string id;
    std::string number;
    std::string actionId;
    std::string cartId;
    values::Money amount;
    std::string status; ///< open, paid or closed
    std::string at;
    std::string account{};
    std::string chargeId{}; ///< that it is paid by; empty: none
};

struct RecordRow
{
    std::string actionId;
    std::string state; ///< as in `"state":"in_progress"`
    std::string account{};
    std::string chargeId{}; ///< of the charge that it was settled by
    bool hasDiscrepancy = false;
    std::string bankKey{};
    std::string at{}; ///< first seen; RFC 3339
};

/// A mail that arrived at the mail system.
struct MailRow
{
    std::string kind;
    std::string to;
    std::string actionId;
    std::string orderId; ///< empty where there is none
    std::string at;
};

/// What a sign-up made.
struct AccountRow
{
    std::string id;
    std::string actionId;
    std::string email;
    std::string at;
};

/// Everything in one reading, of an action all or nothing. Charges come from the bank's database, the rest from the shop's.
struct LedgerView
{
    std::vector<ChargeRow> charges;
    std::vector<OrderRow> orders;
    std::vector<RecordRow> records;
    std::vector<MailRow> mails;
    std::int64_t mailsWaiting = 0; ///< in the outbox; they are never dropped
    std::vector<AccountRow> accounts;
    bool isCut = false;           ///< there are older charges, orders and records, of which nothing is here
    std::int64_t mailsBeyond = 0; ///< that arrived before `mails`
};

/// Asynchronous, on the caller's thread. Implemented by the shop.
class LedgerSource
{
public:
    LedgerSource() = default;
    LedgerSource(const LedgerSource&) = delete;
    LedgerSource& operator=(const LedgerSource&) = delete;
    LedgerSource(LedgerSource&&) = delete;
    LedgerSource& operator=(LedgerSource&&) = delete;
    virtual ~LedgerSource() = default;

    /// Empty: a database could not be read.
    virtual void read(std::function<void(std::optional<LedgerView>)> done) = 0;
    /// Drops the work that is under way; `done` when nothing of it can arrive here any more.
    virtual void quieten(std::function<void()> done) { std::exchange(done, {})(); }
    /// Drops every record, order, cart and charge; work still under way for them writes nothing afterwards.
    virtual void reset(std::function<void(bool)> done) = 0;
};

} // namespace payonce::faults
