#include "judge/judge.h"

#include <QtCore/QPointer>

#include <utility>

namespace payonce::judge {

Judge::Judge(const JudgeSettings& settings, const Parts& parts, std::unique_ptr<Notes> notes, QObject* parent)
    : QObject(parent),
      m_settings(settings),
      m_parts(parts),
      m_witness(
          parts.accounts, settings.keys, [this] { moved(); }, std::move(notes))
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &Judge::quietPassed);
}

std::shared_ptr<http::Exchange> Judge::watched(std::shared_ptr<http::Exchange> exchange)
{
    return m_witness.watched(std::move(exchange));
}

std::shared_ptr<http::Exchange> Judge::watchedConnection(std::shared_ptr<http::Exchange> exchange)
{
    return m_witness.watchedConnection(std::move(exchange));
}

std::shared_ptr<http::Exchange> Judge::watchedHead(std::shared_ptr<http::Exchange> exchange)
{
    return m_witness.watchedHead(std::move(exchange));
}

void Judge::start()
{
    m_timer.start(m_witness.look().requests == 0 ? m_settings.patience : m_settings.quiet);
}

void Judge::moved()
{
    if (!m_isConcluded)
        m_timer.start(m_settings.quiet);
}

// Who still waits for an answer is not quiet; when it has one, or has left, the time begins anew.
void Judge::quietPassed()
{
    if (m_witness.look().open > 0)
        m_timer.start(m_settings.quiet);
    else
        conclude();
}

void Judge::conclude()
{
    if (std::exchange(m_isConcluded, true))
        return;
    m_timer.stop();
    m_parts.ledger.read([self = QPointer<Judge>(this)](const std::optional<faults::LedgerView>& view) {
        if (!self)
            return;
        const auto& parts = self->m_parts;
        Q_EMIT self->decided(view ? judgementOf({self->m_witness.look(), *view, parts.journal.tally(), parts.engine.scenario(),
                                                 self->m_settings.keys})
                                  : unreadable());
    });
}

} // namespace payonce::judge
