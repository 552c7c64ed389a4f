// Sample actions of the journal's tests.
#pragma once

#include "storage/action_rows.h"
#include "storage/client_journal.h"

namespace payonce::samples {

inline constexpr const char* kFirstId = "0198c0de-7a11-7c3e-9f00-6b1f0a2c4d5e";
inline constexpr const char* kSecondId = "0198c0de-7a12-7c3e-9f00-6b1f0a2c4d5f";
inline constexpr const char* kSameReference = "0198c0de-7a13-7c3e-9f00-ffff0a2c4d5e";

inline values::WallTime at(std::int64_t milliseconds)
{
    return values::WallTime(std::chrono::milliseconds(milliseconds));
}

inline retry::StoredAction anAction(const char* id = kFirstId, const std::string& cart = "cart_1")
{
    return {.id = *values::ActionId::parse(id),
            .scope = {.account = "acct_1", .serverId = "srv_1"},
            .purchase = {.cartId = cart, .amount = {4200, *values::Currency::fromCode("EUR")}, .email = "a@example.com"},
            .createdAt = at(1000),
            .validUntil = at(901000),
            .lease = 0,
            .toldNotStarted = false,
            .ready = std::nullopt,
            .attempts = {},
            .final = std::nullopt};
}

inline retry::PreparedRequest aRequest(const std::string& body = R"({"cart_id":"cart_1"})")
{
    return {.card = {.paymentMethod = "pm_1", .brand = "visa", .lastFour = "4242"},
            .body = body,
            .fingerprint = storage::sha256Hex(body)};
}

inline retry::FinalAnswer anAnswer(retry::State state)
{
    return {.state = state,
            .cause = retry::Cause::None,
            .orderNumber = "1001",
            .chargeId = "ch_1",
            .declineCode = {},
            .charged = {},
            .detail = {}};
}

inline retry::AttemptEnd anEnd()
{
    return {.bytesTaken = 312,
            .status = 500,
            .error = retry::TransportError::RemoteClosed,
            .reason = retry::EndReason::HardDeadline};
}

/// The first attempt's row, as save 2 brings it along.
inline retry::AttemptStart aRow(int number = 1)
{
    return {.number = number, .at = at(1000 + 1000 * std::int64_t{number})};
}

/// Save 1, then save 2 with the row of attempt 1; returns the lease, -1 if one failed.
inline retry::LeaseNumber makeReady(storage::ClientJournal& journal, const retry::StoredAction& action)
{
    const auto lease = journal.saveAction(action);
    const bool ready = lease && journal.saveReady(action.id, *lease, aRequest(), aRow()) == retry::AttemptBegun::Inserted;
    return ready ? *lease : -1;
}

} // namespace payonce::samples
