#include "console/timeline.h"

#include "console/timeline_words.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace payonce::console {

namespace {

using values::WallTime;

/// What comes first among things of one moment; the simulator's faults stand where they happened.
enum Rank {
    AttemptRank,
    ReceivedRank,
    ClaimRank,
    BeforeBankRank,
    BankRank,
    AfterBankRank,
    SettledRank,
    ReplyRank,
    WebhookRank,
    MailQueuedRank,
    MailTryRank,
    MailSentRank,
    StaffRank,
    SilenceRank
};

bool isPost(const ArrivalFact& fact)
{
    return fact.operation == Operation::Pay || fact.operation == Operation::SignUp;
}

/// These bear the number of the client's own attempt; a mail's number counts its own tries.
bool tellsAnAttempt(const ArrivalFact& fact)
{
    return isPost(fact) || fact.operation == Operation::Status || fact.operation == Operation::Abandon;
}

struct Draft
{
    WallTime place; ///< where it stands; `row.at` is what people read
    Rank rank = AttemptRank;
    TimelineRow row;
    std::string originalOf; ///< later rows may repeat this one under this name
    std::string repeats;    ///< the name of what this row repeats
};

class Joiner
{
public:
    explicit Joiner(const Story& story) : m_story(story) {}

    std::vector<TimelineRow> join()
    {
        addArrivals();
        addAttempts();
        addRecordAndBank();
        addWebhooks();
        addMails();
        for (const StaffFact& deed : m_story.staff)
            add(deed.at, StaffRank, staffRow(deed));
        addSilence();
        return inOrder();
    }

private:
    void add(WallTime place, Rank rank, TimelineRow row) { m_drafts.push_back({place, rank, std::move(row), {}, {}}); }

    static Rank rankOf(Point point)
    {
        switch (point) {
        case Point::Accept:
        case Point::Head:
        case Point::Received: return ReceivedRank;
        case Point::KeyLookedUp:
        case Point::KeyClaimed:
        case Point::BankBefore:
        case Point::BankInside: return BeforeBankRank;
        case Point::BankCommitted:
        case Point::BankAnswered: return AfterBankRank;
        case Point::ResultSaved:
        case Point::ReplyBuilt:
        case Point::ReplyHead:
        case Point::ReplyBody:
        case Point::ReplyFlushed: return ReplyRank;
        case Point::WebhookReceived:
        case Point::WebhookApplied: return WebhookRank;
        case Point::OutboxBefore:
        case Point::OutboxSent: return MailTryRank;
        case Point::ActionSaved: // the client's own are never among the shop's arrivals
        case Point::AttemptSaved:
        case Point::Sent:
        case Point::ReplyParsed:
        case Point::OutcomeSaved: break;
        }
        return ReplyRank;
    }

    // The first request that the shop read and did not refuse is worked on; each later copy is answered from the record.
    void addArrivals()
    {
        bool hasOriginal = false;
        for (const ArrivalFact& fact : m_story.arrivals) {
            const bool isRequest = fact.point == Point::Received;
            const bool wasRead = isRequest && fact.end == ArrivalEnd::None;
            const bool isPayment = isPost(fact) && wasRead && fact.refusal.empty();
            Draft draft{
                fact.at, rankOf(fact.point), arrivalRow(fact, isPayment && hasOriginal ? Copy::Later : Copy::First), {}, {}};
            if (isPayment)
                (hasOriginal ? draft.repeats : draft.originalOf) = "payment";
            hasOriginal = hasOriginal || isPayment;
            m_drafts.push_back(std::move(draft));
        }
    }

    /// The first arrival of a payment request of each attempt; and the newest attempt anybody speaks of.
    void lookAtAttempts()
    {
        for (const ArrivalFact& fact : m_story.arrivals) {
            if (!fact.attempt || *fact.attempt < 1 || !tellsAnAttempt(fact))
                continue;
            const int number = std::min(*fact.attempt, kAttemptsToldMost);
            m_newest = std::max(m_newest, number);
            m_firstSign.try_emplace(number, fact.at);
            if (isPost(fact) && fact.point == Point::Received)
                m_arrived.try_emplace(number, fact.at);
        }
        for (const ReportedAttempt& attempt : m_story.reported)
            if (attempt.number >= 1 && attempt.number <= kAttemptsToldMost) {
                m_newest = std::max(m_newest, attempt.number);
                m_reported[attempt.number] = &attempt;
            }
    }

