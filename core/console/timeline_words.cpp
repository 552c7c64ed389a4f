#include "console/timeline_words.h"

namespace payonce::console {

namespace {

TimelineRow rowOf(Teller source, std::optional<values::WallTime> at, std::string kind, std::string words)
{
    TimelineRow row;
    row.source = source;
    row.at = at;
    row.kind = std::move(kind);
    row.words = std::move(words);
    return row;
}

void addId(TimelineRow& row, const char* name, const std::string& value)
{
    if (!value.empty())
        row.ids.emplace_back(name, value);
}

std::string numbered(int attempt)
{
    return "Attempt " + std::to_string(attempt);
}

/// Of a request that the shop read and refused without a look at what its record answers.
TimelineRow refusedRow(const ArrivalFact& fact)
{
    if (fact.refusal == "key-reused")
        return rowOf(Teller::Arrival, fact.at, "mismatch",
                     "A request with this ID, but with other content, arrived. It was refused and did nothing.");
    return rowOf(Teller::Arrival, fact.at, "refused", "A request arrived and was refused (" + fact.refusal + ").");
}

/// Of a request that the shop read.
std::pair<const char*, const char*> readRequest(Operation operation, Copy copy)
{
    switch (operation) {
    case Operation::SignUp:
    case Operation::Pay:
        if (copy == Copy::Later)
            return {"payment_again", "The same request arrived again. It was answered from the record."};
        return {"payment", "The request arrived."};
    case Operation::Status: return {"asked", "The program asked what became of the action."};
    case Operation::Abandon: return {"abandon", "The program asked to close the action."};
    case Operation::Report: return {"report", "The program reported what it saw."};
    case Operation::Tokenise:
    case Operation::Policy:
    case Operation::Cart:
    case Operation::Orders:
    case Operation::Webhook:
    case Operation::Mail:
    case Operation::Support: break;
    }
    return {"request", "A request about the action arrived."};
}

const char* endWords(ArrivalEnd end)
{
    switch (end) {
    case ArrivalEnd::None: return "was delayed";
    case ArrivalEnd::Closed: return "lost its connection";
    case ArrivalEnd::Reset: return "had its connection reset";
    case ArrivalEnd::Silence: return "was never answered";
    case ArrivalEnd::Replaced: return "was answered by something else than the shop";
    case ArrivalEnd::Crash: return "was cut short by the end of the server";
    case ArrivalEnd::ClientLeft: return "was left by the client before the answer";
    }
    return "";
}

/// For machines; empty where nothing ended.
const char* endName(ArrivalEnd end)
{
    switch (end) {
    case ArrivalEnd::None: return "";
    case ArrivalEnd::Closed: return "closed";
    case ArrivalEnd::Reset: return "reset";
    case ArrivalEnd::Silence: return "silence";
    case ArrivalEnd::Replaced: return "replaced";
    case ArrivalEnd::Crash: return "crash";
    case ArrivalEnd::ClientLeft: return "client_left";
    }
    return "";
}

const char* subject(Operation operation)
{
    switch (operation) {
    case Operation::Pay: return "The payment request";
    case Operation::SignUp: return "The sign-up request";
    case Operation::Webhook: return "The bank's event";
    case Operation::Mail: return "A try to send a mail";
    case Operation::Status: return "The question about the action";
    case Operation::Abandon: return "The request to close the action";
    case Operation::Report: return "The program's report";
    case Operation::Tokenise:
    case Operation::Policy:
    case Operation::Cart:
    case Operation::Orders:
    case Operation::Support: break;
    }
    return "A request about the action";
}

/// Of a mail's try; its number is no attempt of the client.
TimelineRow mailTryRow(const ArrivalFact& fact)
{
    const bool isPlain = fact.rule.empty() && fact.end == ArrivalEnd::None;
    TimelineRow row = rowOf(Teller::Mail, fact.at, isPlain ? "mail_try" : "fault",
                            isPlain ? "The shop tried to send a mail."
                                    : std::string(subject(fact.operation)) + ' ' + endWords(fact.end) + '.');
    if (!isPlain)
        addId(row, "point", std::string(nameOf(fact.point)));
    if (fact.attempt)
        addId(row, "try", std::to_string(*fact.attempt));
    return row;
}

std::string tombstoneWords(const RecordFact& record)
{
    switch (record.end) {
    case RecordFact::End::Cancelled:
        return "The shop closed the action before any payment request came. None can take effect any more.";
    case RecordFact::End::Expired:
        return "The payment request came too late. The shop closed the action without asking the bank.";
    case RecordFact::End::CartTaken:
        return "The cart belongs to another payment. The shop closed this one without asking the bank.";
    case RecordFact::End::Open:
    case RecordFact::End::Succeeded:
    case RecordFact::End::Failed: break;
    }
    return "The shop saved the action.";
}

} // namespace

TimelineRow attemptRow(int number, const ReportedAttempt* told, Arrived arrived)
{
    const bool notSent = told != nullptr && told->outcome == "not_sent";
    std::string words = numbered(number);
    std::string kind = "attempt";
    if (arrived == Arrived::No) {
        kind = notSent ? "attempt_not_sent" : "attempt_lost";
        words += notSent ? " was never sent; the program has proof of that." : " never reached us.";
    } else {
        words += " was sent by the program.";
    }
    TimelineRow row = rowOf(Teller::Client, told != nullptr ? told->at : std::nullopt, std::move(kind), std::move(words));
    row.attempt = number;
    if (told == nullptr)
        return row;
    if (!notSent && !told->outcome.empty())
        row.words += " For the program it ended " + told->outcome + (told->reason.empty() ? "." : " (" + told->reason + ").");
    if (told->status)
        addId(row, "status", std::to_string(*told->status));
    return row;
}

TimelineRow arrivalRow(const ArrivalFact& fact, Copy copy)
{
    TimelineRow row;
    if (fact.operation == Operation::Mail) {
        row = mailTryRow(fact);
    } else if (fact.point == Point::Received && fact.end == ArrivalEnd::None && !fact.refusal.empty()) {
        row = refusedRow(fact);
    } else if (fact.point == Point::Received && fact.end == ArrivalEnd::None) {
        const auto [kind, words] = readRequest(fact.operation, copy);
        row = rowOf(Teller::Arrival, fact.at, kind, words);
    } else if (fact.point == Point::Received) {
        row = rowOf(Teller::Arrival, fact.at, "not_read",
                    std::string(subject(fact.operation)) + " arrived, but " + endWords(fact.end) + " before the shop read it.");
    } else {
        row = rowOf(Teller::Arrival, fact.at, fact.end == ArrivalEnd::ClientLeft ? "client_left" : "fault",
                    std::string(subject(fact.operation)) + ' ' + endWords(fact.end) + '.');
        addId(row, "point", std::string(nameOf(fact.point)));
    }
    if (fact.operation != Operation::Mail)
        row.attempt = fact.attempt;
    addId(row, "op", std::string(nameOf(fact.operation)));
    addId(row, "end", endName(fact.end));
    addId(row, "rule", fact.rule);
    if (!fact.rule.empty())
        row.words += " (Simulated.)";
    return row;
}

TimelineRow claimRow(const RecordFact& record)
{
    if (!record.isPayment)
        return rowOf(Teller::Record, record.firstSeen, "sign_up", "The shop did the sign-up and saved its answer.");
    if (record.hasOrder) {
        TimelineRow row = rowOf(Teller::Record, record.firstSeen, "claimed",
                                "The shop saved the payment and its open order before it asked the bank.");
        addId(row, "order", record.orderId);
        addId(row, "payment", record.paymentId);
        return row;
    }
    TimelineRow row = rowOf(Teller::Record, record.firstSeen, "closed_unsent", tombstoneWords(record));
    addId(row, "held_by", record.heldBy);
    return row;
}

TimelineRow settledRow(const RecordFact& record)
{
    TimelineRow row = rowOf(Teller::Record, record.settledAt, "settled", {});
    switch (record.end) {
    case RecordFact::End::Succeeded:
        row.kind = "paid";
        row.words = "The shop saved the result: paid, order " + record.orderNumber + '.';
        break;
    case RecordFact::End::Failed:
        row.kind = "declined";
        row.words = "The shop saved the result: declined, nothing charged.";
        break;
    case RecordFact::End::Cancelled:
    case RecordFact::End::Expired:
    case RecordFact::End::CartTaken:
        row.kind = "closed";
        row.words = "The shop closed the action: the bank can never charge it.";
        break;
    case RecordFact::End::Open: break;
    }
    addId(row, "order", record.orderId);
    addId(row, "charge", record.chargeId);
    addId(row, "decline_code", record.declineCode);
    return row;
}

TimelineRow bankRow(const BankFact& fact)
{
    TimelineRow row;
    switch (fact.state) {
    case BankFact::State::Approved:
        row = rowOf(Teller::Bank, fact.at, "charged", "The bank charged the card.");
        row.amount = fact.amount;
        break;
    case BankFact::State::Declined: row = rowOf(Teller::Bank, fact.at, "declined", "The bank declined the card."); break;
    case BankFact::State::Fenced:
        row = rowOf(Teller::Bank, fact.at, "fenced", "The bank closed the payment: it can never be charged.");
        break;
    }
    addId(row, "charge", fact.chargeId);
    addId(row, "decline_code", fact.declineCode);
    addId(row, "bank_key", fact.bankKey);
    return row;
}

TimelineRow silentBankRow(values::WallTime at)
{
    return rowOf(Teller::Bank, at, "bank_silent",
                 "The bank does not answer now, so nobody knows what it has done. The rest is what the shop knows.");
}

TimelineRow webhookRow(const WebhookFact& fact)
{
    TimelineRow row = rowOf(Teller::Webhook, fact.at, fact.isRepeat ? "webhook_again" : "webhook",
                            "The bank's event " + fact.type + " came. " + fact.outcome);
    addId(row, "event", fact.eventId);
    return row;
}

TimelineRow mailQueuedRow(const MailFact& mail)
{
    TimelineRow row = rowOf(Teller::Mail, mail.queuedAt, mail.isResend ? "mail_resend" : "mail_queued",
                            mail.isResend ? "The " + mail.kind + " mail is to be sent once more, on purpose."
                                          : "The " + mail.kind + " mail is to be sent.");
    addId(row, "delivery", mail.deliveryId);
    return row;
}

TimelineRow mailSentRow(const MailFact& mail)
{
    TimelineRow row = rowOf(Teller::Mail, mail.sentAt, "mail_sent", "The " + mail.kind + " mail left.");
    addId(row, "delivery", mail.deliveryId);
    return row;
}

TimelineRow staffRow(const StaffFact& deed)
{
    TimelineRow row = rowOf(Teller::Staff, deed.at, deed.deed, deed.who + ": " + deed.deed + ". " + deed.reason);
    addId(row, "action", deed.actionId);
    return row;
}

} // namespace payonce::console
