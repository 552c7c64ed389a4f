#include "faults/held_work.h"

#include <QtCore/QTimer>

#include <utility>

namespace payonce::faults {

After afterOnThisMachine()
{
    return [](std::chrono::milliseconds time, QObject* context, std::function<void()> then) {
        QTimer::singleShot(time, Qt::PreciseTimer, context, std::move(then));
    };
}

void HeldWork::sleep(std::chrono::milliseconds time, Proceed proceed)
{
    if (m_sleepers >= kMostSleepers)
        return proceed();
    ++m_sleepers;
    m_after(time, m_sleep.get(), [this, proceed = std::move(proceed)] {
        --m_sleepers;
        proceed();
    });
}

void HeldWork::pause(PausedWork what, Proceed proceed)
{
    if (m_paused.size() >= kMostPaused)
        return proceed();
    const auto token = ++m_lastToken;
    m_paused.emplace(token, Paused{std::move(what), std::move(proceed)});
    Q_EMIT hasPaused(token);
}

bool HeldWork::release(Token token)
{
    const auto paused = m_paused.extract(token);
    if (paused.empty())
        return false;
    paused.mapped().proceed();
    return true;
}

std::map<HeldWork::Token, PausedWork> HeldWork::paused() const
{
    std::map<Token, PausedWork> all;
    for (const auto& [token, paused] : m_paused)
        all.emplace(token, paused.what);
    return all;
}

void HeldWork::keepSilent(const std::shared_ptr<http::Exchange>& exchange)
{
    m_silent.push_back(exchange);
    if (m_silent.size() <= kMostSilent)
        return;
    m_silent.front()->end(http::End::Fin);
    m_silent.pop_front();
}

void HeldWork::keepSlow(const std::shared_ptr<http::Exchange>& exchange)
{
    m_slow.push_back(exchange);
    if (m_slow.size() > kMostSlow)
        m_slow.pop_front();
}

// With what slept or was paused its exchange ends, and so the connection.
void HeldWork::letGo()
{
    m_sleep = std::make_unique<QObject>();
    m_sleepers = 0;
    const auto paused = std::exchange(m_paused, {});
    for (auto* kept : {&m_silent, &m_slow})
        for (const auto& exchange : std::exchange(*kept, {}))
            exchange->end(http::End::Fin);
}

} // namespace payonce::faults
