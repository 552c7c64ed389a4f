#include "runner/action_runner.h"

#include "protocol/payment_request.h"
#include "runner/card_keeper.h"
#include "runner/clock_watch.h"
#include "runner/journal_thread.h"
#include "runner/machine_timers.h"
#include "values/check.h"

#include <QtCore/QPointer>
#include <QtCore/QTimer>

#include <array>
#include <cstring>
#include <deque>
#include <utility>

namespace payonce::runner {

using retry::JournalError;
using retry::State;
using values::Result;

/// Effects in, events out. Its being a QObject makes late answers harmless: they find it gone.
class ActionRunner::Private : public QObject
{
public:
    Private(ActionRunner& owner, std::unique_ptr<retry::Journal> journal, retry::Transport& transport, Environment& environment,
            const retry::Numbers& numbers);
    Private(const Private&) = delete;
    Private& operator=(const Private&) = delete;
    Private(Private&&) = delete;
    Private& operator=(Private&&) = delete;
    ~Private() override;

    void start(const retry::Scope& here);
    void pay(const retry::Purchase& purchase, const retry::Card& card);
    void run(const retry::Target& target, const std::string& subject, const std::string& body);
    void step(const retry::Event& event);
    /// Of a button that acts on an action: a viewer passes it on to the owner.
    void press(retry::Press what, const retry::Event& event);
    void serverTimeSeen(values::WallTime serverTime);
    [[nodiscard]] std::chrono::milliseconds clockOffset() const { return m_clockOffset; }
    [[nodiscard]] const retry::Snapshot& snapshot() const { return m_machine.snapshot(); }

private:
    void resumeNext();
    /// What other processes on the same journal do, and what they shall see of this one.
    void look();
    [[nodiscard]] retry::Look nextLook() const;
    void saw(const retry::Sight& sight);
    /// What others have not seen yet of the action that is done here.
    [[nodiscard]] std::optional<retry::Shown> news() const;
    void learnTime(const retry::WireResult& result);
    void dropCardUnlessNeeded();
    [[nodiscard]] values::Now now();
    [[nodiscard]] values::ActionId mintId();
    /// `handle(result)` for an answer that is still wanted, whatever became of this object.
    template <class Answer, class Handle> [[nodiscard]] std::function<void(Answer)> guarded(Handle handle);

    void perform(const retry::SaveAction& effect);
    void perform(const retry::ExchangeCard& effect);
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
    void perform(const retry::SendPost& effect);
    void perform(const retry::AbortPost& effect);
    void perform(const retry::SendProbe& effect);
    void perform(const retry::AbortProbe& effect);
    void perform(const retry::StartTimer& effect);
    void perform(const retry::StopTimer& effect);

    struct Published
    {
        values::ActionId id;
        retry::LeaseNumber lease;
        retry::Shown shown;
        friend bool operator==(const Published&, const Published&) = default;
    };

