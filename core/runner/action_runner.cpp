#include "runner/action_runner.h"

#include "runner/card_keeper.h"
#include "runner/clock_watch.h"
#include "runner/company.h"
#include "runner/journal_effects.h"
#include "runner/journal_thread.h"
#include "runner/machine_timers.h"
#include "values/check.h"

#include <QtCore/QPointer>

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
    /// What other processes on the same journal do.
    void saw(const retry::Sight& sight);
    /// The first look is over: what others have open keeps Pay away, too.
    void looked();
    void learnTime(const retry::WireResult& result);
    void dropCardUnlessNeeded();
    [[nodiscard]] values::Now now();
    [[nodiscard]] values::ActionId mintId();
    /// `handle(result)` for an answer that is still wanted, whatever became of this object.
    template <class Answer, class Handle> [[nodiscard]] std::function<void(Answer)> guarded(Handle handle);

    template <class Save> void perform(const Save& effect) { m_saves.perform(effect); }
    void perform(const retry::ExchangeCard& effect);
    void perform(const retry::SendPost& effect);
    void perform(const retry::AbortPost& effect);
    void perform(const retry::SendProbe& effect);
    void perform(const retry::AbortProbe& effect);
    void perform(const retry::StartTimer& effect);
    void perform(const retry::StopTimer& effect);

    ActionRunner& m_owner;
    retry::Transport& m_transport;
    Environment& m_environment;
    retry::ActionMachine m_machine;
    retry::Scope m_here;
    std::deque<retry::StoredAction> m_waiting;  ///< open actions found at start, behind the current one
    std::chrono::milliseconds m_clockOffset{0}; ///< server minus local
    bool m_isReady = false;
    bool m_postInFlight = false;
    bool m_probeInFlight = false;
    CardKeeper m_card;
    MachineTimers m_timers;
    ClockWatch m_clockWatch;
    JournalEffects m_saves;
    Company m_company;
    JournalThread m_journal; // last: nobody is answered after it is gone
};

ActionRunner::Private::Private(ActionRunner& owner, std::unique_ptr<retry::Journal> journal, retry::Transport& transport,
                               Environment& environment, const retry::Numbers& numbers)
    : m_owner(owner),
      m_transport(transport),
      m_environment(environment),
      m_machine(numbers),
      m_timers([this](retry::TimerKind kind) { step(retry::TimerFired{kind}); }),
      m_clockWatch(environment, [this] { step(retry::ClockJumped{}); }),
      m_saves(m_journal, {.step = [this](const retry::Event& event) { step(event); },
                          .mintId = [this] { return mintId(); },
                          .look = [this] { return m_company.nextLook(); },
                          .saw = [this](const retry::Sight& sight) { saw(sight); }}),
      m_company(m_journal, numbers.lookEvery,
                {.snapshot = [this]() -> const retry::Snapshot& { return snapshot(); },
                 .hasWaiting = [this] { return !m_waiting.empty(); },
                 .saw = [this](const retry::Sight& sight) { saw(sight); },
                 .looked = [this] { looked(); }}),
      m_journal(std::move(journal))
{
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
                       m_company.start(m_here);
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
    m_company.stepped(before);
    if (!m_waiting.empty() && snapshot().state == State::Editing && !snapshot().action) {
        resumeNext();
    }
}

void ActionRunner::Private::press(retry::Press what, const retry::Event& event)
{
    if (snapshot().isViewer) {
        m_company.press(what);
    } else {
        step(event);
    }
}

void ActionRunner::Private::saw(const retry::Sight& sight)
{
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
}

void ActionRunner::Private::looked()
{
    if (!std::exchange(m_isReady, true)) {
        Q_EMIT m_owner.ready();
    }
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

void ActionRunner::Private::perform(const retry::ExchangeCard& /*effect*/)
{
    // Without a card in memory (after a restart, after a refusal) the machine goes back to Editing first.
    CHECK(m_card.card().has_value());
    m_transport.exchangeCard(*m_card.card(), guarded<retry::ExchangeResult>([this](const retry::ExchangeResult& result) {
        step(retry::CardExchanged{result});
    }));
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
