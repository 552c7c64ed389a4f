// JournalEffects: the machine's effects that are journal calls, and their answers.
#pragma once

#include "retry/effect.h"
#include "runner/journal_thread.h"

#include <functional>

namespace payonce::runner {

class JournalEffects
{
public:
    /// On the thread that made `journal`.
    struct Host
    {
        std::function<void(const retry::Event&)> step; ///< takes the answers
        std::function<values::ActionId()> mintId;
        std::function<retry::Look()> look; ///< for what holds a cart that cannot be had
        std::function<void(const retry::Sight&)> saw;
    };

    JournalEffects(JournalThread& journal, Host host) : m_journal(journal), m_host(std::move(host)) {}

    void perform(const retry::SaveAction& effect);
    void perform(const retry::SaveReady& effect);
    void perform(const retry::RereadJournal& effect);
    void perform(const retry::MarkToldNotStarted& effect);
    void perform(const retry::SaveAttemptRow& effect);
    void perform(const retry::SaveAttemptEnd& effect);
    void perform(const retry::SaveFinal& effect);
    void perform(const retry::SaveWish& effect);
    void perform(const retry::SaveConflict& effect);
    void perform(const retry::AdoptHolder& effect);
    void perform(const retry::MarkSeen& effect);

private:
    JournalThread& m_journal;
    Host m_host;
};

} // namespace payonce::runner
