#include "simulation/referee.h"

#include "simulation/transitions.h"

namespace payonce::simulation {

using retry::Cause;
using retry::State;

namespace {

constexpr int kAutomaticPosts = 4;

bool saysNotCharged(State state)
{
    return state == State::Declined || state == State::NotCharged || state == State::Cancelled;
}

/// NotCharged and Cancelled are two words for one end: which one depends on what this computer knows of the reason.
State endOf(State state)
{
    return state == State::NotCharged ? State::Cancelled : state;
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
    m_factsOfCharges.insert("receipt:" + reference(id));
    auto& facts = m_actions[id];
    if (++facts.charges > 1)
        fail("two charges for one action");
    if (++m_cartCharges[cart.substr(0, cart.find('#'))] > 1)
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

void Referee::closedForItsCart(const values::ActionId& id)
{
    if (m_mayStillCharge(id))
        fail("closed for its cart though a charge can still come");
}

void Referee::mailed(const std::string& fact, const std::string& deliveryId)
{
    auto& mails = m_mails[fact];
    mails.insert(deliveryId);
    if (mails.size() > 1)
        fail("two mails of one fact");
    if (m_factsOfCharges.count(fact) == 0)
        fail("a receipt without a charge");
}

void Referee::posting(const Posting& post, const JournalFacts& journal)
{
    const auto& durable = journal.durable;
    if (!durable || !durable->ready)
        return fail("a POST without a durable save 2");
    if (durable->ready->body != post.body)
        fail("a POST with other bytes than the saved ones");
    bool hasRow = false;
    for (const auto& attempt : durable->attempts)
        hasRow = hasRow || (attempt.number == post.number && !attempt.end);
    if (!hasRow || !journal.row)
        return fail("a POST without its open journal row");
    checkRight(post, journal);
    checkTime(post, journal);
}

/// A process that froze between its row and its POST cannot know what was done meanwhile; every other one must.
void Referee::checkRight(const Posting& post, const JournalFacts& journal)
{
    if (!journal.row->byOwner)
        fail("a POST by a process that had lost the action");
    if (journal.wishedAt && (journal.isOwner || journal.row->at >= *journal.wishedAt))
        fail("a POST after the saved wish to cancel");
    if (journal.durable->adopted)
        fail("a POST of another device's action");
    const auto& facts = m_actions[post.id];
    if (facts.toldNotStarted && !facts.markLost)
        fail("sent by itself after the screen said that it was not started");
    if (facts.posts >= kAutomaticPosts + facts.checks)
        fail("more POSTs than four and one a check");
}

void Referee::checkTime(const Posting& post, const JournalFacts& journal)
{
    const auto screen = m_screens.find(post.process);
    if (screen != m_screens.end() && screen->second.id == post.id && isFinal(screen->second.state))
        fail("a POST after a final answer");
    if (post.serverTime >= journal.durable->validUntil)
        fail("a POST past valid_until");
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

void Referee::shown(const Process& process, const retry::Snapshot& snapshot)
{
    m_seen.insert(describe(snapshot));
    if (!snapshot.action) {
        processEnded(process.number);
        return;
    }
    auto& facts = m_actions[snapshot.action->id];
    checkWords(process, snapshot, facts);
    checkFinal(snapshot, facts);
    if (snapshot.isViewer)
        return processEnded(process.number); // it goes where its owner goes
    checkPending(process, snapshot);
    checkStep(process, snapshot);
}

void Referee::checkWords(const Process& process, const retry::Snapshot& snapshot, Facts& facts)
{
    const State state = snapshot.state;
    const std::string name = nameOf(state);
    if (state == State::Conflict)
        fail("Conflict, though nobody lied");
    if (state == State::Paid && facts.charges == 0)
        fail("Paid without a charge");
    if (saysNotCharged(state) && facts.charges > 0)
        fail(name + " though charged");
    if (saysNotCharged(state) && facts.posts > 0 && facts.shownFinal != state && m_mayStillCharge(snapshot.action->id))
        fail(name + " though a charge can still come");
    if (state == State::Cancelled && snapshot.cause == Cause::NeverSent && facts.posts > 0)
        fail("closed as never sent though a byte was taken");
    if (process.isStale)
        return; // what was done since is another window's
    const bool saysNothingSent = state == State::NotStarted || state == State::Offline || state == State::Editing;
    if (saysNothingSent && facts.posts > 0)
        fail(name + " though a byte was taken");
    if (state == State::NotStarted)
        facts.toldNotStarted = true;
}

void Referee::checkFinal(const retry::Snapshot& snapshot, Facts& facts)
{
    if (!isFinal(snapshot.state))
        return;
    if (facts.shownFinal && endOf(*facts.shownFinal) != endOf(snapshot.state))
        fail("a final answer changed");
    facts.shownFinal = snapshot.state;
}

/// Nobody may be left waiting for nothing.
void Referee::checkPending(const Process& process, const retry::Snapshot& snapshot)
{
    const State state = snapshot.state;
    if (isFinal(state) || state == State::Editing || state == State::NotStarted)
        return;
    const bool held = snapshot.cause == Cause::OtherServer || snapshot.cause == Cause::OtherOwner;
    if (!held && !process.hasTimers && snapshot.savesPending == 0 && snapshot.networkPending == 0)
        fail(std::string(nameOf(state)) + ", and nothing is scheduled");
}

void Referee::checkStep(const Process& process, const retry::Snapshot& snapshot)
{
    const Screen now{snapshot.action->id, snapshot.action->lease, snapshot.state};
    const auto [screen, isFirst] = m_screens.try_emplace(process.number, now);
    const Screen before = screen->second;
    screen->second = now;
    // What another window did meanwhile may have led anywhere, but not away from an end.
    const bool isOwnStep = before.lease == now.lease && !(process.isStale && isFinal(now.state));
    const bool isBound = isOwnStep || isFinal(before.state);
    if (!isFirst && before.id == now.id && isBound && !mayFollow(before.state, now.state))
        fail(std::string("a step back from ") + nameOf(before.state) + " to " + nameOf(now.state));
}

void Referee::windowEnded(const retry::Snapshot& snapshot)
{
    // Nothing of it was saved here.
    const bool isNothing = snapshot.cause == Cause::CartHeld;
    if (snapshot.action && !isFinal(snapshot.state) && !isNothing)
        fail("the life does not end: " + describe(snapshot));
}

void Referee::lifeEnded()
{
    for (const auto& fact : m_factsOfCharges)
        if (m_mails[fact].size() != 1)
            fail("a charge without its mail");
}

int Referee::charges() const
{
    int sum = 0;
    for (const auto& [cart, charges] : m_cartCharges)
        sum += charges;
    return sum;
}

bool Referee::isCharged(const values::ActionId& id) const
{
    const auto facts = m_actions.find(id);
    return facts != m_actions.end() && facts->second.charges > 0;
}

} // namespace payonce::simulation
