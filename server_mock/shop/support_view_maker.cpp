#include "shop/support_view_maker.h"

#include "console/support_search.h"
#include "protocol/support_request.h"

#include <algorithm>

namespace payonce::shop {

namespace {

using bank::EvidenceRow;
using console::OrderStanding;
using console::RecordFact;
using idempotency::BankState;
using storage::SupportRow;
using values::ActionId;
using values::RecordState;

OrderStanding standingOf(const std::optional<idempotency::OrderStatus>& order)
{
    if (!order)
        return OrderStanding::None;
    switch (*order) {
    case idempotency::OrderStatus::Open: return OrderStanding::Open;
    case idempotency::OrderStatus::Paid: return OrderStanding::Paid;
    case idempotency::OrderStatus::Closed: return OrderStanding::Closed;
    }
    return OrderStanding::None;
}

/// As the record says; where it is gone, as the order remembers it.
RecordState stateOf(const SupportRow& row)
{
    if (row.state)
        return *row.state;
    if (row.reason)
        return RecordState::Abandoned;
    const bool wasPaid = row.order == idempotency::OrderStatus::Paid && row.declineCode.empty();
    return wasPaid ? RecordState::Succeeded : RecordState::Failed;
}

/// Two accounts may use one action ID; then the bank key tells whose row it is.
bool belongsTo(const EvidenceRow& row, const ActionId& id, const std::optional<FoundAction>& action)
{
    if (action && action->row.bankKey && row.bankKey == action->row.bankKey->toString())
        return true;
    const auto holds = [](const std::vector<std::string>& list, const std::string& value) {
        return std::find(list.begin(), list.end(), value) != list.end();
    };
    const bool isOthers = action && (holds(action->othersKeys, row.bankKey) || holds(action->othersCharges, row.chargeId));
    return row.actionId == id.toString() && !isOthers;
}

std::vector<console::BankFact> bankFacts(const ActionId& id, const std::optional<FoundAction>& action,
                                         const EvidenceRows& evidence)
{
    using State = console::BankFact::State;
    std::vector<console::BankFact> facts;
    for (const EvidenceRow& row : evidence)
        if (belongsTo(row, id, action)) {
            const State state = row.state == BankState::Approved   ? State::Approved
                                : row.state == BankState::Declined ? State::Declined
                                                                   : State::Fenced;
            facts.push_back({row.at, state, row.bankKey, row.chargeId, row.declineCode, row.amount});
        }
    return facts;
}

RecordFact::End endOf(const SupportRow& row)
{
    switch (stateOf(row)) {
    case RecordState::InProgress:
    case RecordState::Unknown: return RecordFact::End::Open;
    case RecordState::Succeeded: return RecordFact::End::Succeeded;
    case RecordState::Failed: return RecordFact::End::Failed;
    case RecordState::Abandoned: break;
    }
    switch (row.reason.value_or(idempotency::AbandonReason::Cancelled)) {
    case idempotency::AbandonReason::Cancelled: return RecordFact::End::Cancelled;
    case idempotency::AbandonReason::Expired: return RecordFact::End::Expired;
    case idempotency::AbandonReason::CartTaken: return RecordFact::End::CartTaken;
    }
    return RecordFact::End::Cancelled;
}

RecordFact recordFactOf(const SupportRow& row)
{
    RecordFact fact;
    fact.firstSeen = row.firstSeen;
    fact.settledAt = row.settledAt;
    fact.end = endOf(row);
    fact.hasOrder = !row.orderId.empty();
    fact.isPayment = row.kind == "payment";
    fact.heldBy = row.heldBy;
    fact.orderId = row.orderId;
    fact.orderNumber = row.orderNumber;
    fact.paymentId = row.paymentId;
    fact.chargeId = row.chargeId;
    fact.declineCode = row.declineCode;
    return fact;
}

std::string eventWords(const storage::SupportEvent& event)
{
    std::string words = "It waits for its payment.";
    if (event.outcome == "applied")
        words = "It settled the payment.";
    else if (event.outcome == "agrees")
        words = "It says what the record says.";
    else if (event.outcome == "same_fact")
        words = "Another event had told it before.";
    else if (event.outcome == "late")
        words = "A newer one was known already.";
    else if (event.outcome == "contradiction")
        words = "It contradicts the record, which stays as it is: somebody must look.";
    return event.deliveries > 1 ? words + " It was delivered " + std::to_string(event.deliveries) + " times." : words;
}

console::Story storyOf(const ViewParts& parts)
{
    console::Story story;
    for (const std::string& report : parts.material.reports) {
        const auto attempts = protocol::reportedAttempts(report);
        story.reported.insert(story.reported.end(), attempts.begin(), attempts.end());
    }
    story.arrivals = parts.arrivals.facts;
    if (parts.material.action)
        story.record = recordFactOf(parts.material.action->row);
    if (parts.evidence)
        story.bank = bankFacts(parts.id, parts.material.action, *parts.evidence);
    else
        story.bankIsSilentAt = parts.asOf;
    for (const storage::SupportEvent& event : parts.material.events)
        story.webhooks.push_back(
            {event.receivedAt, event.id, event.transition, eventWords(event), event.outcome == "same_fact"});
    for (const storage::SupportMail& mail : parts.material.mails)
        story.mails.push_back({mail.queuedAt, mail.sentAt, mail.kind, mail.isResend, mail.deliveryId});
    for (const storage::AuditRow& deed : parts.material.deeds)
        story.staff.push_back({deed.at, deed.who, deed.deed, deed.reason, deed.deedId});
    return story;
}

console::SupportHit hitBy(const SupportRow& row, const console::Standing& standing)
{
    console::SupportHit hit{.id = row.id};
    hit.account = row.account;
    hit.kind = row.kind;
    hit.state = standing.state;
    hit.code = console::verdictOf(standing);
    hit.amount = row.amount;
    hit.email = console::maskedEmail(row.email);
    hit.lastFour = row.lastFour;
    hit.orderNumber = row.orderNumber;
    hit.at = row.firstSeen;
    return hit;
}

console::SupportAction actionBy(const SupportRow& row, const console::Standing& standing)
{
    console::SupportAction action{.hit = hitBy(row, standing)};
    action.isPurged = !row.state;
    action.cancelRequested = row.cancelRequested;
    action.reason = row.reason ? idempotency::nameOf(*row.reason) : "";
    action.heldBy = row.heldBy;
    action.cartId = row.cartId;
    action.order = standing.order;
    action.orderId = row.orderId;
    action.paymentId = row.paymentId;
    action.chargeId = row.chargeId;
    action.declineCode = row.declineCode;
    action.bankKey = row.bankKey ? row.bankKey->toString() : "";
    action.charges = standing.charges;
    action.hasDiscrepancy = row.hasDiscrepancy;
    action.settledAt = row.settledAt;
    action.validUntil = row.validUntil;
    return action;
}

/// Arrivals, reports or the bank know it, the shop's records do not.
console::SupportAction unseenAction(const ViewParts& parts, const console::Standing& standing)
{
    console::SupportHit hit{.id = parts.id};
    hit.account = parts.material.account;
    hit.kind = "payment";
    hit.code = console::verdictOf(standing);
    hit.at = parts.arrivals.facts.empty() ? parts.asOf : parts.arrivals.facts.front().at;
    console::SupportAction action{.hit = std::move(hit)};
    action.charges = standing.charges;
    return action;
}

} // namespace

bank::EvidenceQuery evidenceQueryFor(const std::vector<FoundAction>& actions)
{
    bank::EvidenceQuery query;
    for (const FoundAction& action : actions) {
        query.actionIds.push_back(action.row.id.toString());
        if (action.row.bankKey)
            query.bankKeys.push_back(action.row.bankKey->toString());
    }
    return query;
}

console::Standing standingOf(const ActionId& id, const std::optional<FoundAction>& action, const KnownRows& evidence,
                             const std::optional<ActionId>& otherHolder)
{
    console::Standing standing;
    standing.isBankSilent = !evidence;
    if (evidence)
        standing.charges = static_cast<int>(std::count_if(evidence->begin(), evidence->end(), [&](const EvidenceRow& row) {
            return row.state == BankState::Approved && belongsTo(row, id, action);
        }));
    if (!action)
        return standing;
    const SupportRow& row = action->row;
    standing.state = stateOf(row);
    standing.isPayment = row.kind == "payment";
    standing.hasBankKey = row.bankKey.has_value();
    standing.hasEmail = !row.email.empty();
    standing.order = standingOf(row.order);
    standing.orderNumber = row.orderNumber;
    standing.amount = row.amount;
    // Only staff makes an order paid whose record has ended otherwise.
    const bool isPutRight =
        standing.order == OrderStanding::Paid && standing.charges == 1 && standing.state != RecordState::Succeeded;
    standing.hasDiscrepancy = row.hasDiscrepancy && !isPutRight;
    if (otherHolder)
        standing.cartHolder = values::reference(*otherHolder);
    return standing;
}

std::string chargeFor(const FoundAction& action, const EvidenceRows& evidence)
{
    const auto charge = std::find_if(evidence.begin(), evidence.end(), [&](const EvidenceRow& row) {
        return row.state == BankState::Approved && belongsTo(row, action.row.id, action);
    });
    return charge == evidence.end() ? std::string() : charge->chargeId;
}

console::SupportHit hitOf(const FoundAction& action, const KnownRows& evidence)
{
    return hitBy(action.row, standingOf(action.row.id, action, evidence, {}));
}

console::SupportView viewOf(const ViewParts& parts)
{
    const Material& material = parts.material;
    const console::Standing standing = standingOf(parts.id, material.action, parts.evidence, material.otherHolder);
    console::SupportView view{.action =
                                  material.action ? actionBy(material.action->row, standing) : unseenAction(parts, standing)};
    view.customerSentence = console::customerSentence(standing);
    view.asOf = parts.asOf;
    view.isBankSilent = !parts.evidence;
    view.timeline = console::joinTimeline(storyOf(parts));
    for (const FoundAction& neighbour : material.neighbours)
        view.neighbours.push_back(hitOf(neighbour, parts.evidence));
    view.allowed = console::permissionsOf(standing);
    return view;
}

} // namespace payonce::shop