    // From the last to the first, so that none stands after what came later.
    void addAttempts()
    {
        lookAtAttempts();
        std::optional<WallTime> latest;
        for (int number = m_newest; number >= 1; --number) {
            const auto reported = m_reported.find(number);
            const auto arrived = m_arrived.find(number);
            const auto sign = m_firstSign.find(number);
            const ReportedAttempt* told = reported == m_reported.end() ? nullptr : reported->second;
            std::optional<WallTime> place = told != nullptr ? told->at : std::nullopt;
            for (const auto& bound : {arrived != m_arrived.end() ? std::optional(arrived->second) : std::nullopt,
                                      sign != m_firstSign.end() ? std::optional(sign->second) : std::nullopt, latest})
                if (bound)
                    place = place ? std::min(*place, *bound) : *bound;
            if (place)
                latest = place;
            if (told == nullptr && arrived != m_arrived.end())
                continue; // its arrival says it all
            add(place.value_or(WallTime{}), AttemptRank,
                attemptRow(number, told, arrived != m_arrived.end() ? Arrived::Yes : Arrived::No));
        }
    }

    void addRecordAndBank()
    {
        WallTime newest{};
        if (m_story.record) {
            newest = m_story.record->firstSeen;
            add(newest, ClaimRank, claimRow(*m_story.record));
        }
        for (const BankFact& fact : m_story.bank) {
            const WallTime place = std::max(fact.at, newest);
            add(place, BankRank, bankRow(fact));
            if (m_story.record && fact.chargeId == m_story.record->chargeId)
                newest = std::max(newest, place);
        }
        if (!m_story.record || !m_story.record->settledAt || !m_story.record->hasOrder)
            return;
        m_settled = std::max(*m_story.record->settledAt, newest);
        add(*m_settled, SettledRank, settledRow(*m_story.record));
    }

    void addWebhooks()
    {
        for (const WebhookFact& fact : m_story.webhooks) {
            Draft draft{fact.at, WebhookRank, webhookRow(fact), {}, {}};
            (fact.isRepeat ? draft.repeats : draft.originalOf) = fact.type;
            m_drafts.push_back(std::move(draft));
        }
    }

    void addMails()
    {
        for (const MailFact& mail : m_story.mails) {
            const WallTime queued = mail.isResend ? mail.queuedAt : std::max(mail.queuedAt, m_settled.value_or(mail.queuedAt));
            add(queued, MailQueuedRank, mailQueuedRow(mail));
            if (mail.sentAt)
                add(std::max(*mail.sentAt, queued), MailSentRank, mailSentRow(mail));
        }
    }

    /// Behind everything that is known.
    void addSilence()
    {
        if (!m_story.bankIsSilentAt)
            return;
        WallTime place = *m_story.bankIsSilentAt;
        for (const Draft& draft : m_drafts)
            place = std::max(place, draft.place);
        add(place, SilenceRank, silentBankRow(*m_story.bankIsSilentAt));
    }

    std::vector<TimelineRow> inOrder()
    {
        std::stable_sort(m_drafts.begin(), m_drafts.end(), [](const Draft& a, const Draft& b) {
            return std::tuple(a.place, a.rank, attemptOrder(a)) < std::tuple(b.place, b.rank, attemptOrder(b));
        });
        std::vector<TimelineRow> rows;
        std::map<std::string, int> originals;
        for (Draft& draft : m_drafts) {
            draft.row.seq = static_cast<int>(rows.size()) + 1;
            if (!draft.originalOf.empty())
                originals[draft.originalOf] = draft.row.seq;
            if (const auto original = originals.find(draft.repeats); original != originals.end())
                draft.row.replayOf = original->second;
            rows.push_back(std::move(draft.row));
        }
        return rows;
    }

    /// Attempts of one moment go by their numbers; everything else stays as it was added.
    static int attemptOrder(const Draft& draft) { return draft.rank == AttemptRank ? draft.row.attempt.value_or(0) : 0; }

    const Story& m_story;
    std::vector<Draft> m_drafts;
    std::map<int, WallTime> m_firstSign;
    std::map<int, WallTime> m_arrived;
    std::map<int, const ReportedAttempt*> m_reported;
    int m_newest = 0;
    std::optional<WallTime> m_settled;
};

} // namespace

std::string_view nameOf(Teller teller)
{
    switch (teller) {
    case Teller::Client: return "client";
    case Teller::Arrival: return "arrival";
    case Teller::Record: return "record";
    case Teller::Bank: return "bank";
    case Teller::Webhook: return "webhook";
    case Teller::Mail: return "mail";
    case Teller::Staff: return "staff";
    }
    return "";
}

std::vector<TimelineRow> joinTimeline(const Story& story)
{
    return Joiner(story).join();
}

} // namespace payonce::console
