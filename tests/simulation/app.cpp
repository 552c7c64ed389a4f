#include "simulation/app.h"

#include "simulation/answers.h"

#include "values/check.h"

#include <algorithm>
#include <sstream>

namespace payonce::simulation {

using namespace std::chrono_literals;
using namespace retry; // NOLINT(google-build-using-namespace): the whole file speaks of it

namespace {

values::Money price()
{
    return values::Money{4200, values::Currency::fromCode("EUR").value()};
}

const Scope kHere{"acct_1", "srv_1"};

/// Stands for the canonical JSON: the same action and token give the same bytes.
std::string bodyOf(const StoredAction& action, const CardToken& card)
{
    std::ostringstream body;
    body << action.purchase.cartId << ' ' << action.purchase.amount.minorUnits << ' ' << card.paymentMethod << ' '
         << action.purchase.email << ' ' << action.validUntil.time_since_epoch().count();
    return body.str();
}

std::string describe(const WireResult& result)
{
    std::string words = result.status ? std::to_string(*result.status) : nameOf(result.error);
    if (result.body)
        words += " " + (result.body->state ? std::string(nameOf(*result.body->state)) : result.body->code);
    return words + (result.status && !result.digestMatches ? " broken" : "");
}

} // namespace

App::App(World& world, MemoryJournal& journal, Network& network, Referee& referee)
    : m_world(world),
      m_journal(journal),
      m_network(network),
      m_referee(referee),
      m_clockError(std::chrono::floor<std::chrono::milliseconds>(world.between(-1s, 1s)))
{
    if (m_world.chance(0.2))
        m_numbers.validFor = 20s; // so that some lives run out of it
}

void App::start()
{
    m_machine = std::make_unique<ActionMachine>(m_numbers);
    m_diskFree = m_world.now();
    m_world.trace("app", "starts");
    const auto open = m_journal.takeOverOpen().value();
    if (!open.empty())
        give(Resumed{open.front(), kHere}, "resumed");
}

void App::crash()
{
    m_world.trace("app", "CRASH");
    m_machine.reset();
    ++m_epoch;
    ++m_crashes;
    m_timers.clear();
    m_post.reset();
    m_probe.reset();
    m_card.clear();
    m_referee.processEnded();
    if (m_world.chance(0.03)) {
        m_world.trace("person", "goes on at another computer");
        m_journal.forgetEverything();
    }
    m_world.after(m_world.chance(0.15) ? m_world.between(60s, 200s) : m_world.between(100ms, 5s), [this] { start(); });
}

values::Now App::now() const
{
    return {m_world.wall() + m_clockError, values::MonotonicTime(m_world.now() + Micros(1h))};
}

values::ActionId App::mint()
{
    values::UuidRandom random{};
    for (auto& byte : random)
        byte = static_cast<std::uint8_t>(m_world.draw());
    return values::ActionId::mint(now().wall, random);
}

void App::give(const Event& event, const std::string& what)
{
    const Effects effects = m_machine->handle(event, now(), m_world.draw());
    m_world.trace("app", what + " -> " + describe(snapshot()));
    for (const auto& effect : effects)
        std::visit([this](const auto& one) { perform(one); }, effect);
    const bool timers = std::any_of(m_timers.begin(), m_timers.end(), [](const auto& one) { return one.second.isRunning; });
    m_referee.shown(snapshot(), timers ? Referee::Timers::Running : Referee::Timers::None);
}

void App::later(Micros delay, const std::function<void()>& task)
{
    m_world.after(delay, [this, task, epoch = m_epoch] {
        if (epoch != m_epoch)
            return;
        if (m_world.strikes(m_world.weather().appCrash))
            return crash();
        task();
    });
}

void App::onDisk(const std::function<void(Disk)>& job)
{
    const Micros stall = m_world.strikes(m_world.weather().diskStalls) ? m_world.between(100ms, 3s) : Micros(0);
    m_diskFree = std::max(m_diskFree, m_world.now()) + m_world.between(100us, 3ms) + stall;
    later(m_diskFree - m_world.now(), [this, job] {
        const auto& weather = m_world.weather();
        job(m_world.strikes(weather.diskFails) ? Disk::Fails : m_world.strikes(weather.diskLies) ? Disk::Lies : Disk::Works);
    });
}

void App::answer(const Event& event, const std::string& what)
{
    if (m_world.strikes(m_world.weather().appCrash))
        return crash();
    give(event, what);
}

// The person

void App::pay(const std::string& card)
{
    m_referee.pressed(snapshot().action ? std::optional(snapshot().action->id) : std::nullopt);
    const bool isNew = snapshot().state == State::Editing || snapshot().state == State::NotStarted;
    if (isNew)
        m_card = card;
    give(PayPressed{mint(), kHere, Purchase{"cart_1", price(), "a@example.com"}}, "Pay with " + card);
}

void App::tryAgain()
{
    m_referee.pressed(snapshot().action->id);
    give(TryAgainPressed{}, "Try again");
}

void App::checkAgain()
{
    m_referee.checkedAgain(snapshot().action->id);
    give(CheckAgainPressed{}, "Check again");
}

// The disk

void App::perform(const SaveAction& effect)
{
    onDisk([this, action = effect.action](Disk disk) { answerSaveAction(action, disk); });
}

void App::answerSaveAction(const StoredAction& action, Disk disk)
{
    if (m_world.strikes(0.02) && !m_journal.durable(action.id))
        return give(ActionSaveFailed{JournalError::ReferenceTaken, mint()}, "reference taken");
    if (disk == Disk::Fails)
        return give(ActionSaveFailed{JournalError::DiskFull}, "save 1 failed");
    const auto lease = m_journal.saveAction(action);
    if (!lease)
        return give(ActionSaveFailed{lease.error()}, "save 1 refused");
    if (disk == Disk::Lies)
        return answer(ActionSaveFailed{JournalError::Failed}, "save 1 failed (but is durable)");
    answer(ActionSaved{*lease}, "save 1");
}

void App::perform(const SaveReady& effect)
{
    onDisk([this, effect](Disk disk) {
        const PreparedRequest ready{effect.card, bodyOf(effect.action, effect.card), "fingerprint"};
        if (disk == Disk::Fails)
            return give(ReadySaveFailed{JournalError::DiskFull}, "save 2 failed");
        const auto saved = m_journal.saveReady(effect.action.id, effect.action.lease, ready, effect.first);
        if (!saved)
            return give(ReadySaveFailed{saved.error()}, "save 2 refused");
        const std::string number = std::to_string(effect.first.number);
        if (disk == Disk::Lies)
            return answer(ReadySaveFailed{JournalError::Failed}, "save 2 with row " + number + " failed (but is durable)");
        answer(ReadySaved{ready, *saved}, "save 2 with row " + number);
    });
}

void App::perform(const RereadJournal& effect)
{
    onDisk([this, effect](Disk disk) {
        if (disk != Disk::Works)
            return give(JournalReread{false, {}}, "journal cannot be read");
        give(JournalReread{true, m_journal.durable(effect.id)}, "journal read again");
    });
}

void App::perform(const MarkToldNotStarted& effect)
{
    m_referee.marked(effect.id, Referee::Mark::UnderWay);
    onDisk([this, effect](Disk disk) {
        if (disk != Disk::Fails && m_journal.markToldNotStarted(effect.id, effect.lease))
            m_referee.marked(effect.id, Referee::Mark::Durable);
    });
}

void App::perform(const SaveAttemptRow& effect)
{
    onDisk([this, effect](Disk disk) {
        if (disk == Disk::Fails)
            return give(AttemptRowRefused{effect.number, JournalError::DiskFull}, "row failed");
        const auto begun = m_journal.beginAttempt(effect.id, effect.lease, effect.number, effect.at);
        if (!begun)
            return give(AttemptRowRefused{effect.number, begun.error()}, "row failed");
        if (disk == Disk::Lies)
            return answer(AttemptRowRefused{effect.number, JournalError::Failed}, "row failed (but is durable)");
        if (*begun == AttemptBegun::Refused)
            return give(AttemptRowRefused{effect.number, {}}, "row refused");
        answer(AttemptRowSaved{effect.number}, "row " + std::to_string(effect.number));
    });
}

void App::perform(const SaveAttemptEnd& effect)
{
    onDisk([this, effect](Disk disk) {
        if (disk != Disk::Fails)
            (void)m_journal.endAttempt(effect.id, effect.lease, effect.number, effect.end);
    });
}

void App::perform(const SaveFinal& effect)
{
    onDisk([this, effect](Disk disk) {
        if (disk == Disk::Fails)
            return give(FinalSaveFailed{JournalError::DiskFull}, "final answer not saved");
        const auto saved = m_journal.saveFinal(effect.id, effect.lease, effect.answer);
        if (!saved)
            return give(FinalSaveFailed{saved.error()}, "final answer not saved");
        if (disk == Disk::Lies)
            return answer(FinalSaveFailed{JournalError::Failed}, "final answer not saved (but is durable)");
        answer(FinalSaved{}, "final answer saved");
    });
}

void App::perform(const SaveWish& effect)
{
    onDisk([this, effect](Disk disk) {
        if (disk == Disk::Fails)
            return give(WishSaveFailed{JournalError::DiskFull}, "wish not saved");
        const auto kept = m_journal.saveWish(effect.id, effect.lease, effect.wish);
        if (!kept)
            return give(WishSaveFailed{kept.error()}, "wish not saved");
        if (disk == Disk::Lies)
            return answer(WishSaveFailed{JournalError::Failed}, "wish not saved (but is durable)");
        answer(WishSaved{*kept}, *kept == WishKept::Fence ? "wish saved" : "wish saved, closed unsent");
    });
}

void App::perform(const SaveConflict& effect)
{
    onDisk([this, effect](Disk disk) {
        if (disk != Disk::Fails)
            (void)m_journal.saveConflict(effect.id, effect.lease, effect.cause);
    });
}

void App::perform(const AdoptHolder& effect)
{
    onDisk([this, effect](Disk disk) {
        if (disk == Disk::Fails)
            return give(AdoptFailed{JournalError::DiskFull}, "adoption not saved");
        const auto adopted = m_journal.adopt(effect.own, effect.lease, effect.holder);
        if (!adopted)
            return give(AdoptFailed{adopted.error()}, "adoption not saved");
        answer(Adopted{*adopted}, "adopted " + reference(adopted->id));
    });
}

void App::perform(const MarkSeen& effect)
{
    onDisk([this, effect](Disk disk) {
        if (disk != Disk::Fails)
            (void)m_journal.markSeen(effect.id, effect.lease);
    });
}

// The network

void App::perform(const ExchangeCard&)
{
    CHECK(!m_card.empty()); // the machine never asks for a card that is gone
    later(m_world.between(1ms, 60ms), [this] {
        ExchangeResult result;
        if (!m_world.strikes(m_world.weather().lose)) {
            const bool refused = m_world.strikes(0.03);
            result.kind = refused ? ExchangeResult::Kind::Refused : ExchangeResult::Kind::Exchanged;
            result.token = CardToken{"pm_" + m_card, "visa", "4242"};
            m_card.clear();
        }
        give(CardExchanged{result}, "card exchange");
    });
}

Request App::requestFor(const PostRequest& post) const
{
    std::istringstream body(post.body);
    idempotency::PaymentTerms terms{{}, price(), {}, {}, {}};
    std::int64_t validUntil = 0;
    body >> terms.cartId >> terms.amount.minorUnits >> terms.paymentMethod >> terms.email >> validUntil;
    terms.validUntil = values::WallTime(std::chrono::milliseconds(validUntil));
    return {Request::Kind::Post, post.id, std::move(terms), post.body};
}

void App::perform(const SendPost& effect)
{
    const auto& request = effect.request;
    CHECK(!m_post); // at most one
    ++m_posts;
    m_world.trace("app", "POST " + std::to_string(request.note.number) + " of " + reference(request.id));
    m_referee.posting(request.id, request.note.number, request.body, m_journal.durable(request.id));
    m_post =
        m_network.send(requestFor(request), [this, number = request.note.number, epoch = m_epoch](const WireResult& result) {
            if (epoch != m_epoch)
                return;
            later(10us, [this, number, result] {
                m_post.reset();
                give(PostEnded{number, result}, "POST " + std::to_string(number) + " ended " + describe(result));
            });
        });
}

void App::perform(const AbortPost& effect)
{
    CHECK(m_post != nullptr);
    m_network.abort(m_post, effect.reason);
}

void App::perform(const SendProbe& effect)
{
    CHECK(!m_probe); // at most one
    ++m_probes;
    const bool fences = effect.request.purpose == ProbeRequest::Purpose::Fence;
    const Request request{fences ? Request::Kind::Abandon : Request::Kind::Probe, effect.request.id};
    m_probe = m_network.send(request, [this, id = effect.request.id, epoch = m_epoch](const WireResult& result) {
        if (epoch != m_epoch)
            return;
        later(10us, [this, id, result] {
            m_probe.reset();
            WireResult seen = result;
            if (m_world.planted() == Planted::NotFoundIsFinal && result.status == 404)
                seen = problem(id, 410, "action-abandoned");
            give(ProbeEnded{seen}, "probe ended " + describe(seen));
        });
    });
}

void App::perform(const AbortProbe& effect)
{
    CHECK(m_probe != nullptr);
    m_network.abort(m_probe, effect.reason);
}

// The clock

void App::perform(const StartTimer& effect)
{
    Timer& timer = m_timers[effect.timer];
    timer.isRunning = true;
    const auto generation = ++timer.generation;
    later(effect.delay, [this, kind = effect.timer, generation] {
        Timer& fired = m_timers[kind];
        if (fired.generation != generation || !fired.isRunning)
            return;
        fired.isRunning = false;
        give(TimerFired{kind}, "timer " + std::to_string(static_cast<int>(kind)));
    });
}

void App::perform(const StopTimer& effect)
{
    m_timers[effect.timer].isRunning = false;
}

} // namespace payonce::simulation
