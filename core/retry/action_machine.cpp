#include "retry/action_machine.h"

#include "retry/preparation.h"
#include "values/overloaded.h"

#include <variant>

namespace payonce::retry {

namespace {

bool isPress(const Event& event)
{
    return std::holds_alternative<PayPressed>(event) || std::holds_alternative<TryAgainPressed>(event) ||
           std::holds_alternative<CheckAgainPressed>(event) || std::holds_alternative<CancelPressed>(event);
}

bool isSaveAnswer(const Event& event)
{
    return std::holds_alternative<ActionSaved>(event) || std::holds_alternative<ActionSaveFailed>(event) ||
           std::holds_alternative<ReadySaved>(event) || std::holds_alternative<ReadySaveFailed>(event) ||
           std::holds_alternative<JournalReread>(event) || std::holds_alternative<AttemptRowSaved>(event) ||
           std::holds_alternative<AttemptRowRefused>(event) || std::holds_alternative<FinalSaved>(event) ||
           std::holds_alternative<FinalSaveFailed>(event) || std::holds_alternative<WishSaved>(event) ||
           std::holds_alternative<WishSaveFailed>(event) || std::holds_alternative<Adopted>(event) ||
           std::holds_alternative<AdoptFailed>(event);
}

/// What only the owner of an action acts on.
bool isForOwner(const Event& event)
{
    return isPress(event) || std::holds_alternative<NetworkHint>(event) || std::holds_alternative<ClockJumped>(event);
}

} // namespace

class ActionMachine::Private
{
public:
    explicit Private(const Numbers& numbers)
        : context(numbers), settlement(context), confirmation(context, settlement), preparation(context, confirmation)
    {
    }

    void dispatch(const Event& event);
    void resumed(const Resumed& event);
    void watched(const Watched& event);
    /// Nothing of the action on the screen is being done here.
    [[nodiscard]] bool isIdle() const;
    void show(const StoredAction& action);
    void reread(const JournalReread& event);
    void fired(TimerKind timer);

