// What the client keeps about one action, and the words for where it stands.
#pragma once

#include "values/money.h"
#include "values/time.h"
#include "values/uuid.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace payonce::retry {

/// Where an action stands, as the person sees it (docs/client.md, States).
enum class State {
    Editing,
    Saving,
    NotStarted,
    Sending,
    Confirming,
    ServerWorking,
    RetryWait,
    Offline,        ///< nothing was ever sent
    OfflineUnknown, ///< bytes left, and the shop cannot be reached
    Paid,           ///< succeeded; of an account: it is there
    Declined,
    NotCharged, ///< refused before any charge, and nothing of it can come any more
    Fencing,    ///< the wish to cancel is being saved, or is saved: nothing is POSTed any more
    Cancelled,
    Unresolved,
    Conflict, ///< the shop contradicts itself or us: nothing more is sent
};

inline constexpr std::size_t kStates = static_cast<std::size_t>(State::Conflict) + 1;

/// Why the state was entered, where that changes the words.
enum class Cause {
    None,
    DiskRefused,     ///< NotStarted: the journal refused a save. Unresolved: it refused the row of a further POST, or a wish
    ShopUnreachable, ///< NotStarted: the card could not be exchanged for a token
    CardRefused,     ///< NotStarted: the shop refused the card's form (4xx to the exchange)
    CartHeld,        ///< NotStarted: another action of this journal holds the cart
    LeftUnsent,      ///< NotStarted: found at start, never sent and too old to send by itself
    Expired,         ///< Cancelled: the server says `action-expired`. Fencing: `valid_until` is over
    ClockWrong,      ///< Cancelled: called expired before its time, so its ID was made by a wrong clock
    Closed,          ///< Cancelled: the server says `action-abandoned`
    NeverSent,       ///< Cancelled: closed on this computer, no byte of any attempt was ever taken
    AttemptsSpent,   ///< Unresolved: no more automatic POSTs
    Late,            ///< Unresolved: 60 s without an answer
    PastValidity,    ///< Unresolved: `valid_until` has passed, only probes remain
    Refused,         ///< NotCharged and Fencing: a refusal that is not remembered; `detail` is the shop's sentence
    SignInNeeded,    ///< Unresolved and Fencing: 401 or 403
    ByPerson,        ///< Fencing: a person wants to cancel, or to use another card
    CartTaken,       ///< Cancelled: another action holds the cart. Unresolved: that action is being adopted
    OtherServer,     ///< Unresolved: bound to another server or account
    OtherOwner,      ///< Unresolved: another process took the action over; this one only looks
    KeyReused,       ///< Conflict: the server knows this ID with other content
    WrongAmount,     ///< Conflict: the server answers for another amount
    ContraryAnswer,  ///< Conflict: two final answers differ
    Discrepancy,     ///< Conflict: the server itself reports that its records contradict each other
    TooOld,          ///< Conflict: `key-too-old`, nobody can tell any more
};

/// What an action does at the shop. Kinds differ in their path, in whether a card is exchanged first, and in their words.
enum class Kind { Payment, Account, Other };

/// Where an action is POSTed. Bound to it by the server: the same ID elsewhere is a mismatch.
struct Target
{
    Kind kind = Kind::Payment;
    std::string path = "/v1/payments";
    friend bool operator==(const Target&, const Target&) = default;
};

/// The server and account an action is bound to; it never goes anywhere else.
struct Scope
{
    std::string account;
    std::string serverId;
    friend bool operator==(const Scope&, const Scope&) = default;
};

/// What is being bought. No card data here, ever. Of other kinds than payments: what the action is about, and no amount.
struct Purchase
{
    std::string cartId;   ///< one unresolved action for each, whatever its kind calls it
    values::Money amount; ///< 0 where nothing is paid
    std::string email;
    friend bool operator==(const Purchase&, const Purchase&) = default;
};

/// The card as it may be kept: a token and what people recognise it by.
struct CardToken
{
    std::string paymentMethod; ///< `pm_…`
    std::string brand;
    std::string lastFour;
    friend bool operator==(const CardToken&, const CardToken&) = default;
};

