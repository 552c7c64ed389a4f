#include "shop/support_deeds.h"

#include "bank/random_name.h"
#include "protocol/payment_request.h"
#include "protocol/support_json.h"
#include "protocol/support_request.h"
#include "shop/replies.h"
#include "values/check.h"

#include <utility>
#include <variant>

namespace payonce::shop {

namespace {

using console::SupportDeed;
using idempotency::BankState;
using idempotency::KeyRecord;
using idempotency::OnceOutcome;
using idempotency::ProblemCode;
using idempotency::RefuseClaim;
using values::Failure;

constexpr int kCreated = 201;

/// What is left to do when the deed is durable.
struct Effect
{
    std::optional<KeyRecord> toFence;
    std::optional<KeyRecord> settled;
};

/// One deed on the writer thread, inside the transaction of its own record.
struct DeedWork
{
    SupportDeed deed;
    values::ActionId target;
    std::string account;   ///< of the target, as said; empty: the newest of that ID
    std::string cameFrom;  ///< the account of its first arrival (of `account`, where that is said); empty: none came
    bool isAccount = true; ///< `account` is one of the shop, or empty
    std::string who;
    std::string reason;
    std::string deliveryId; ///< fresh, for a receipt
    std::optional<EvidenceRows> evidence;
    std::shared_ptr<Effect> effect;
};

const char* wordsOf(SupportDeed deed)
{
    switch (deed) {
    case SupportDeed::AskBank: return "The bank is being asked again.";
    case SupportDeed::FinishOrder: return "The order is finished from the bank's charge.";
    case SupportDeed::Close: return "The action is being closed; if the bank has charged it meanwhile, it is finished instead.";
    case SupportDeed::ResendReceipt: return "The receipt will be sent once more.";
    case SupportDeed::Note: return "The note is kept.";
    case SupportDeed::Unmask: return "The e-mail is shown, and the audit says so.";
    }
    return "";
}

bool isOpen(const std::optional<FoundAction>& action)
{
    return action && action->row.state && !values::isTerminal(*action->row.state);
}

/// Of a record that is open the ledger settles everything; of one that has ended only the order can be put right.
Outcome<void> finishOrder(ShopStore& store, const DeedWork& work, const FoundAction& action,
                          const idempotency::WriterStamp& stamp)
{
    const std::string chargeId = chargeFor(action, *work.evidence);
    if (!isOpen(action)) {
        const auto finished = store.support().finishOrder(action.row, chargeId, stamp.now);
        return finished ? Outcome<void>() : Failure(finished.error());
    }
    auto settled =
        store.ledger().takeOverAndSettle({action.row.account, action.row.id}, stamp, {BankState::Approved, chargeId, {}});
    if (!settled)
        return Failure(settled.error());
    work.effect->settled = *std::move(settled);
    return {};
}

/// The first durable step of an abandon; empty, or why not.
Outcome<std::optional<RefuseClaim>> closeAction(ShopStore& store, const DeedWork& work, const idempotency::RecordKey& key,
                                                const idempotency::WriterStamp& stamp)
{
    auto decision = store.ledger().abandon(key, stamp);
    if (!decision)
        return Failure(decision.error());
    if (auto* refused = std::get_if<RefuseClaim>(&*decision))
        return std::optional(std::move(*refused));
    if (auto* open = std::get_if<idempotency::FenceAtBank>(&*decision))
        work.effect->toFence = std::move(open->record);
    if (const auto* old = std::get_if<idempotency::TooOld>(&*decision); old != nullptr && old->record.answer)
        return std::optional(RefuseClaim{ProblemCode::Unsafe, "This action has ended already."});
    return std::optional<RefuseClaim>();
}

Outcome<std::optional<RefuseClaim>> resendReceipt(ShopStore& store, const DeedWork& work, const idempotency::RecordKey& key,
                                                  values::WallTime now)
{
    const auto queued = store.outbox().resendReceipt(key.account, key.id, work.deliveryId, now);
    if (!queued)
        return Failure(queued.error());
    return *queued ? std::nullopt
                   : std::optional(RefuseClaim{ProblemCode::Unsafe, "There is no receipt that could be repeated."});
}

Outcome<std::optional<RefuseClaim>> carryOut(ShopStore& store, const DeedWork& work, const idempotency::RecordKey& key,
                                             const std::optional<FoundAction>& action, const idempotency::WriterStamp& stamp)
{
    Outcome<void> done;
    switch (work.deed) {
    case SupportDeed::AskBank: done = store.support().askSoon(key.account, key.id); break;
    case SupportDeed::FinishOrder: done = finishOrder(store, work, *action, stamp); break;
    case SupportDeed::Close: return closeAction(store, work, key, stamp);
    case SupportDeed::ResendReceipt: return resendReceipt(store, work, key, stamp.now);
    case SupportDeed::Note:
    case SupportDeed::Unmask: break;
    }
    if (!done)
        return Failure(done.error());
    return std::optional<RefuseClaim>();
}

bool needsBank(SupportDeed deed)
{
    return deed == SupportDeed::FinishOrder || deed == SupportDeed::Close;
}

/// Whose action it is; empty: nobody's that may be acted on. One that never came can only be closed.
Outcome<std::string> accountOf(ShopStore& store, const DeedWork& work, const std::optional<FoundAction>& action)
{
    if (action)
        return action->row.account;
    const auto others = isOfAnother(store, work.target, work.account);
    if (!others)
        return Failure(others.error());
    const bool isClosable = work.deed == SupportDeed::Close && !work.account.empty();
    if (*others || !work.isAccount || (work.cameFrom.empty() && !isClosable))
        return std::string();
    return work.account.empty() ? work.cameFrom : work.account;
}

/// The row of a deed that was not done, or was done before. Its account is looked up, so that it is found by that too.
Outcome<void> writeUndone(ShopStore& store, const DeedWork& work, values::WallTime now, const std::string& outcome)
{
    const auto action = findAction(store, work.target, work.account);
    if (!action)
        return Failure(action.error());
    return store.support().audit({now,
                                  work.who,
                                  std::string(console::nameOf(work.deed)),
                                  *action                ? (*action)->row.account
                                  : work.account.empty() ? work.cameFrom
                                                         : work.account,
                                  work.target.toString(),
                                  {},
                                  outcome + (work.reason.empty() ? "" : " Asked because: " + work.reason)});
}

// The rules look at the rows of this very transaction; what the bank has charged it never takes back.
Outcome<OnceOutcome> doDeed(ShopStore& store, const KeyRecord& record, const DeedWork& work)
{
    const auto action = findAction(store, work.target, work.account);
    if (!action)
        return Failure(action.error());
    const auto account = accountOf(store, work, *action);
    if (!account)
        return Failure(account.error());
    if (account->empty())
        return OnceOutcome(RefuseClaim{ProblemCode::ActionUnknown,
                                       work.account.empty() ? "The shop has never seen the action in the path."
                                                            : "This account has never used the action in the path."});
    if (!work.evidence && needsBank(work.deed))
        return OnceOutcome(RefuseClaim{ProblemCode::StoreUnavailable, "The bank's records cannot be read. Nothing was done."});
    std::optional<values::ActionId> otherHolder;
    if (*action && work.deed == SupportDeed::FinishOrder) {
        const auto holder = store.support().otherHolder((*action)->row);
        if (!holder)
            return Failure(holder.error());
        otherHolder = *holder;
    }
    const auto standing = standingOf(work.target, *action, work.evidence.value_or(EvidenceRows()), otherHolder);
    if (const std::string cause = console::unsafeBecause(work.deed, standing); !cause.empty())
        return OnceOutcome(RefuseClaim{ProblemCode::Unsafe, cause});
    auto refused = carryOut(store, work, {*account, work.target}, *action, {record.owner, record.firstSeen});
    if (!refused)
        return Failure(refused.error());
    if (*refused)
        return OnceOutcome(std::move(**refused));
    const auto audited = store.support().audit({record.firstSeen, work.who, std::string(console::nameOf(work.deed)), *account,
                                                work.target.toString(), record.id.toString(), work.reason});
    if (!audited)
        return Failure(audited.error());
    const std::string email = work.deed == SupportDeed::Unmask ? (*action)->row.email : std::string();
    return OnceOutcome(idempotency::StoredAnswer{
        kCreated, protocol::renderSupportDone({record.id, work.deed, work.target, wordsOf(work.deed), email})});
}

} // namespace

/// One request on its way.
struct SupportDeeds::Order
{
    std::shared_ptr<Incoming> incoming;
    idempotency::OnceRequest request;
    DeedWork work;
};

void SupportDeeds::act(const std::shared_ptr<Incoming>& incoming)
{
    CHECK(incoming->action && incoming->target);
    const auto reason = protocol::parseReason(incoming->request().body.toStdString());
    if (!reason)
        return auditRefusal(*incoming, reason.error().detail, [this, incoming, problem = reason.error()] {
            refuse(incoming, {problem.code, problem.detail});
        });
    const std::string account = incoming->saidAccount();
    const Arrivals arrivals = m_sources.arrivals(*incoming->target, account);
    const std::string route = "POST /v1/support/actions/" + incoming->target->toString() + '/' +
                              std::string(console::nameOf(incoming->deed)) + (account.empty() ? "" : "?account=" + account);
    const auto order =
        std::make_shared<Order>(Order{incoming,
                                      {.account = incoming->arrival.account,
                                       .id = *incoming->action,
                                       .kind = idempotency::RecordKind::Support,
                                       .policyId = kPolicyId,
                                       .fingerprint = protocol::fingerprintOf(
                                           kPolicyId, nameOf(idempotency::RecordKind::Support), route, reason->canonicalBody)},
                                      {incoming->deed,
                                       *incoming->target,
                                       account,
                                       arrivals.facts.empty() ? std::string() : arrivals.account,
                                       account.empty() || m_hands.hasAccount(account),
                                       incoming->arrival.account,
                                       reason->reason,
                                       bank::randomName("dlv_"),
                                       {},
                                       std::make_shared<Effect>()}});
    if (needsBank(incoming->deed))
        askEvidence(order);
    else
        claim(order);
}

// Before the claim, because the bank is not asked inside a transaction of the shop.
void SupportDeeds::askEvidence(const std::shared_ptr<Order>& order)
{
    const auto find = [target = order->work.target, account = order->work.account](ShopStore& store) {
        return findAction(store, target, account);
    };
    m_parts.records.work<std::optional<FoundAction>>(find, [this, order](const Outcome<std::optional<FoundAction>>& action) {
        if (!action)
            return cannotRead(order->incoming);
        bank::EvidenceQuery query;
        if (*action)
            query = evidenceQueryFor({**action});
        query.actionIds.push_back(order->work.target.toString());
        m_evidence.ask(query, m_parts.records.ifStillWanted([this, order](std::optional<EvidenceRows> rows) {
            order->work.evidence = std::move(rows);
            claim(order);
        }));
    });
}

void SupportDeeds::claim(const std::shared_ptr<Order>& order)
{
    m_parts.records.claimOnce(
        order->request, [work = order->work](ShopStore& store, const KeyRecord& record) { return doDeed(store, record, work); },
        [this, order](const Outcome<idempotency::OnceDecision>& decision) {
            m_parts.replays.forgetAll(); // staff may have changed what is answered
            if (decision)
                decided(order, *decision);
            else
                cannotRead(order->incoming);
        });
}

void SupportDeeds::decided(const std::shared_ptr<Order>& order, const idempotency::OnceDecision& decision)
{
    if (std::holds_alternative<idempotency::RunOnce>(decision))
        done(*order);
    // The key stays free, but that somebody wanted it is written down.
    if (const auto* refused = std::get_if<RefuseClaim>(&decision))
        return auditUndone(order, "refused: " + refused->detail,
                           [this, order, refusal = *refused] { refuse(order->incoming, refusal); });
    const bool isShownAgain =
        std::holds_alternative<idempotency::AnswerFrom>(decision) && order->work.deed == SupportDeed::Unmask;
    if (isShownAgain)
        return auditUndone(order, "shown again.", [this, order, decision] { answer(order, decision); });
    answer(order, decision);
}

void SupportDeeds::auditUndone(const std::shared_ptr<Order>& order, const std::string& outcome, std::function<void()> then)
{
    const auto write = [work = order->work, now = m_parts.clock(), outcome](ShopStore& store) {
        return writeUndone(store, work, now, outcome);
    };
    m_parts.records.work<void>(write, [this, order, then = std::move(then)](const Outcome<void>& audited) {
        if (audited)
            then();
        else
            cannotRead(order->incoming);
    });
}

void SupportDeeds::answer(const std::shared_ptr<Order>& order, const idempotency::OnceDecision& decision)
{
    m_parts.faults.answer(order->incoming->arrival,
                          onceResponse(decision, *order->incoming->action, m_parts.numbers.retryAfter));
}

void SupportDeeds::done(const Order& order)
{
    const Effect& effect = *order.work.effect;
    if (effect.settled)
        m_parts.waiting.wake(*effect.settled);
    if (effect.toFence)
        m_hands.fenceAtBank(*effect.toFence);
    if (order.work.deed == SupportDeed::AskBank)
        m_hands.askBankNow();
}

void SupportDeeds::auditRefusal(const Incoming& incoming, const std::string& cause, std::function<void()> then)
{
    const storage::AuditRow row{m_parts.clock(),
                                incoming.arrival.account,
                                std::string(console::nameOf(incoming.deed)),
                                incoming.saidAccount(),
                                incoming.target ? incoming.target->toString() : std::string(),
                                {},
                                "refused: " + cause};
    m_parts.records.work<void>([row](ShopStore& store) { return store.support().audit(row); },
                               [then = std::move(then)](const Outcome<void>&) { then(); });
}

void SupportDeeds::refuse(const std::shared_ptr<Incoming>& incoming, const RefuseClaim& refusal)
{
    protocol::Problem problem{refusal.code, refusal.detail, incoming->action};
    if (refusal.code == ProblemCode::RateLimited || refusal.code == ProblemCode::StoreUnavailable)
        problem.retryAfter = std::chrono::ceil<std::chrono::seconds>(refusal.retryAfter.value_or(m_parts.numbers.retryAfter));
    m_parts.faults.answer(incoming->arrival, responseOf(problem));
}

void SupportDeeds::cannotRead(const std::shared_ptr<Incoming>& incoming)
{
    m_parts.faults.answer(incoming->arrival, storeUnavailable(incoming->action, m_parts.numbers.retryAfter));
}

} // namespace payonce::shop