    StepContext context;
    Settlement settlement;
    Confirmation confirmation;
    Preparation preparation;
};

ActionMachine::ActionMachine(const Numbers& numbers) : m_private(std::make_unique<Private>(numbers)) {}

ActionMachine::~ActionMachine() = default;

const Snapshot& ActionMachine::snapshot() const
{
    return m_private->context.snapshot();
}

Effects ActionMachine::handle(const Event& event, const values::Now& now, std::uint64_t draw)
{
    auto& context = m_private->context;
    context.beginStep(now, draw);
    if (isPress(event)) {
        auto& snapshot = context.snapshot();
        ++snapshot.presses;
        ++snapshot.pressesIn.at(static_cast<std::size_t>(snapshot.state));
    }
    if (isSaveAnswer(event))
        context.saveAnswered();
    m_private->dispatch(event);
    return context.endStep();
}

void ActionMachine::Private::dispatch(const Event& event)
{
    if (context.snapshot().isViewer && isForOwner(event))
        return;
    std::visit(values::Overloaded{
                   [this](const PayPressed& e) { preparation.pay(e); },
                   [this](const Resumed& e) { resumed(e); },
                   [this](const Watched& e) { watched(e); },
                   [this](const TryAgainPressed&) { preparation.tryAgain(); },
                   [this](const CheckAgainPressed&) { confirmation.checkAgain(); },
                   [this](const CancelPressed&) { confirmation.cancel(); },
                   [this](const StartOverPressed&) { settlement.startOver(); },
                   [this](const Acknowledged&) { settlement.acknowledged(); },
                   [this](const ActionSaved& e) { preparation.actionSaved(e); },
                   [this](const ActionSaveFailed& e) { preparation.actionSaveFailed(e); },
                   [this](const CardExchanged& e) { preparation.cardExchanged(e); },
                   [this](const ReadySaved& e) { preparation.readySaved(e); },
                   [this](const ReadySaveFailed& e) { preparation.readySaveFailed(e); },
                   [this](const JournalReread& e) { reread(e); },
                   [this](const AttemptRowSaved& e) { confirmation.rowSaved(e); },
                   [this](const AttemptRowRefused& e) { confirmation.rowRefused(e); },
                   [this](const FinalSaved&) { settlement.saved(); },
                   [this](const FinalSaveFailed& e) { settlement.saveFailed(e.error); },
                   [this](const WishSaved& e) { confirmation.wishSaved(e); },
                   [this](const WishSaveFailed& e) { confirmation.wishSaveFailed(e); },
                   [this](const Adopted& e) { confirmation.adopted(e); },
                   [this](const AdoptFailed& e) { confirmation.adoptFailed(e); },
                   [this](const PostEnded& e) { confirmation.postEnded(e); },
                   [this](const ProbeEnded& e) { confirmation.probeEnded(e); },
                   [this](const TimerFired& e) { fired(e.timer); },
                   [this](const NetworkHint&) { confirmation.hint(); },
                   [this](const ClockJumped&) { confirmation.clockJumped(); },
               },
               event);
}

/// At start; for an action that waits for its own server or account, or is another process's; for one that was never saved.
bool ActionMachine::Private::isIdle() const
{
    const auto& snapshot = context.snapshot();
    switch (snapshot.state) {
    case State::Editing: return !snapshot.action;
    case State::NotStarted: return snapshot.isViewer || snapshot.cause == Cause::CartHeld;
    case State::Unresolved:
        return snapshot.isViewer || snapshot.cause == Cause::OtherServer || snapshot.cause == Cause::OtherOwner;
    default: return snapshot.isViewer;
    }
}

void ActionMachine::Private::show(const StoredAction& action)
{
    preparation.stop();
    confirmation.stop();
    auto& snapshot = context.snapshot();
    snapshot.isViewer = false;
    snapshot.action = action;
    snapshot.attempt = action.attempts.empty() ? 0 : action.attempts.back().number;
    context.recountAttempts();
}

/// Accepted where nothing is under way, and where another process has taken over what is.
void ActionMachine::Private::watched(const Watched& event)
{
    const auto& action = event.seen.action;
    auto& snapshot = context.snapshot();
    const bool displaced = snapshot.action && snapshot.action->id == action.id && snapshot.action->lease < action.lease;
    if (isOver(snapshot.state) || !(isIdle() || displaced))
        return;
    show(action);
    if (action.conflict)
        return settlement.showSavedConflict();
    if (action.final)
        return settlement.showSaved(*action.final);
    const Shown shown = sayable(event.seen);
    context.show(shown.state, shown.cause, shown.detail);
    context.stopAllTimers(); // how long it lasts is measured by its owner
    snapshot.isViewer = true;
    snapshot.isLong = shown.isLong;
    snapshot.nextTry = shown.nextTry;
    snapshot.action->lease = 0; // nothing is ever written under the owner's
}

/// Accepted where nothing is under way, and where the action on the screen was lost to another process and taken back before
/// this one saw either.
void ActionMachine::Private::resumed(const Resumed& event)
{
    const auto& current = context.snapshot().action;
    const bool isTakenBack = current && current->id == event.action.id && current->lease < event.action.lease;
    if (isTakenBack && isOver(context.state()))
        return settlement.saveUnder(event.action.lease);
    if (!isIdle() && !isTakenBack)
        return;
    show(event.action);
    if (event.action.conflict)
        return settlement.showSavedConflict();
    if (event.action.final)
        return settlement.showSaved(*event.action.final);
    if (event.action.scope != event.here)
        return confirmation.holdForOtherServer();
    if (event.action.wish || event.action.adopted)
        return confirmation.resume();
    // *Told not started* stays the word for it while every row proves that nothing was sent.
    const bool provenUnsent = attemptsPerhapsSent(event.action) == 0;
    if (event.action.attempts.empty() || (event.action.toldNotStarted && provenUnsent))
        return preparation.resumeUnsent();
    confirmation.resume();
}

void ActionMachine::Private::reread(const JournalReread& event)
{
    preparation.reread(event);
    confirmation.reread(event);
}

void ActionMachine::Private::fired(TimerKind timer)
{
    if (!context.takeFired(timer))
        return;
    switch (timer) {
    case TimerKind::SoftDeadline: return confirmation.softDeadline();
    case TimerKind::HardLimit: return confirmation.hardLimit();
    case TimerKind::ProbeLimit: return confirmation.probeLimit();
    case TimerKind::NextProbe: return confirmation.nextProbe();
    case TimerKind::NextPost: return confirmation.nextPost();
    case TimerKind::GiveUp: return confirmation.giveUp();
    case TimerKind::SaveAgain:
        if (!confirmation.adoptAgain())
            settlement.saveAgain();
        return;
    case TimerKind::LongWait: context.snapshot().isLong = true; return;
    case TimerKind::FenceDue: return confirmation.fenceDue();
    case TimerKind::NextExchange: return preparation.nextExchange();
    }
}

} // namespace payonce::retry