/// Save 2: everything a POST needs, byte for byte.
struct PreparedRequest
{
    CardToken card;
    std::string body;
    std::string fingerprint; ///< SHA-256 of `body`, hex; lets a damaged journal row be seen before it is sent
    friend bool operator==(const PreparedRequest&, const PreparedRequest&) = default;
};

/// A final answer as it was received. What is not in the answer stays empty.
struct FinalAnswer
{
    State state = State::Paid; ///< Paid, Declined, NotCharged or Cancelled
    Cause cause = Cause::None;
    std::string orderNumber;
    std::string chargeId;
    std::string declineCode;
    std::optional<values::Money> charged{}; ///< as the answer says it
    std::string detail{};                   ///< of NotCharged: the shop's sentence
    std::string body{};                     ///< the answer itself, JSON; in memory only, so empty where the journal tells
    friend bool operator==(const FinalAnswer&, const FinalAnswer&) = default;
};

/// How a wire attempt ended (docs/client.md, invariant 3).
enum class EndReason { Finished, User, SoftDeadline, HardDeadline, FrozenPost, Shutdown };

/// What the transport saw go wrong; None says only that Qt reported nothing.
enum class TransportError {
    None,
    ConnectionRefused,
    HostNotFound,
    RemoteClosed,
    Timeout,
    TlsFailed,
    NetworkDown,
    ResendBlocked,
    Protocol,
    Cancelled,
    RedirectRefused,
    Proxy,
    Other,
};

/// The facts written to the journal after an attempt.
struct AttemptEnd
{
    std::int64_t bytesTaken = 0;
    std::optional<int> status;
    TransportError error = TransportError::None;
    EndReason reason = EndReason::Finished;
    friend bool operator==(const AttemptEnd&, const AttemptEnd&) = default;
};

/// One row of the attempts table. No `end`: the process died before it was known; bytes may have left.
struct Attempt
{
    int number = 0;
    values::WallTime startedAt;
    std::optional<AttemptEnd> end;
    friend bool operator==(const Attempt&, const Attempt&) = default;
};

/// What a row of the attempts table says before its POST leaves.
struct AttemptStart
{
    int number = 0;
    values::WallTime at;
    friend bool operator==(const AttemptStart&, const AttemptStart&) = default;
};

/// The saved wish that this action shall never take effect (docs/client.md, invariant 8). From it on nobody POSTs the ID.
struct CancelWish
{
    Cause cause = Cause::ByPerson; ///< ByPerson, Refused or Expired
    std::string detail;            ///< of Refused: the shop's sentence
    friend bool operator==(const CancelWish&, const CancelWish&) = default;
};

/// Counts the owners of an action; every write names it and fails if it is not the newest.
using LeaseNumber = std::int64_t;

/// An action as the journal keeps it.
struct StoredAction
{
    values::ActionId id;
    Scope scope;
    Purchase purchase;
    values::WallTime createdAt;  ///< server clock, as estimated at the click
    values::WallTime validUntil; ///< server clock
    LeaseNumber lease = 0;
    bool toldNotStarted = false;          ///< the person was told it was not started: never sent by itself
    std::optional<PreparedRequest> ready; ///< present once save 2 is durable
    std::vector<Attempt> attempts;
    std::optional<FinalAnswer> final;
    Target target{};
    bool adopted = false; ///< another device's action on our cart: no body, only ever asked about or fenced
    std::optional<CancelWish> wish{};
    std::optional<Cause> conflict{}; ///< KeyReused, WrongAmount, ContraryAnswer, Discrepancy or TooOld
    friend bool operator==(const StoredAction&, const StoredAction&) = default;
};

/// Attempts that are not proven unsent: bytes were taken, or the process died before their end was known.
[[nodiscard]] int attemptsPerhapsSent(const StoredAction& action);
/// Paid, Declined, NotCharged and Cancelled never change again.
[[nodiscard]] bool isFinal(State state);
/// The state's name as in docs/client.md, for journals, logs and machines.
[[nodiscard]] const char* nameOf(State state);
/// snake_case names, for journals, logs and machines.
[[nodiscard]] const char* nameOf(Cause cause);
[[nodiscard]] const char* nameOf(EndReason reason);
[[nodiscard]] const char* nameOf(TransportError error);
[[nodiscard]] const char* nameOf(Kind kind);

} // namespace payonce::retry
