// ActionRunner: carries out the effects of ActionMachine. It owns the only timers of the client and the journal's thread.
#pragma once

#include "retry/action_machine.h"
#include "runner/environment.h"

#include <QtCore/QObject>

#include <memory>

namespace payonce::runner {

/// One current action at a time. Lives on one thread (the GUI's) and never blocks it: every journal call runs on a
/// worker thread, in order. `snapshotChanged` fires after every step that changed the snapshot, never inside a call of
/// pay() and friends except for the step that call made.
class ActionRunner : public QObject
{
    Q_OBJECT

public:
    /// The journal is used on the worker thread only, from the first call on.
    ActionRunner(std::unique_ptr<retry::Journal> journal, retry::Transport& transport, Environment& environment,
                 const retry::Numbers& numbers, QObject* parent = nullptr);
    /// Ends the calls in flight (reason: shutdown), saves what is under way, joins the worker.
    ~ActionRunner() override;

    /// Reads the journal and resumes what is open there, oldest first. Emits `ready` when Pay may be offered.
    void start(const retry::Scope& here);
    /// One press of Pay; the snapshot is no longer Editing when it returns. The card is kept in memory until exchanged.
    void pay(const retry::Purchase& purchase, const retry::Card& card);
    /// One press of a button that POSTs `body` (JSON, sent byte for byte) to `path` of the shop, exactly once. `subject`: what
    /// it is about; one unresolved action for each kind and subject.
    void run(const retry::Target& target, const std::string& subject, const std::string& body);
    void tryAgain();
    void checkAgain();
    /// Cancel, use another card, or discard: where retry::mayCancel says so.
    void cancel();
    void startOver();
    /// The person has seen how it ended.
    void acknowledge();
    /// The system says the network is back.
    void networkCameBack();
    /// Newest `Date` of this server: every wall time given to the machine is local + (server - local).
    void serverTimeSeen(values::WallTime serverTime);
    /// Server minus local.
    [[nodiscard]] std::chrono::milliseconds clockOffset() const;

    [[nodiscard]] const retry::Snapshot& snapshot() const;

Q_SIGNALS:
    void snapshotChanged();
    /// The journal has been read; a resumed action is in the snapshot by now.
    void ready();
    /// The journal cannot be used; nothing can be paid until the program is started with a good one.
    void journalFailed(payonce::retry::JournalError error);

private:
    class Private;
    std::unique_ptr<Private> m_private;
};

} // namespace payonce::runner
