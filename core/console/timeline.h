// The story of one action, joined from the records of everybody who had a part in it (docs/contract.md, Support).
#pragma once

#include "console/scenario.h"
#include "values/money.h"
#include "values/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace payonce::console {

/// Attempts of one action that are told apart; a client that claims to have made more is told up to here.
inline constexpr int kAttemptsToldMost = 64;

/// What a client says itself of one attempt.
struct ReportedAttempt
{
    int number = 1;
    std::optional<values::WallTime> at; ///< by the client's clock
    std::string outcome;                ///< `final`, `not_sent`, `unknown`
    std::string reason;
    std::optional<int> status;
};

/// A row of the journal of arrivals.
enum class ArrivalEnd { None, Closed, Reset, Silence, Replaced, Crash, ClientLeft };
struct ArrivalFact
{
    values::WallTime at;
    Operation operation = Operation::Pay;
    std::optional<int> attempt; ///< `Action-Attempt`, where the client sent one; of a mail the number of the try
    Point point = Point::Received;
    std::string rule; ///< of the simulator; empty: nothing was simulated here
    ArrivalEnd end = ArrivalEnd::None;
    std::string refusal{}; ///< code of the problem that the request itself was refused with; empty: its record answered
};

/// The shop's record and order.
struct RecordFact
{
    enum class End { Open, Succeeded, Failed, Cancelled, Expired, CartTaken };
    values::WallTime firstSeen;
    std::optional<values::WallTime> settledAt;
    End end = End::Open;
    bool hasOrder = false; ///< false: a tombstone, written before any claim
    bool isPayment = true;
    std::string heldBy; ///< of CartTaken: the action that has the cart
    std::string orderId;
    std::string orderNumber;
    std::string paymentId;
    std::string chargeId;
    std::string declineCode;
};

struct BankFact
{
    enum class State { Approved, Declined, Fenced };
    values::WallTime at;
    State state = State::Approved;
    std::string bankKey;
    std::string chargeId;
    std::string declineCode;
    std::optional<values::Money> amount;
};

/// An event of the bank that reached the shop.
struct WebhookFact
{
    values::WallTime at;
    std::string eventId;
    std::string type;    ///< `charge.succeeded`
    std::string outcome; ///< what the shop did with it, as a sentence
    bool isRepeat = false;
};

struct MailFact
{
    values::WallTime queuedAt;
    std::optional<values::WallTime> sentAt;
    std::string kind; ///< `receipt`, `welcome`, …
    bool isResend = false;
    std::string deliveryId;
};

/// What staff did, from the audit.
struct StaffFact
{
    values::WallTime at;
    std::string who;
    std::string deed; ///< `close`, `note`, …
    std::string reason;
    std::string actionId; ///< the deed's own key
};

struct Story
{
    std::vector<ReportedAttempt> reported;
    std::vector<ArrivalFact> arrivals; ///< in the order of the journal
    std::optional<RecordFact> record;
    std::vector<BankFact> bank;
    std::optional<values::WallTime> bankIsSilentAt{}; ///< it was asked now, and does not answer: what it has is not known
    std::vector<WebhookFact> webhooks;
    std::vector<MailFact> mails;
    std::vector<StaffFact> staff;
};

enum class Teller { Client, Arrival, Record, Bank, Webhook, Mail, Staff };
/// `client`, `arrival`, `record`, `bank`, `webhook`, `mail`, `staff`.
[[nodiscard]] std::string_view nameOf(Teller teller);

struct TimelineRow
{
    int seq = 0;                        ///< 1, 2, 3, … without gaps
    std::optional<values::WallTime> at; ///< none: it never happened here, and nobody says when it was tried
    Teller source = Teller::Record;
    std::string kind; ///< a name for machines: `attempt_lost`, `charged`
    std::optional<int> attempt;
    std::string words;
    std::optional<values::Money> amount; ///< only where money moved
    std::vector<std::pair<std::string, std::string>> ids;
    std::optional<int> replayOf; ///< the `seq` of the row that this one repeats
};

/// In the order of time; where clocks disagree, causes before effects (an attempt before its arrival, the claim before the
/// bank, the bank before the settlement). An attempt whose number is known from a later one, or from a report, but which
/// never arrived, has a row all the same.
[[nodiscard]] std::vector<TimelineRow> joinTimeline(const Story& story);

} // namespace payonce::console
