// The record of one key, and what an order and a bank row say about it (docs/contract.md, States of a record).
#pragma once

#include "values/money.h"
#include "values/record_state.h"
#include "values/time.h"
#include "values/uuid.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace payonce::idempotency {

/// SHA-256 over policy id, kind, route and the canonical body (RFC 8785).
struct Fingerprint
{
    std::array<std::uint8_t, 32> bytes{};
    friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

using values::RecordState;

/// What a key was used for. Only a payment has a bank key, terms and an order; the others claim, run and settle in one go.
enum class RecordKind { Payment, Account, Support };

/// Why a record was abandoned.
enum class AbandonReason { Cancelled, Expired, CartTaken };

/// Counts takeovers in the whole store; a write that names an older number changes nothing.
using FenceNumber = std::int64_t;

/// An answer that was decided after the claim and is replayed for ever.
struct StoredAnswer
{
    int status = 0;
    std::string body; ///< exact bytes
    friend bool operator==(const StoredAnswer&, const StoredAnswer&) = default;
};

/// What the payment asks for. Form already checked.
struct PaymentTerms
{
    std::string cartId;
    values::Money amount;
    std::string paymentMethod;
    std::string email;
    values::WallTime validUntil;
    friend bool operator==(const PaymentTerms&, const PaymentTerms&) = default;
};

struct KeyRecord
{
    std::string account{};
    values::ActionId id;
    RecordKind kind = RecordKind::Payment; ///< of a tombstone that came before any request: what its caller said it is
    std::string policyId{};
    std::optional<Fingerprint> fingerprint{};
    std::optional<PaymentTerms> terms{}; ///< none of other kinds, and none where an abandon came before any request
    RecordState state = RecordState::InProgress;
    std::string owner{}; ///< server instance
    FenceNumber fence = 0;
    values::WallTime leaseUntil{};
    std::optional<values::BankKey> bankKey{}; ///< minted in the claim, kept for ever; none of other kinds or for a tombstone
    bool cancelRequested = false;             ///< an abandon came while it was open; never cleared
    values::WallTime firstSeen{};
    std::optional<values::WallTime> settledAt{};
    std::string paymentId{};               ///< `pay_…`
    std::string orderId{};                 ///< `ord_…`; empty for a tombstone
    std::string orderNumber{};             ///< what people read: `1001`
    std::string chargeId{};                ///< of Succeeded
    std::string declineCode{};             ///< of Failed
    std::optional<AbandonReason> reason{}; ///< of Abandoned
    std::string heldBy{};                  ///< of Abandoned with CartTaken
    std::optional<StoredAnswer> answer{};  ///< of Succeeded and Failed
    bool hasDiscrepancy = false;           ///< an event of the bank says otherwise; people must look
    friend bool operator==(const KeyRecord&, const KeyRecord&) = default;
};

/// What the bank says about a bank key.
enum class BankState { Approved, Declined, Fenced, Running, NeverSeen };

struct BankRow
{
    BankState state = BankState::NeverSeen;
    std::string chargeId{};    ///< of Approved
    std::string declineCode{}; ///< of Declined
    friend bool operator==(const BankRow&, const BankRow&) = default;
};

/// `payment`, `account`, `support`.
[[nodiscard]] const char* nameOf(RecordKind kind);
[[nodiscard]] std::optional<RecordKind> recordKindOf(std::string_view name);

/// `cancelled`, `expired`, `cart-taken`.
[[nodiscard]] const char* nameOf(AbandonReason reason);
[[nodiscard]] std::optional<AbandonReason> abandonReasonOf(std::string_view name);

} // namespace payonce::idempotency
