#include "runner/company.h"

#include <utility>

namespace payonce::runner {

using retry::JournalError;
using values::Result;

Company::Company(JournalThread& journal, std::chrono::milliseconds interval, Host host)
    : m_journal(journal), m_host(std::move(host))
{
    m_timer.setInterval(interval);
    QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] { look(); });
}

void Company::start(const retry::Scope& here)
{
    m_here = here;
    m_timer.start();
    look();
}

void Company::stepped(const retry::Snapshot& before)
{
    const bool isDisplaced = m_host.snapshot().cause == retry::Cause::OtherOwner && before.cause != retry::Cause::OtherOwner;
    if (m_timer.isActive() && (isDisplaced || news())) {
        look();
    }
}

void Company::press(retry::Press what)
{
    const retry::Snapshot& now = m_host.snapshot();
    const bool isOffered = what == retry::Press::CheckAgain || retry::mayCancel(now);
    if (!isOffered || std::exchange(m_isPassingOn, true)) {
        return;
    }
    m_journal.call(
        [id = now.action->id, what](retry::Journal& journal) { return journal.press(id, what); },
        [this](const Result<void, JournalError>& /*nothing happens; a person presses again*/) { m_isPassingOn = false; });
}

/// One at a time: a disk that stalls is not asked again.
void Company::look()
{
    if (std::exchange(m_isLooking, true)) {
        return;
    }
    const retry::Look look = nextLook();
    m_journal.call([look](retry::Journal& journal) { return journal.look(look); },
                   [this, look](const Result<retry::Sight, JournalError>& sight) {
                       m_isLooking = false;
                       if (sight) {
                           m_isThere = sight->hasCompany;
                           if (look.shown) {
                               m_published = Published{*look.current, look.lease, *look.shown};
                           }
                           m_host.saw(*sight);
                       }
                       m_host.looked();
                       if (sight && news()) {
                           this->look();
                       }
                   });
}

retry::Look Company::nextLook() const
{
    const retry::Snapshot& now = m_host.snapshot();
    retry::Look look;
    look.here = m_here;
    look.isBusy = m_host.hasWaiting();
    look.wantsAll = now.cause == retry::Cause::OtherOwner;
    if (const auto& action = now.action) {
        look.current = action->id;
        look.kind = action->target.kind;
        look.cartId = action->purchase.cartId;
        look.lease = action->lease;
        look.isBusy = look.isBusy || !retry::isFinal(now.state);
        look.shown = news();
    }
    return look;
}

/// What others have not seen yet of the action that is done here.
std::optional<retry::Shown> Company::news() const
{
    const retry::Snapshot& now = m_host.snapshot();
    if (!m_isThere || !now.action || now.action->lease == 0 || now.isViewer || retry::isOver(now.state)) {
        return std::nullopt;
    }
    retry::Shown shown{
        .state = now.state, .cause = now.cause, .detail = now.detail, .isLong = now.isLong, .nextTry = now.nextTry};
    const bool isKnown = m_published == Published{now.action->id, now.action->lease, shown};
    return isKnown ? std::nullopt : std::optional(std::move(shown));
}

} // namespace payonce::runner
