#include "viewmodels/words_of_kind.h"

#include <QtCore/QDateTime>

namespace payonce::viewmodels {

using retry::Cause;
using retry::State;

Words WordsOfKind::words() const
{
    switch (m_snapshot.state) {
    case State::Editing: break;
    case State::Saving: return saving();
    case State::NotStarted: return notStarted();
    case State::Sending: return sending();
    case State::Confirming: return confirming();
    case State::ServerWorking: return serverWorking();
    case State::RetryWait: return retryWait();
    case State::Offline: return m_snapshot.anyByteTaken ? offlineUnknown() : offline();
    case State::OfflineUnknown: return offlineUnknown();
    case State::Paid: return paid();
    case State::Declined: return declined();
    case State::NotCharged: return notCharged();
    case State::Fencing: return fencing();
    case State::Cancelled: return cancelled();
    case State::Unresolved: return unresolved();
    case State::Conflict: return conflict();
    }
    return {};
}

QString WordsOfKind::reference() const
{
    return m_snapshot.action ? QString::fromStdString(values::reference(m_snapshot.action->id)) : QString();
}

QString WordsOfKind::validUntil() const
{
    if (!m_snapshot.action)
        return {};
    const auto until = m_snapshot.action->validUntil.time_since_epoch().count();
    return QDateTime::fromMSecsSinceEpoch(until).toString(QStringLiteral("HH:mm"));
}

bool WordsOfKind::isExpired() const
{
    const auto& action = m_snapshot.action;
    return cause() == Cause::Expired ||
           (cause() == Cause::Closed && action && action->wish && action->wish->cause == Cause::Expired);
}

bool WordsOfKind::isWishOfPerson() const
{
    const auto& action = m_snapshot.action;
    return action && action->wish && action->wish->cause == Cause::ByPerson;
}

Words WordsOfKind::working(const QString& title, const QString& sentence, const QString& assurance)
{
    return {{}, Mood::Working, title, sentence, assurance, {}, {}};
}

} // namespace payonce::viewmodels
