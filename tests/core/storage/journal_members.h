// JournalMembers: journals of several processes on one file, with clocks that a test moves.
#pragma once

#include "core/storage/journal_samples.h"

#include <QtCore/QTemporaryDir>

namespace payonce::samples {

class JournalMembers
{
public:
    struct Clock
    {
        storage::Moment moment{"boot-1", std::chrono::seconds(1000)};
    };

    /// What nobody asked for goes by this clock.
    std::shared_ptr<Clock> clock = std::make_shared<Clock>();

    [[nodiscard]] QString pathOf(const char* name) const { return m_directory.filePath(QLatin1String(name)); }
    [[nodiscard]] std::shared_ptr<storage::Presence> enter() const
    {
        return storage::Presence::take(pathOf("payonce.lock")).value();
    }

    /// Of one more process.
    [[nodiscard]] std::unique_ptr<storage::ClientJournal> journal(std::shared_ptr<storage::Presence> presence = {},
                                                                  std::shared_ptr<Clock> itsClock = {}) const
    {
        using namespace std::chrono_literals;
        if (!presence) {
            presence = enter();
        }
        if (!itsClock) {
            itsClock = clock;
        }
        return std::make_unique<storage::ClientJournal>(
            storage::ClientJournal::fileAt(pathOf("client.sqlite")),
            storage::Membership{std::move(presence), 1s, 5s, [itsClock] { return itsClock->moment; }});
    }

private:
    QTemporaryDir m_directory;
};

/// At work on that action, or at none.
[[nodiscard]] inline retry::Look lookAt(std::optional<values::ActionId> current = {}, retry::LeaseNumber lease = 1)
{
    retry::Look look;
    look.here = anAction().scope;
    look.current = std::move(current);
    look.cartId = "cart_1";
    look.lease = lease;
    look.isBusy = look.current.has_value();
    return look;
}

} // namespace payonce::samples
