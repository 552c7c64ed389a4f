#include "support/fake_transport.h"

#include "protocol/payment_request.h"

#include <QtCore/QTimer>

#include <utility>

namespace payonce::support {

using retry::TransportError;
using retry::WireResult;

namespace {

template <class Plan, class Value> Value next(Plan& plan, Value whenSpent)
{
    if (plan.empty()) {
        return whenSpent;
    }
    Value value = plan.front();
    plan.pop_front();
    return value;
}

WireResult whole(int status, retry::AnswerBody body)
{
    WireResult result;
    result.status = status;
    result.complete = true;
    result.digestMatches = true;
    result.body = std::move(body);
    return result;
}

WireResult failed(TransportError error, retry::EndReason reason, std::int64_t bytesTaken)
{
    WireResult result;
    result.error = error;
    result.reason = reason;
    result.bytesTaken = bytesTaken;
    return result;
}

WireResult paid(const values::ActionId& id, const values::Money& amount)
{
    retry::AnswerBody body;
    body.actionId = id;
    body.state = values::RecordState::Succeeded;
    body.amount = amount;
    body.orderNumber = "1001";
    body.chargeId = "ch_1";
    return whole(201, body);
}

WireResult declined(const values::ActionId& id, const values::Money& amount)
{
    retry::AnswerBody body;
    body.actionId = id;
    body.state = values::RecordState::Failed;
    body.code = "card-declined";
    body.declineCode = "insufficient_funds";
    body.amount = amount;
    return whole(402, body);
}

WireResult unknownAction(const values::ActionId& id)
{
    retry::AnswerBody body;
    body.actionId = id;
    body.code = "action-unknown";
    return whole(404, body);
}

} // namespace

void FakeTransport::post(const retry::PostRequest& request, std::function<void(WireResult)> done)
{
    if (onPost) {
        onPost(request);
    }
    checkPost(request);
    m_posts.push_back(request);
    m_post = {.done = std::move(done), .number = m_post.number + 1};
    m_postSize = static_cast<std::int64_t>(request.body.size());
    const Fate fate = next(postPlan, Fate::Answer);
    if (fate != Fate::NotSent && fate != Fate::LoseRequest && fate != Fate::Freeze) {
        process(request, fate);
    }
    const auto charge = m_ledger.find(request.id.toString());
    answerPost(fate, charge == m_ledger.end() ? WireResult() : charge->second.answer);
}

void FakeTransport::answerPost(Fate fate, const WireResult& charged)
{
    WireResult damaged = charged;
    damaged.digestMatches = false;
    switch (fate) {
    case Fate::Answer:
    case Fate::Decline: answerLater(m_post, charged); return;
    case Fate::Repeat: answerLater(m_post, charged, 2); return;
    case Fate::Break: answerLater(m_post, damaged); return;
    case Fate::NotSent: answerLater(m_post, failed(TransportError::ConnectionRefused, retry::EndReason::Finished, 0)); return;
    case Fate::LoseRequest:
    case Fate::LoseReply:
        answerLater(m_post, failed(TransportError::RemoteClosed, retry::EndReason::Finished, m_postSize));
        return;
    case Fate::Hang:
    case Fate::Freeze: return;
    }
}

void FakeTransport::abortPost(retry::EndReason reason)
{
    m_aborts.push_back(reason);
    if (m_post.done) {
        answerLater(m_post, failed(TransportError::Cancelled, reason, m_postSize));
    }
}

void FakeTransport::probe(const retry::ProbeRequest& request, std::function<void(WireResult)> done)
{
    if (m_probe.done) {
        m_brokenRules.emplace_back("two probes in flight");
    }
    m_probes.push_back(request);
    m_probe = {.done = std::move(done), .number = m_probe.number + 1};
    switch (next(probePlan, Fate::Answer)) {
    case Fate::NotSent:
    case Fate::LoseRequest:
    case Fate::LoseReply:
    case Fate::Break: answerLater(m_probe, failed(TransportError::RemoteClosed, retry::EndReason::Finished, 0)); return;
    case Fate::Hang:
    case Fate::Freeze: return;
    case Fate::Answer:
    case Fate::Decline:
    case Fate::Repeat: break;
    }
    const auto found = m_ledger.find(request.id.toString());
    WireResult answer = found == m_ledger.end() ? unknownAction(request.id) : found->second.answer;
    if (found != m_ledger.end()) {
        answer.status = 200;
        answer.body->code.clear(); // the stored problem lies inside `result`
        answer.bytesTaken = 0;
    }
    answerLater(m_probe, answer);
}

void FakeTransport::abortProbe(retry::EndReason reason)
{
    m_aborts.push_back(reason);
    if (m_probe.done) {
        answerLater(m_probe, failed(TransportError::Cancelled, reason, 0));
    }
}

void FakeTransport::exchangeCard(const retry::Card& card, std::function<void(retry::ExchangeResult)> done)
{
    m_exchanges.push_back(card);
    const retry::ExchangeResult good{.kind = retry::ExchangeResult::Kind::Exchanged,
                                     .token = {.paymentMethod = "pm_1", .brand = "visa", .lastFour = "4242"},
                                     .detail = {}};
    QTimer::singleShot(delay, &m_context, [done = std::move(done), result = next(exchangePlan, good)] { done(result); });
}

std::size_t FakeTransport::charges() const
{
    std::size_t count = 0;
    for (const auto& entry : m_ledger) {
        count += entry.second.approved ? 1U : 0U;
    }
    return count;
}

void FakeTransport::process(const retry::PostRequest& request, Fate fate)
{
    const auto payment = protocol::parsePayment(request.body);
    if (!payment) {
        m_brokenRules.emplace_back("a POST whose body is no payment");
        return;
    }
    const bool approved = fate != Fate::Decline;
    WireResult answer = approved ? paid(request.id, payment->terms.amount) : declined(request.id, payment->terms.amount);
    answer.bytesTaken = m_postSize;
    m_ledger.try_emplace(request.id.toString(), Charge{.body = request.body, .answer = answer, .approved = approved});
}

void FakeTransport::checkPost(const retry::PostRequest& request)
{
    if (m_post.done) {
        m_brokenRules.emplace_back("two POSTs in flight");
    }
    for (const retry::PostRequest& earlier : m_posts) {
        if (earlier.id == request.id && earlier.body != request.body) {
            m_brokenRules.emplace_back("another body under the same ID");
        }
        if (earlier.id == request.id && earlier.note.number >= request.note.number) {
            m_brokenRules.emplace_back("an attempt number twice");
        }
    }
}

/// The slot is emptied first, so that `done` may begin the next request.
void FakeTransport::answerLater(Slot& slot, const WireResult& result, int times)
{
    QTimer::singleShot(delay, &m_context, [&slot, result, times, number = slot.number] {
        if (slot.number != number || !slot.done) {
            return;
        }
        const Done done = std::exchange(slot.done, nullptr);
        for (int turn = 0; turn < times; ++turn) {
            done(result);
        }
    });
}

} // namespace payonce::support