    ActionRunner& m_owner;
    retry::Transport& m_transport;
    Environment& m_environment;
    retry::ActionMachine m_machine;
    retry::Scope m_here;
    std::deque<retry::StoredAction> m_waiting;  ///< open actions found at start, behind the current one
    std::chrono::milliseconds m_clockOffset{0}; ///< server minus local
    std::optional<Published> m_published;       ///< what others see
    QTimer m_lookTimer;
    bool m_isReady = false;
    bool m_isLooking = false;
    bool m_isPassingOn = false;
    bool m_hasCompany = false;
    bool m_postInFlight = false;
    bool m_probeInFlight = false;
    CardKeeper m_card;
    MachineTimers m_timers;
    ClockWatch m_clockWatch;
    JournalThread m_journal;
};

ActionRunner::Private::Private(ActionRunner& owner, std::unique_ptr<retry::Journal> journal, retry::Transport& transport,
                               Environment& environment, const retry::Numbers& numbers)
    : m_owner(owner),
      m_transport(transport),
      m_environment(environment),
      m_machine(numbers),
      m_timers([this](retry::TimerKind kind) { step(retry::TimerFired{kind}); }),
      m_clockWatch(environment, [this] { step(retry::ClockJumped{}); }),
      m_journal(std::move(journal))
{
    m_lookTimer.setInterval(numbers.lookEvery);
    connect(&m_lookTimer, &QTimer::timeout, this, &Private::look);
}

ActionRunner::Private::~Private()
{
    // Their answers come later and find nobody. An attempt row without an end says all there is to say: bytes may have left.
    if (m_postInFlight) {
        m_transport.abortPost(retry::EndReason::Shutdown);
    }
    if (m_probeInFlight) {
        m_transport.abortProbe(retry::EndReason::Shutdown);
    }
    // It was on the screen until now, and what the person closed they have seen. A conflict is seen once it was taken along.
    if (snapshot().action && retry::isFinal(snapshot().state)) {
        perform(retry::MarkSeen{.id = snapshot().action->id, .lease = snapshot().action->lease});
    }
}

void ActionRunner::Private::start(const retry::Scope& here)
{
    m_here = here;
    m_clockWatch.start();
    m_journal.call([](retry::Journal& journal) { return journal.takeOverOpen(); },
                   [this](const Result<std::vector<retry::StoredAction>, JournalError>& open) {
                       if (!open) {
                           Q_EMIT m_owner.journalFailed(open.error());
                           return;
                       }
                       m_waiting.assign(open->begin(), open->end());
                       resumeNext();
                       look(); // what another process has open keeps Pay away, too
                       m_lookTimer.start();
                   });
}

void ActionRunner::Private::pay(const retry::Purchase& purchase, const retry::Card& card)
{
    if (!m_isReady) {
        return;
    }
    const State before = snapshot().state;
    if (snapshot().isViewer) {
        return;
    }
    if (before == State::Editing || before == State::NotStarted) {
        m_card.keep(card);
    }
    step(retry::PayPressed{.id = mintId(), .scope = m_here, .purchase = purchase});
}

void ActionRunner::Private::run(const retry::Target& target, const std::string& subject, const std::string& body)
{
    if (!m_isReady) {
        return;
    }
    // Nothing is paid, so any currency will do.
    const retry::Purchase nothing{
        .cartId = subject, .amount = {.minorUnits = 0, .currency = *values::Currency::fromCode("EUR")}, .email = {}};
    step(retry::PayPressed{.id = mintId(), .scope = m_here, .purchase = nothing, .target = target, .body = body});
}

void ActionRunner::Private::step(const retry::Event& event)
{
    const retry::Snapshot before = snapshot();
    const retry::Effects effects = m_machine.handle(event, now(), m_environment.draw());
    for (const retry::Effect& effect : effects) {
        std::visit([this](const auto& what) { perform(what); }, effect);
    }
    dropCardUnlessNeeded();
    if (snapshot() != before) {
        Q_EMIT m_owner.snapshotChanged();
    }
    const bool isDisplaced = snapshot().cause == retry::Cause::OtherOwner && before.cause != retry::Cause::OtherOwner;
    if (m_isReady && (isDisplaced || news())) {
        look();
    }
    if (!m_waiting.empty() && snapshot().state == State::Editing && !snapshot().action) {
        resumeNext();
    }
}

void ActionRunner::Private::press(retry::Press what, const retry::Event& event)
{
    if (!snapshot().isViewer) {
        step(event);
        return;
    }
    const bool isOffered = what == retry::Press::CheckAgain || retry::mayCancel(snapshot());
    if (!isOffered || std::exchange(m_isPassingOn, true)) {
        return;
    }
    m_journal.call(
        [id = snapshot().action->id, what](retry::Journal& journal) { return journal.press(id, what); },
        [this](const Result<void, JournalError>& /*nothing happens; a person presses again*/) { m_isPassingOn = false; });
}

void ActionRunner::Private::look()
{
    if (std::exchange(m_isLooking, true)) {
        return;
    }
    const retry::Look look = nextLook();
    m_journal.call([look](retry::Journal& journal) { return journal.look(look); },
                   [this, look](const Result<retry::Sight, JournalError>& sight) {
                       m_isLooking = false;
                       if (sight) {
                           if (look.shown) {
                               m_published = Published{*look.current, look.lease, *look.shown};
                           }
                           saw(*sight);
                       }
                       if (!std::exchange(m_isReady, true)) {
                           Q_EMIT m_owner.ready();
                       }
                   });
}

retry::Look ActionRunner::Private::nextLook() const
{
    retry::Look look;
    look.here = m_here;
    look.isBusy = !m_waiting.empty();
    look.wantsAll = snapshot().cause == retry::Cause::OtherOwner;
    if (const auto& action = snapshot().action) {
        look.current = action->id;
        look.kind = action->target.kind;
        look.cartId = action->purchase.cartId;
        look.lease = action->lease;
        look.isBusy = look.isBusy || !retry::isFinal(snapshot().state);
        look.shown = news();
    }
    return look;
}

void ActionRunner::Private::saw(const retry::Sight& sight)
{
    m_hasCompany = sight.hasCompany;
    for (const auto& action : sight.taken) {
        if (snapshot().action && snapshot().action->id == action.id) {
            step(retry::Resumed{.action = action, .here = m_here});
        } else {
            m_waiting.push_back(action);
        }
    }
    if (sight.watched) {
        step(retry::Watched{*sight.watched});
    }
    for (const retry::Press what : sight.presses) {
        if (what == retry::Press::Cancel) {
            step(retry::CancelPressed{});
        } else {
            step(retry::CheckAgainPressed{});
        }
    }
    if (snapshot().state == State::Editing && !snapshot().action) {
        resumeNext();
    }
    if (news()) {
        look();
    }
}

std::optional<retry::Shown> ActionRunner::Private::news() const
{
    const retry::Snapshot& now = snapshot();
    if (!m_hasCompany || !now.action || now.action->lease == 0 || now.isViewer || retry::isOver(now.state)) {
        return std::nullopt;
    }
    retry::Shown shown{
        .state = now.state, .cause = now.cause, .detail = now.detail, .isLong = now.isLong, .nextTry = now.nextTry};
    const bool isKnown = m_published == Published{now.action->id, now.action->lease, shown};
    return isKnown ? std::nullopt : std::optional(std::move(shown));
}

void ActionRunner::Private::serverTimeSeen(values::WallTime serverTime)
{
    m_clockOffset = serverTime - m_environment.now().wall;
}

void ActionRunner::Private::resumeNext()
{
    if (m_waiting.empty()) {
        return;
    }
    const retry::StoredAction next = std::move(m_waiting.front());
    m_waiting.pop_front();
    step(retry::Resumed{.action = next, .here = m_here});
}

/// Only a whole answer is known to be the server's own; a portal's clock is no concern of ours.
void ActionRunner::Private::learnTime(const retry::WireResult& result)
{
    if (result.serverTime && result.complete && result.digestMatches) {
        serverTimeSeen(*result.serverTime);
    }
}

void ActionRunner::Private::dropCardUnlessNeeded()
{
    const retry::Snapshot& now = snapshot();
    const bool mayTryAgain = now.state == State::NotStarted && now.cause != retry::Cause::CardRefused && !now.isViewer;
    if (now.state != State::Saving && !mayTryAgain) {
        m_card.drop();
    }
}

values::Now ActionRunner::Private::now()
{
    values::Now now = m_environment.now();
    now.wall += m_clockOffset;
    return now;
}

values::ActionId ActionRunner::Private::mintId()
{
    const std::array<std::uint64_t, 2> bits = {m_environment.draw(), m_environment.draw()};
    values::UuidRandom random{};
    static_assert(sizeof(bits) >= sizeof(random));
    std::memcpy(random.data(), bits.data(), random.size());
    return values::ActionId::mint(now().wall, random);
}

template <class Answer, class Handle> std::function<void(Answer)> ActionRunner::Private::guarded(Handle handle)
{
    return [alive = QPointer<Private>(this), handle = std::move(handle)](const Answer& answer) {
        if (alive) {
            handle(answer);
        }
    };
}

void ActionRunner::Private::perform(const retry::SaveAction& effect)
{
    struct Saved
    {
        Result<retry::LeaseNumber, JournalError> lease;
        retry::Sight holder; ///< of the cart, where another action has it
    };
    retry::Look look = nextLook();
    look.wantsAll = true;
    m_journal.call(
        [action = effect.action, look](retry::Journal& journal) {
            auto lease = journal.saveAction(action);
            const bool isHeld = !lease && lease.error() == JournalError::CartHeld;
            return Saved{lease, isHeld ? journal.look(look).value_or(retry::Sight{}) : retry::Sight{}};
        },
        [this](const Saved& saved) {
            if (saved.lease) {
                step(retry::ActionSaved{*saved.lease});
            } else if (saved.lease.error() == JournalError::ReferenceTaken) {
                step(retry::ActionSaveFailed{.error = saved.lease.error(), .anotherId = mintId()});
            } else {
                step(retry::ActionSaveFailed{.error = saved.lease.error(), .anotherId = std::nullopt});
                if (saved.lease.error() == JournalError::CartHeld) {
                    saw(saved.holder);
                }
            }
        });
}

void ActionRunner::Private::perform(const retry::ExchangeCard& /*effect*/)
{
    // Without a card in memory (after a restart, after a refusal) the machine goes back to Editing first.
    CHECK(m_card.card().has_value());
    m_transport.exchangeCard(*m_card.card(), guarded<retry::ExchangeResult>([this](const retry::ExchangeResult& result) {
        step(retry::CardExchanged{result});
    }));
}

void ActionRunner::Private::perform(const retry::SaveReady& effect)
{
    const retry::StoredAction& action = effect.action;
    const retry::PreparedRequest ready = effect.body ? protocol::prepared(effect.card, *effect.body)
                                                     : protocol::buildPayment(action.purchase, effect.card, action.validUntil);
    m_journal.call([id = action.id, lease = action.lease, ready,
                    first = effect.first](retry::Journal& journal) { return journal.saveReady(id, lease, ready, first); },
                   [this, ready](const Result<retry::AttemptBegun, JournalError>& saved) {
                       if (saved) {
                           step(retry::ReadySaved{.ready = ready, .row = *saved});
                       } else {
                           step(retry::ReadySaveFailed{saved.error()});
                       }
                   });
}

void ActionRunner::Private::perform(const retry::RereadJournal& effect)
{
    m_journal.call([id = effect.id](retry::Journal& journal) { return journal.read(id); },
                   [this](const Result<std::optional<retry::StoredAction>, JournalError>& found) {
                       step(retry::JournalReread{.readable = found.has_value(), .action = found ? *found : std::nullopt});
                   });
}

void ActionRunner::Private::perform(const retry::MarkToldNotStarted& effect)
{
    m_journal.call([effect](retry::Journal& journal) { return journal.markToldNotStarted(effect.id, effect.lease); },
                   [](const Result<void, JournalError>& /*best effort*/) {});
}

void ActionRunner::Private::perform(const retry::SaveAttemptRow& effect)
{
    m_journal.call(
        [effect](retry::Journal& journal) { return journal.beginAttempt(effect.id, effect.lease, effect.number, effect.at); },
        [this, number = effect.number](const Result<retry::AttemptBegun, JournalError>& begun) {
            if (!begun) {
                step(retry::AttemptRowRefused{.number = number, .error = begun.error()});
            } else if (*begun == retry::AttemptBegun::Refused) {
                step(retry::AttemptRowRefused{.number = number, .error = std::nullopt});
            } else {
                step(retry::AttemptRowSaved{number});
            }
        });
}

void ActionRunner::Private::perform(const retry::SaveAttemptEnd& effect)
{
    m_journal.call(
        [effect](retry::Journal& journal) { return journal.endAttempt(effect.id, effect.lease, effect.number, effect.end); },
        [](const Result<void, JournalError>& /*the outcome stands whether or not this is saved*/) {});
}

void ActionRunner::Private::perform(const retry::SaveFinal& effect)
{
    m_journal.call([effect](retry::Journal& journal) { return journal.saveFinal(effect.id, effect.lease, effect.answer); },
                   [this](const Result<void, JournalError>& saved) {
                       if (saved) {
                           step(retry::FinalSaved{});
                       } else {
                           step(retry::FinalSaveFailed{saved.error()});
                       }
                   });
}

void ActionRunner::Private::perform(const retry::SaveWish& effect)
{
    m_journal.call([effect](retry::Journal& journal) { return journal.saveWish(effect.id, effect.lease, effect.wish); },
                   [this](const Result<retry::WishKept, JournalError>& saved) {
                       if (saved) {
                           step(retry::WishSaved{*saved});
                       } else {
                           step(retry::WishSaveFailed{saved.error()});
                       }
                   });
}

void ActionRunner::Private::perform(const retry::SaveConflict& effect)
{
    m_journal.call([effect](retry::Journal& journal) { return journal.saveConflict(effect.id, effect.lease, effect.cause); },
                   [](const Result<void, JournalError>& /*the same facts lead to the same conflict*/) {});
}

void ActionRunner::Private::perform(const retry::AdoptHolder& effect)
{
    m_journal.call([effect](retry::Journal& journal) { return journal.adopt(effect.own, effect.lease, effect.holder); },
                   [this](const Result<retry::StoredAction, JournalError>& adopted) {
                       if (adopted) {
                           step(retry::Adopted{*adopted});
                       } else {
                           step(retry::AdoptFailed{adopted.error()});
                       }
                   });
}

void ActionRunner::Private::perform(const retry::MarkSeen& effect)
{
    m_journal.call([effect](retry::Journal& journal) { return journal.markSeen(effect.id, effect.lease); },
                   [](const Result<void, JournalError>& /*it is shown once more*/) {});
}

void ActionRunner::Private::perform(const retry::SendPost& effect)
{
    m_postInFlight = true;
    m_transport.post(effect.request,
                     guarded<retry::WireResult>([this, number = effect.request.note.number](const retry::WireResult& result) {
                         m_postInFlight = false;
                         learnTime(result);
                         step(retry::PostEnded{.number = number, .result = result});
                     }));
}

void ActionRunner::Private::perform(const retry::AbortPost& effect)
{
    m_transport.abortPost(effect.reason);
}

void ActionRunner::Private::perform(const retry::SendProbe& effect)
{
    m_probeInFlight = true;
    m_transport.probe(effect.request, guarded<retry::WireResult>([this](const retry::WireResult& result) {
                          m_probeInFlight = false;
                          learnTime(result);
                          step(retry::ProbeEnded{result});
                      }));
}

void ActionRunner::Private::perform(const retry::AbortProbe& effect)
{
    m_transport.abortProbe(effect.reason);
}

void ActionRunner::Private::perform(const retry::StartTimer& effect)
{
    m_timers.start(effect.timer, effect.delay);
}

void ActionRunner::Private::perform(const retry::StopTimer& effect)
{
    m_timers.stop(effect.timer);
}

ActionRunner::ActionRunner(std::unique_ptr<retry::Journal> journal, retry::Transport& transport, Environment& environment,
                           const retry::Numbers& numbers, QObject* parent)
    : QObject(parent), m_private(std::make_unique<Private>(*this, std::move(journal), transport, environment, numbers))
{
}

ActionRunner::~ActionRunner() = default;

void ActionRunner::start(const retry::Scope& here)
{
    m_private->start(here);
}

void ActionRunner::pay(const retry::Purchase& purchase, const retry::Card& card)
{
    m_private->pay(purchase, card);
}

void ActionRunner::tryAgain()
{
    m_private->step(retry::TryAgainPressed{});
}

void ActionRunner::checkAgain()
{
    m_private->press(retry::Press::CheckAgain, retry::CheckAgainPressed{});
}

void ActionRunner::run(const retry::Target& target, const std::string& subject, const std::string& body)
{
    m_private->run(target, subject, body);
}

void ActionRunner::cancel()
{
    m_private->press(retry::Press::Cancel, retry::CancelPressed{});
}

void ActionRunner::acknowledge()
{
    m_private->step(retry::Acknowledged{});
}

void ActionRunner::startOver()
{
    m_private->step(retry::StartOverPressed{});
}

void ActionRunner::networkCameBack()
{
    m_private->step(retry::NetworkHint{});
}

void ActionRunner::serverTimeSeen(values::WallTime serverTime)
{
    m_private->serverTimeSeen(serverTime);
}

std::chrono::milliseconds ActionRunner::clockOffset() const
{
    return m_private->clockOffset();
}

const retry::Snapshot& ActionRunner::snapshot() const
{
    return m_private->snapshot();
}

} // namespace payonce::runner
