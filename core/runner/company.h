// Company: the other processes on the same journal (docs/client.md, invariant 11).
#pragma once

#include "retry/snapshot.h"
#include "runner/journal_thread.h"

#include <QtCore/QTimer>

#include <chrono>
#include <functional>
#include <optional>

namespace payonce::runner {

/// Looks at them several times a second, shows them what they have not seen yet of the action that is done here, and passes on
/// what is pressed for an action that is done there. Lives on the thread that made `journal`.
class Company
{
public:
    /// Whose company it is.
    struct Host
    {
        std::function<const retry::Snapshot&()> snapshot;
        std::function<bool()> hasWaiting; ///< it owns more than what is on the screen
        std::function<void(const retry::Sight&)> saw;
        std::function<void()> looked; ///< behind `saw`; also where nothing could be seen
    };

    Company(JournalThread& journal, std::chrono::milliseconds interval, Host host);

    /// The first look is at once.
    void start(const retry::Scope& here);
    /// The screen has changed.
    void stepped(const retry::Snapshot& before);
    /// For the owner of the action on the screen, where that may be offered.
    void press(retry::Press what);

    [[nodiscard]] retry::Look nextLook() const;

private:
    struct Published
    {
        values::ActionId id;
        retry::LeaseNumber lease;
        retry::Shown shown;
        friend bool operator==(const Published&, const Published&) = default;
    };

    void look();
    [[nodiscard]] std::optional<retry::Shown> news() const;

    JournalThread& m_journal;
    Host m_host;
    retry::Scope m_here;
    QTimer m_timer;
    std::optional<Published> m_published; ///< what others see
    bool m_isThere = false;               ///< somebody is
    bool m_isLooking = false;
    bool m_isPassingOn = false;
};

} // namespace payonce::runner
