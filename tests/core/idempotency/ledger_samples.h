// Claims and stamps that differ only in what a test says.
#pragma once

#include "idempotency/ledger_store.h"

namespace payonce::samples {

inline constexpr values::WallTime kNow{std::chrono::milliseconds(1'796'032'800'000)}; // 2026-11-30T10:00:00Z
inline constexpr const char* kAccount = "acct_a";
inline constexpr const char* kOther = "acct_b"; ///< another account
inline constexpr const char* kServer = "home-1/run-1";
inline constexpr const char* kNextRun = "home-1/run-2";     ///< the same server, started again
inline constexpr const char* kOtherServer = "home-2/run-1"; ///< on the same database
inline constexpr const char* kCard = "pm_known";

/// A different ID for each number, all minted at kNow.
[[nodiscard]] values::ActionId actionId(std::uint8_t number);
[[nodiscard]] values::BankKey bankKey(std::uint8_t number);
[[nodiscard]] values::Money euros(std::int64_t minorUnits);
[[nodiscard]] idempotency::Fingerprint fingerprint(std::uint8_t number);

/// Valid in every respect: 42.00 EUR for a cart of the caller's own, valid for 15 minutes.
[[nodiscard]] idempotency::ClaimRequest request(std::uint8_t number, const std::string& cartId = "own-cart");
/// A sign-up of the same account, valid for 15 minutes.
[[nodiscard]] idempotency::OnceRequest onceRequest(std::uint8_t number);
/// Names made of `number`, so that two stamps never share one.
[[nodiscard]] idempotency::ClaimStamp stamp(std::uint8_t number, values::WallTime now = kNow,
                                            const std::string& owner = kServer);
/// What a claim of request() and stamp() writes.
[[nodiscard]] idempotency::KeyRecord record(std::uint8_t number, values::RecordState state = values::RecordState::InProgress);

[[nodiscard]] idempotency::BankRow approved();
[[nodiscard]] idempotency::BankRow declined();
[[nodiscard]] idempotency::BankRow fenced();
[[nodiscard]] idempotency::Ownership ownershipOf(const idempotency::KeyRecord& record);
/// Bytes that only a byte-for-byte copy keeps: quotes, a NUL, a byte that is not UTF-8.
[[nodiscard]] idempotency::StoredAnswer renderAnswer(const idempotency::KeyRecord& record);

} // namespace payonce::samples
