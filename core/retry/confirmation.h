// Confirmation: from the first POST to a final answer. Decides what an outcome means for the state, when the next POST or
// probe goes out, and when a person must step in.
#pragma once

#include "retry/fencing.h"
#include "retry/outcome.h"
#include "retry/pacing.h"
#include "retry/post_line.h"
#include "retry/probe_line.h"
#include "retry/settlement.h"

namespace payonce::retry {

class Confirmation
{
public:
    Confirmation(StepContext& context, Settlement& settlement);

    /// Found ready at start: the first POST of this process may go out.
    void start()
    {
        reset();
        (void)tryPost();
    }
    /// Save 2 is about to be asked for: the attempt whose row it brings along.
    [[nodiscard]] AttemptStart announceRow()
    {
        reset();
        return m_post.reserve();
    }
    /// Save 2 is durable; `row` tells whether that row is, too.
    void readySaved(int number, AttemptBegun row);
    /// Save 2 failed: nothing is sent.
    void readySaveFailed(int number) { (void)m_post.rowRefused(number); }
    /// A row of this process that may be durable although nothing was sent under it.
    void neverSent(int number) { m_post.neverSent(number); }
    /// Found at start with an attempt row: asks first (invariant 9). With a saved wish to cancel: only goes on fencing.
    void resume();
    /// Bound to another server or account: nothing is sent (invariant 10).
    void holdForOtherServer()
    {
        reset();
        m_context.show(State::Unresolved, Cause::OtherServer);
    }
    /// Another process owns the action: everything stops (invariant 11).
    void yieldToOtherOwner();
    /// Nothing more is done for the current action.
    void stop();
    /// `valid_until` has passed and every attempt that this process knows of is proven unsent. The journal closes the action if
    /// that is so; where another window sent it meanwhile, its owner or the shop decides (invariants 8 and 11).
    void closeNeverSent();

    void rowSaved(const AttemptRowSaved& event);
    void rowRefused(const AttemptRowRefused& event);
    void postEnded(const PostEnded& event);
    void probeEnded(const ProbeEnded& event);
    void checkAgain();
    /// Cancel, use another card or discard, where `mayCancel` says so.
    void cancel();
    void wishSaved(const WishSaved& event);
    void wishSaveFailed(const WishSaveFailed& event);
    void adopted(const Adopted& event);
    void adoptFailed(const AdoptFailed& event);
    /// False: no adoption waits for its save.
    bool adoptAgain();
    /// The network is back, or a clock jumped: only ever a reason to ask sooner.
    void hint();
    void clockJumped();
    /// What the journal says about an action that another process owns.
    void reread(const JournalReread& event);

    void softDeadline();
    void hardLimit() { m_post.abort(EndReason::HardDeadline); }
    void probeLimit() { m_probe.limitReached(); }
    void nextProbe() { m_probe.begin(); }
    void nextPost();
    void giveUp();
    void fenceDue();

private:
    void reset();
    void finish(const FinalAnswer& answer);
    /// Stops the network and the timers of this action.
    void quiet();

    void afterUnknown(State state, std::optional<std::chrono::milliseconds> advice);
    void afterNotSent();
    void afterAdvice(const Outcome& outcome);
    void refused(const Outcome& outcome);
    void conflict(Cause cause);
    /// Another action holds the cart: this one is closed, and that one is asked about (invariant 2).
    void adopt(const Outcome& outcome);
    void fenceAnswered(const Outcome& outcome);
    /// An end that nobody waits for any more can still contradict what is shown.
    void afterwards(const Outcome& outcome);

    void probeAnsweredOpen(State state, const Outcome& outcome);
    void probeNotFound();
    void probeFailed(TransportError error);
    void probeAdvised(const Outcome& outcome);

    void showOpen(State state);
    void unresolved(Cause cause, std::string detail = {});
    void noMorePosts(Cause cause);
    void noteReachable();
    /// The shop could not be reached, though bytes of this action left. True: that has become the state.
    bool noteUnreachable();
    void startClocks();
    void armFenceDue();
    /// An answer may have brought another server time: the fence is due by that one.
    void followClock();
    /// Of the server's clock from the monotonic one: changes when a clock is stepped, or was found to be wrong.
    [[nodiscard]] std::chrono::milliseconds clockDistance() const;
    [[nodiscard]] std::optional<values::Money> amount() const;

    /// Sends the same ID again where every rule allows it. True: the state or the channel changed, nothing else is needed.
    bool tryPost();
    void tryPostElseProbe();
    [[nodiscard]] bool mayPostByItself();
    void postForPerson();
    void probeLater(std::optional<std::chrono::milliseconds> advice = {});

    StepContext& m_context;
    Settlement& m_settlement;
    PostLine m_post;
    ProbeLine m_probe;
    Pacing m_pacing;
    Fencing m_fencing;
    std::optional<AdoptHolder> m_adopting;

    std::chrono::milliseconds m_armedBy{}; ///< clockDistance() when the fence was last scheduled
    bool m_late = false;                   ///< unresolvedAfter has passed since the first byte
    bool m_clockRuns = false;              ///< ... and is being measured
    bool m_personAsked = false;            ///< Check again: one POST, if the shop answers *not found*
    bool m_personPost = false;             ///< the row under way is that POST
    int m_notSentInARow = 0;
    int m_unreachableInARow = 0;
    bool m_probeAnswered = false; ///< of this action
    bool m_wasUnresolved = false; ///< this action
    int m_unresolvedInARow = 0;   ///< actions that became Unresolved, one after the other
};

} // namespace payonce::retry
