#include "core/transport/case_shop.h"

#include <QtTest/QTest>

#include <algorithm>
#include <array>
#include <utility>

namespace payonce::wiretest {

using retry::State;

namespace {

const QByteArray kProbePath = "GET /v1/actions/";
const QByteArray kFencePath = "POST /v1/actions/";

Reaction said(const ShopAnswer& answer, const QByteArray& id)
{
    return {.bytes = wholeAnswer(answer.status, R"({"action_id":")" + id + R"(",)" + answer.members + "}", answer.fields)};
}

/// What every request of a client carries (docs/contract.md, Requests).
bool isAsTheContractAsks(const Arrival& arrival)
{
    const bool isPayment = arrival.head.startsWith("POST /v1/payments ");
    const bool isProbe = arrival.head.startsWith(kProbePath) || arrival.head.startsWith(kFencePath);
    const bool isAttempt =
        !arrival.field("Action-Attempt").isEmpty() && arrival.field("Prefer") == (isPayment ? "wait=25" : "wait=4");
    return arrival.field("Accept-Encoding") == "identity" && !arrival.field("Authorization").isEmpty() &&
           arrival.field("Idempotency-Key").isEmpty() != isPayment && isAttempt == (isPayment || isProbe);
}

} // namespace

ShopAnswer paidAnswer()
{
    return {.status = 201,
            .members = R"("state":"succeeded","payment":{"status":"paid","charge_id":"ch_1","amount":{"value":4200,)"
                       R"("currency":"EUR"}},"order":{"number":"1001","status":"paid"})"};
}

ShopAnswer stateAnswer(const QByteArray& state)
{
    return {.status = 200, .members = R"("state":")" + state + '"'};
}

ShopAnswer problemAnswer(int status, const QByteArray& code, const QByteArray& fields)
{
    return {.status = status, .members = R"("code":")" + code + '"', .fields = fields};
}

CaseShop::CaseShop()
{
    m_server.setRule([this](const Arrival& arrival) { return react(arrival); });
}

Reaction CaseShop::react(const Arrival& arrival)
{
    m_strays += isAsTheContractAsks(arrival) ? 0 : 1;
    if (arrival.head.startsWith("POST /v1/payment-methods ")) {
        return {.bytes = wholeAnswer(201, R"({"id":"pm_1","brand":"visa","last4":"4242"})")};
    }
    if (arrival.head.startsWith("POST /v1/payments ")) {
        const QByteArray key = arrival.field("Idempotency-Key");
        ++m_posts;
        m_keys.insert(key);
        m_postTimes.push_back(std::chrono::steady_clock::now());
        return next(posts, paidAnswer(), QByteArray(key).replace('"', ""));
    }
    if (arrival.head.startsWith(kProbePath)) {
        ++m_probes;
        const QByteArray path = arrival.head.mid(kProbePath.size());
        const ShopAnswer spent = m_posts > 0 ? stateAnswer("succeeded") : problemAnswer(404, "action-unknown");
        return next(probes, spent, path.left(path.indexOf('?')));
    }
    if (arrival.head.startsWith(kFencePath)) {
        const QByteArray path = arrival.head.mid(kFencePath.size());
        return said({.status = 200, .members = R"("state":"abandoned","reason":"cancelled")"}, path.left(path.indexOf('/')));
    }
    ++m_strays;
    return {.bytes = wholeAnswer(404, "{}")};
}

Reaction CaseShop::next(std::deque<Turn>& plan, const ShopAnswer& spent, const QByteArray& id)
{
    if (plan.empty()) {
        return said(spent, id);
    }
    const Turn turn = plan.front();
    plan.pop_front();
    return turn.answer ? said(*turn.answer, id) : turn.bare;
}

CaseClient::CaseClient(const CaseShop& shop, const retry::Numbers& numbers)
    : m_transport({.base = shop.url(), .token = "secret", .tls = {}}, numbers),
      m_runner(std::make_unique<support::FakeJournal>(std::make_shared<support::FakeDisk>()), m_transport, m_environment,
               numbers)
{
    QObject::connect(&m_runner, &runner::ActionRunner::ready, &m_runner, [this] { m_isReady = true; });
    QObject::connect(&m_runner, &runner::ActionRunner::snapshotChanged, &m_runner, [this] { m_shown.insert(state()); });
    m_runner.start(runnertest::here());
}

bool CaseClient::pay()
{
    if (!QTest::qWaitFor([this] { return m_isReady; }, runnertest::kPatience)) {
        return false;
    }
    m_runner.pay(runnertest::aPurchase(), runnertest::aCard());
    return true;
}

bool CaseClient::isUnderWay() const
{
    constexpr std::array kUnderWay = {State::Saving,        State::Sending,   State::Confirming,
                                      State::ServerWorking, State::RetryWait, State::Fencing};
    return std::find(kUnderWay.begin(), kUnderWay.end(), state()) != kUnderWay.end();
}

bool CaseClient::hasDenied() const
{
    constexpr std::array kDenials = {State::NotStarted, State::Offline, State::Declined, State::Cancelled};
    return std::any_of(kDenials.begin(), kDenials.end(), [this](State state) { return hasShown(state); });
}

} // namespace payonce::wiretest
