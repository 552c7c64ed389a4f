// Fencing: the one wish to cancel, saved before anything else is done about it (docs/client.md, invariant 8).
#pragma once

#include "retry/outcome.h"
#include "retry/pacing.h"
#include "retry/post_line.h"
#include "retry/probe_line.h"

namespace payonce::retry {

class Fencing
{
public:
    Fencing(StepContext& context, PostLine& post, ProbeLine& probe, Pacing& pacing)
        : m_context(context), m_post(post), m_probe(probe), m_pacing(pacing)
    {
    }

    /// A new current action.
    void reset();
    /// Shows Fencing and saves the wish; a second one changes nothing.
    void wish(CancelWish wish);
    /// Saves a wish again whose save failed. False: there is none.
    bool wishAgain();
    /// Found with its wish saved: fenced, never POSTed.
    void resume();
    /// A wish waits for the answer to its save.
    [[nodiscard]] bool isSaving() const { return isWished() && m_pending.has_value(); }
    /// The wish is being saved or is saved.
    [[nodiscard]] bool isWished() const { return m_context.state() == State::Fencing; }
    /// A row may have been refused because of a wish whose save was reported as failed.
    [[nodiscard]] bool isPerhapsWished() const { return m_perhaps.has_value(); }

    /// The wish is durable.
    void saved();
    /// A hanging POST is ended, and the shop is asked to close the action.
    void begin();
    /// It may be durable all the same: shown as Unresolved, and this process POSTs no more by itself either.
    void saveFailed();
    /// The shop has not closed it yet; it is asked again. `answered`: it was the shop that said so.
    void notYet(const Outcome& outcome);
    /// What an end found by the fence is called: a refusal that began it gives Cancelled its own name and words.
    [[nodiscard]] FinalAnswer named(FinalAnswer answer) const;

private:
    StepContext& m_context;
    PostLine& m_post;
    ProbeLine& m_probe;
    Pacing& m_pacing;
    std::optional<CancelWish> m_pending; ///< being saved
    std::optional<CancelWish> m_perhaps; ///< its save failed
};

} // namespace payonce::retry
