#include "shop/sign_up.h"

#include "bank/random_name.h"
#include "protocol/account_request.h"
#include "protocol/email_address.h"
#include "protocol/payment_request.h"
#include "shop/replies.h"

#include <utility>

namespace payonce::shop {

namespace {

using idempotency::KeyRecord;
using idempotency::OnceOutcome;
using idempotency::RecordKind;

storage::Account accountOf(const Incoming& incoming, const protocol::ParsedSignUp& asked, values::WallTime now)
{
    return {bank::randomName("acc_"),
            incoming.arrival.account,
            *incoming.action,
            asked.email,
            protocol::emailKeyOf(asked.email),
            asked.name,
            now};
}

/// On the writer thread, in the transaction of the record.
Outcome<OnceOutcome> makeAccount(ShopStore& store, const storage::Account& wanted)
{
    const auto signedUp = store.accounts().signUp(wanted);
    if (!signedUp)
        return values::Failure(signedUp.error());
    return signedUp->isNew ? protocol::renderSignedUp(wanted.action, wanted.id, wanted.email)
                           : protocol::renderAlreadyRegistered(wanted.action);
}

} // namespace

void SignUp::signUp(const std::shared_ptr<Incoming>& incoming)
{
    if (const auto replay = m_parts.replays.find(*incoming)) {
        m_parts.metrics.claimed(RecordKind::Account, ClaimEnd::Replayed);
        return tell(incoming, *replay);
    }
    const auto asked = protocol::parseSignUp(incoming->request().body.toStdString());
    if (!asked) {
        incoming->isRefusedWith(asked.error().code);
        return tell(incoming, responseOf(protocol::Problem{asked.error().code, asked.error().detail, incoming->action}));
    }
    const auto fingerprint =
        protocol::fingerprintOf(kPolicyId, nameOf(RecordKind::Account), kSignUpRoute, asked->canonicalBody);
    const idempotency::OnceRequest request{
        incoming->arrival.account, *incoming->action, RecordKind::Account, kPolicyId, fingerprint, asked->validUntil};
    const storage::Account wanted = accountOf(*incoming, *asked, m_parts.clock());
    m_parts.records.claimOnce(
        request, [wanted](ShopStore& store, const KeyRecord&) { return makeAccount(store, wanted); },
        [this, incoming](const Outcome<idempotency::OnceDecision>& decision) {
            if (decision)
                return lookedUp(incoming, *decision);
            incoming->isRefusedWith(idempotency::ProblemCode::StoreUnavailable);
            tell(incoming, storeUnavailable(incoming->action, m_parts.numbers.retryAfter));
        });
}

// Remembered before the point, at which the work may stand still while a purge goes by.
void SignUp::lookedUp(const std::shared_ptr<Incoming>& incoming, const idempotency::OnceDecision& decision)
{
    const auto response = onceResponse(decision, *incoming->action, m_parts.numbers.retryAfter);
    if (const auto* run = std::get_if<idempotency::RunOnce>(&decision))
        m_parts.replays.remember(*incoming, run->record, asReplay(response));
    if (const auto* known = std::get_if<idempotency::AnswerFrom>(&decision))
        m_parts.replays.remember(*incoming, known->record, response);
    m_parts.faults.reach(
        console::Point::KeyLookedUp, incoming->arrival,
        m_parts.records.ifStillWanted([this, incoming, decision, response] { decided(incoming, decision, response); }));
}

void SignUp::decided(const std::shared_ptr<Incoming>& incoming, const idempotency::OnceDecision& decision,
                     const http::Response& response)
{
    if (std::holds_alternative<idempotency::Mismatch>(decision))
        incoming->isRefusedWith(idempotency::ProblemCode::KeyReused);
    if (const auto* refused = std::get_if<idempotency::RefuseClaim>(&decision))
        incoming->isRefusedWith(refused->code);
    if (!std::holds_alternative<idempotency::RunOnce>(decision))
        return tell(incoming, response);
    m_parts.faults.reach(console::Point::ResultSaved, incoming->arrival,
                         m_parts.records.ifStillWanted([this, incoming, response] { tell(incoming, response); }));
}

void SignUp::tell(const std::shared_ptr<Incoming>& incoming, const http::Response& response)
{
    m_parts.faults.answer(incoming->arrival, response);
}

} // namespace payonce::shop
