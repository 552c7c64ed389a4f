// The effects of the machine, carried out in a bad world.
#include "simulation/app.h"

#include "simulation/answers.h"
#include "simulation/misreading.h"

#include "values/check.h"

#include <algorithm>
#include <sstream>

namespace payonce::simulation {

using namespace std::chrono_literals;
using namespace retry; // NOLINT(google-build-using-namespace): the whole file speaks of it

namespace {

/// Stands for the canonical JSON: the same action and token give the same bytes.
std::string bodyOf(const StoredAction& action, const CardToken& card)
{
    std::ostringstream body;
    body << action.purchase.cartId << ' ' << action.purchase.amount.minorUnits << ' ' << card.paymentMethod << ' '
         << action.purchase.email << ' ' << action.validUntil.time_since_epoch().count();
    return body.str();
}

const char* nameOf(TimerKind timer)
{
    switch (timer) {
    case TimerKind::SoftDeadline: return "soft deadline";
    case TimerKind::HardLimit: return "hard limit";
    case TimerKind::ProbeLimit: return "probe limit";
    case TimerKind::NextProbe: return "next probe";
    case TimerKind::NextPost: return "next POST";
    case TimerKind::GiveUp: return "give up";
    case TimerKind::SaveAgain: return "save again";
    case TimerKind::NextExchange: return "next exchange";
    case TimerKind::LongWait: return "long wait";
    case TimerKind::FenceDue: return "fence due";
    }
    return "";
}

std::string describe(const WireResult& result)
{
    std::string words = result.status ? std::to_string(*result.status) : nameOf(result.error);
    if (result.body)
        words += " " + (result.body->state ? std::string(nameOf(*result.body->state)) : result.body->code);
    return words + (result.status && !result.digestMatches ? " broken" : "");
}

} // namespace

// The disk

void App::perform(const SaveAction& effect)
{
    onDisk([this, action = effect.action](Disk disk) { answerSaveAction(action, disk); });
}

void App::answerSaveAction(const StoredAction& action, Disk disk)
{
    if (m_world.strikes(0.02) && !journal().durable(action.id))
        return answer(ActionSaveFailed{JournalError::ReferenceTaken, mint()}, "reference taken");
    if (disk == Disk::Fails)
        return answer(ActionSaveFailed{JournalError::DiskFull}, "save 1 failed");
    const auto lease = journal().saveAction(action);
    if (!lease) {
        answer(ActionSaveFailed{lease.error()}, "save 1 refused");
        return look(); // at what holds the cart
    }
    if (disk == Disk::Lies)
        return answer(ActionSaveFailed{JournalError::Failed}, "save 1 failed (but is durable)");
    answer(ActionSaved{*lease}, "save 1");
}

void App::perform(const SaveReady& effect)
{
    onDisk([this, effect](Disk disk) {
        const PreparedRequest ready{effect.card, bodyOf(effect.action, effect.card), "fingerprint"};
        if (m_world.has(Planted::SendBeforeSave))
            sendTooEarly(effect.action, ready, effect.first.number);
        if (disk == Disk::Fails)
            return answer(ReadySaveFailed{JournalError::DiskFull}, "save 2 failed");
        const auto saved = journal().saveReady(effect.action.id, effect.action.lease, ready, effect.first);
        if (!saved)
            return answer(ReadySaveFailed{saved.error()}, "save 2 refused");
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
            return answer(JournalReread{false, {}}, "journal cannot be read");
        answer(JournalReread{true, journal().durable(effect.id)}, "journal read again");
    });
}

void App::perform(const MarkToldNotStarted& effect)
{
    m_referee.marked(effect.id, Referee::Mark::UnderWay);
    onDisk([this, effect](Disk disk) {
        if (disk != Disk::Fails && journal().markToldNotStarted(effect.id, effect.lease))
            m_referee.marked(effect.id, Referee::Mark::Durable);
    });
}

void App::perform(const SaveAttemptRow& effect)
{
    onDisk([this, effect](Disk disk) {
        if (disk == Disk::Fails)
            return answer(AttemptRowRefused{effect.number, JournalError::DiskFull}, "row failed");
        const auto begun = journal().beginAttempt(effect.id, effect.lease, effect.number, effect.at);
        if (!begun)
            return answer(AttemptRowRefused{effect.number, begun.error()}, "row failed");
        if (disk == Disk::Lies)
            return answer(AttemptRowRefused{effect.number, JournalError::Failed}, "row failed (but is durable)");
        if (*begun == AttemptBegun::Refused)
            return answer(AttemptRowRefused{effect.number, {}}, "row refused");
        answer(AttemptRowSaved{effect.number}, "row " + std::to_string(effect.number));
    });
}

void App::perform(const SaveAttemptEnd& effect)
{
    onDisk([this, effect](Disk disk) {
        if (disk != Disk::Fails)
            (void)journal().endAttempt(effect.id, effect.lease, effect.number, effect.end);
    });
}

void App::perform(const SaveFinal& effect)
{
    onDisk([this, effect](Disk disk) {
        if (disk == Disk::Fails)
            return answer(FinalSaveFailed{JournalError::DiskFull}, "final answer not saved");
        const auto saved = journal().saveFinal(effect.id, effect.lease, effect.answer);
        if (!saved)
            return answer(FinalSaveFailed{saved.error()}, "final answer not saved");
        if (disk == Disk::Lies)
            return answer(FinalSaveFailed{JournalError::Failed}, "final answer not saved (but is durable)");
        answer(FinalSaved{}, "final answer saved");
    });
}

void App::perform(const SaveWish& effect)
{
    onDisk([this, effect](Disk disk) {
        if (disk == Disk::Fails)
            return answer(WishSaveFailed{JournalError::DiskFull}, "wish not saved");
        const auto kept = journal().saveWish(effect.id, effect.lease, effect.wish);
        if (!kept)
            return answer(WishSaveFailed{kept.error()}, "wish not saved");
        if (disk == Disk::Lies)
            return answer(WishSaveFailed{JournalError::Failed}, "wish not saved (but is durable)");
        answer(WishSaved{*kept}, *kept == WishKept::Fence ? "wish saved" : "wish saved, closed unsent");
    });
}

void App::perform(const SaveConflict& effect)
{
    onDisk([this, effect](Disk disk) {
        if (disk != Disk::Fails)
            (void)journal().saveConflict(effect.id, effect.lease, effect.cause);
    });
}

void App::perform(const AdoptHolder& effect)
{
    onDisk([this, effect](Disk disk) {
        if (disk == Disk::Fails)
            return answer(AdoptFailed{JournalError::DiskFull}, "adoption not saved");
        const auto adopted = journal().adopt(effect.own, effect.lease, effect.holder);
        if (!adopted)
            return answer(AdoptFailed{adopted.error()}, "adoption not saved");
        m_referee.closedForItsCart(effect.own);
        answer(Adopted{*adopted}, "adopted " + reference(adopted->id));
    });
}

void App::perform(const MarkSeen& effect)
{
    onDisk([this, effect](Disk disk) {
        if (disk != Disk::Fails)
            (void)journal().markSeen(effect.id, effect.lease);
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
    idempotency::PaymentTerms terms{{}, values::Money{0, values::Currency::fromCode("EUR").value()}, {}, {}, {}};
    std::int64_t validUntil = 0;
    body >> terms.cartId >> terms.amount.minorUnits >> terms.paymentMethod >> terms.email >> validUntil;
    terms.validUntil = values::WallTime(std::chrono::milliseconds(validUntil));
    return {Request::Kind::Post, post.id, std::move(terms), post.body};
}

/// Its end comes later, unless the process is another one by then.
std::shared_ptr<Call> App::sendOff(const Request& request, const std::function<void(const WireResult&)>& ended)
{
    return m_network.send(request, [this, request, ended, epoch = m_epoch](const WireResult& result) {
        if (epoch != m_epoch)
            return;
        later(10us, [this, request, ended, result] {
            learnTime(result);
            ended(misread(m_world.planted(), request, result));
        });
    });
}

void App::tellReferee(const PostRequest& request)
{
    ++m_posts;
    const std::string number = std::to_string(request.note.number);
    m_world.trace(m_name, "POST " + number + " of " + reference(request.id));
    const MemoryJournal& own = journal();
    m_referee.posting(
        {request.id, request.note.number, request.body, serverTime(), m_process},
        {own.durable(request.id), own.row(request.id, request.note.number), own.wishedAt(request.id), own.isMine(request.id)});
}

void App::perform(const SendPost& effect)
{
    PostRequest request = effect.request;
    CHECK(!m_post); // at most one
    const bool isRepeat = request.note.number > 1;
    if (isRepeat && m_world.has(Planted::RetryUnderNewId))
        request.id = mint();
    if (isRepeat && m_world.has(Planted::BodyMadeAnew))
        request.body += " again";
    tellReferee(request);
    m_post = sendOff(requestFor(request), [this, number = request.note.number](const WireResult& result) {
        m_post.reset();
        give(PostEnded{number, result}, "POST " + std::to_string(number) + " ended " + describe(result));
    });
}

/// Planted::SendBeforeSave.
void App::sendTooEarly(const StoredAction& action, const PreparedRequest& ready, int number)
{
    const PostRequest request{action.id, ready.body, AttemptNote{number}, action.target.path};
    tellReferee(request);
    (void)sendOff(requestFor(request), [](const WireResult&) {});
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
    m_fenceIsOpen = m_fenceIsOpen && fences;
    const Request request{fences ? Request::Kind::Abandon : Request::Kind::Probe, effect.request.id};
    m_probe = sendOff(request, [this, fences](const WireResult& result) {
        m_probe.reset();
        m_fenceIsOpen = fences && result.status == 200;
        give(ProbeEnded{result}, (fences ? "fence ended " : "probe ended ") + describe(result));
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
        give(TimerFired{kind}, std::string("timer ") + nameOf(kind));
    });
}

void App::perform(const StopTimer& effect)
{
    m_timers[effect.timer].isRunning = false;
}

} // namespace payonce::simulation
