#include "simulation/referee.h"

namespace payonce::simulation {

using retry::Cause;
using retry::State;

namespace {

constexpr int kAutomaticPosts = 4;

bool saysNotCharged(State state)
{
    return state == State::Declined || state == State::Cancelled;
}

} // namespace

std::string describe(const retry::Snapshot& snapshot)
{
    std::string words = nameOf(snapshot.state);
    if (snapshot.cause != Cause::None)
        words += std::string("(") + nameOf(snapshot.cause) + ")";
    return words;
}

void Referee::fail(const std::string& what)
{
    if (!m_violation.empty())
        return;
    m_violation = what;
    m_world.trace("REFEREE", what);
}

void Referee::charged(const values::ActionId& id, const std::string& cart)
{
    auto& facts = m_actions[id];
    if (++facts.charges > 1)
        fail("two charges for one action");
    if (++m_cartCharges[cart] > 1)
        fail("two charges for one cart");
    if (facts.shownFinal && saysNotCharged(*facts.shownFinal))
        fail(std::string("charged after the screen said ") + nameOf(*facts.shownFinal));
    if (facts.toldAbandoned)
        fail("abandoned, yet charged");
}

void Referee::reconcilerCharges(const values::ActionId& id, bool isToBeCancelled)
{
    if (isToBeCancelled)
        fail("the reconciler charges what is to be cancelled: " + reference(id));
}

void Referee::toldAbandoned(const values::ActionId& id)
{
    auto& facts = m_actions[id];
    facts.toldAbandoned = true;
    if (facts.charges > 0)
        fail("told abandoned though charged");
}

void Referee::posting(const values::ActionId& id, int number, const std::string& body,
                      const std::optional<retry::StoredAction>& durable)
{
    if (!durable || !durable->ready)
        return fail("a POST without a durable save 2");
    if (durable->ready->body != body)
        fail("a POST with other bytes than the saved ones");
    bool hasRow = false;
    for (const auto& attempt : durable->attempts)
        hasRow = hasRow || (attempt.number == number && !attempt.end);
    if (!hasRow)
        fail("a POST without its open journal row");
    auto& facts = m_actions[id];
    if (facts.toldNotStarted && !facts.markLost)
        fail("sent by itself after the screen said that it was not started");
    if (m_lastFinal == id)
        fail("a POST after a final answer");
    if (m_world.wall() > durable->validUntil + std::chrono::seconds(2))
        fail("a POST past valid_until");
    if (facts.posts >= kAutomaticPosts + facts.checks)
        fail("more POSTs than four and one a check");
}

void Referee::pressed(const std::optional<values::ActionId>& id)
{
    if (id)
        m_actions[*id].toldNotStarted = false;
}

void Referee::checkedAgain(const values::ActionId& id)
{
    ++m_actions[id].checks;
    pressed(id);
}

void Referee::shown(const retry::Snapshot& snapshot, Timers timers)
{
    m_seen.insert(describe(snapshot));
    if (!snapshot.action)
        return;
    auto& facts = m_actions[snapshot.action->id];
    checkWords(snapshot, facts);
    checkFinal(snapshot, facts);
    checkPending(snapshot, timers);
}

void Referee::checkWords(const retry::Snapshot& snapshot, Facts& facts)
{
    const State state = snapshot.state;
    if (state == State::Paid && facts.charges == 0)
        fail("Paid without a charge");
    if (saysNotCharged(state) && facts.charges > 0)
        fail(std::string(nameOf(state)) + " though charged");
    const bool saysNothingSent = state == State::NotStarted || state == State::Offline || state == State::Editing;
    if (saysNothingSent && facts.posts > 0)
        fail(std::string(nameOf(state)) + " though a byte was taken");
    if (state == State::Cancelled && snapshot.cause == Cause::NeverSent && facts.posts > 0)
        fail("closed as never sent though a byte was taken");
    if (state == State::NotStarted)
        facts.toldNotStarted = true;
}

void Referee::checkFinal(const retry::Snapshot& snapshot, Facts& facts)
{
    if (m_lastFinal == snapshot.action->id && !isFinal(snapshot.state))
        fail("a final answer was taken back");
    if (!isFinal(snapshot.state))
        return;
    if (facts.shownFinal && *facts.shownFinal != snapshot.state)
        fail("a final answer changed");
    facts.shownFinal = snapshot.state;
    m_lastFinal = snapshot.action->id;
}

/// Nobody may be left waiting for nothing.
void Referee::checkPending(const retry::Snapshot& snapshot, Timers timers)
{
    const State state = snapshot.state;
    if (isFinal(state) || state == State::Editing || state == State::NotStarted)
        return;
    const bool held = snapshot.cause == Cause::OtherServer || snapshot.cause == Cause::OtherOwner;
    if (!held && timers == Timers::None && snapshot.savesPending == 0 && snapshot.networkPending == 0)
        fail(std::string(nameOf(state)) + ", and nothing is scheduled");
}

void Referee::lifeEnded(const retry::Snapshot& snapshot)
{
    const bool heldByAnother = snapshot.cause == Cause::CartTaken || snapshot.cause == Cause::CartHeld;
    const bool onlyProbesLeft = snapshot.state == State::Unresolved && snapshot.cause == Cause::PastValidity;
    if (!isFinal(snapshot.state) && !heldByAnother && !onlyProbesLeft)
        fail(std::string("the life does not end: ") + nameOf(snapshot.state) + " " + nameOf(snapshot.cause));
}

int Referee::charges() const
{
    int sum = 0;
    for (const auto& [cart, charges] : m_cartCharges)
        sum += charges;
    return sum;
}

} // namespace payonce::simulation
