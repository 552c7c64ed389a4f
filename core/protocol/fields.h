// The contract's header fields (docs/contract.md, Requests): Idempotency-Key, Action-Id, Action-Attempt, Prefer.
#pragma once

#include "retry/transport.h"
#include "values/result.h"
#include "values/time.h"
#include "values/uuid.h"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace payonce::protocol {

/// Which keys a shop takes: of our clients only, or of any client.
enum class KeyForm { UuidV7, Any };

/// A line of a key may be at most this long before it is looked at: every character may be escaped.
inline constexpr std::size_t kLongestKeyLine = 2 * values::kLongestActionId + 2;

enum class KeyErrorKind { Missing, Repeated, Empty, Malformed, NotUuidV7, TooFarAhead };

struct KeyError
{
    KeyErrorKind kind = KeyErrorKind::Missing;
    std::string detail;                 ///< a sentence for the problem's `detail`
    std::optional<values::ActionId> id; ///< of TooFarAhead: well-formed, so it is echoed
};

/// Reads the Idempotency-Key from all its field lines. An RFC 9651 string; the bare form is the same key. One line,
/// one item, no parameters. `now` is the server's clock; a UUIDv7 whose time is later than `now + aheadMost` is refused.
[[nodiscard]] values::Result<values::ActionId, KeyError> parseKey(const std::vector<std::string>& lines, values::WallTime now,
                                                                  std::chrono::milliseconds aheadMost,
                                                                  KeyForm form = KeyForm::UuidV7);

/// `"0198c0de-7a11-7c3e-9f00-6b1f0a2c4d5e"` with its quotes and escapes: the value of Idempotency-Key and of Action-Id.
[[nodiscard]] std::string quoted(const values::ActionId& id);
/// Reads an Action-Id field; a UUIDv7 only.
[[nodiscard]] std::optional<values::ActionId> parseActionId(std::string_view field);

/// `2;prev=timeout;presses=3;state=confirming`.
[[nodiscard]] std::string formatAttempt(const retry::AttemptNote& note);
/// The largest number of an attempt, and of presses.
inline constexpr int kMostAttempts = 1'000'000;
/// Of `prev` and `state`, in characters.
inline constexpr std::size_t kLongestAttemptToken = 64;

/// Empty if it is no RFC 9651 integer from 1 to kMostAttempts, if `prev` or `state` is no token of at most
/// kLongestAttemptToken characters, or `presses` no integer. A token that means nothing here is dropped, more presses count as
/// kMostAttempts; unknown parameters are ignored; absent ones keep their defaults.
[[nodiscard]] std::optional<retry::AttemptNote> parseAttempt(std::string_view field);

/// As in `prev=timeout` and `state=confirming`.
[[nodiscard]] std::string_view nameOf(retry::PreviousEnd end);
[[nodiscard]] std::string_view nameOf(retry::State state);
[[nodiscard]] std::optional<retry::State> clientStateOf(std::string_view name);

/// Bounds of `Prefer: wait=N`.
inline constexpr std::chrono::seconds kShortestWait{1};
inline constexpr std::chrono::seconds kLongestWait{25};

/// `wait=25`.
[[nodiscard]] std::string formatWait(std::chrono::seconds wait);
/// The `wait` preference among others (RFC 7240), brought into its bounds. Empty if there is none or it is no number:
/// a preference that is not understood is ignored.
[[nodiscard]] std::optional<std::chrono::seconds> parseWait(std::string_view field);

} // namespace payonce::protocol
