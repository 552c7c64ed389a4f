#include "faults/pause_desk.h"

#include "faults/control_answers.h"

#include <QtCore/QTimer>

#include <algorithm>
#include <utility>

namespace payonce::faults {

namespace {

using idempotency::ProblemCode;

bool fits(const AwaitOrder& order, const PausedWork& work)
{
    return order.point == work.point && (order.actionId.empty() || order.actionId == work.actionId) &&
           (!order.nth || *order.nth == work.nth);
}

} // namespace

PauseDesk::PauseDesk(HeldWork& work, QObject* parent) : QObject(parent), m_work(work)
{
    connect(&m_work, &HeldWork::hasPaused, this, &PauseDesk::hasPaused);
}

void PauseDesk::await(const std::shared_ptr<http::Exchange>& exchange)
{
    auto order = awaitOrderOf(exchange->request().body);
    if (!order)
        return refuse(exchange, ProblemCode::MemberInvalid, QByteArray::fromStdString(order.error()));
    const auto paused = m_work.paused();
    std::erase_if(m_given, [&](HeldWork::Token token) { return !paused.contains(token); });
    for (const auto& [token, work] : paused)
        if (fits(*order, work) && m_given.insert(token).second)
            return answer(exchange, tokenBody(token));
    std::erase_if(m_waiters, [](const auto& entry) { return !entry.second.exchange->isOpen(); });
    if (m_waiters.size() >= kMostAwaiting)
        return refuse(exchange, ProblemCode::RateLimited, "Too many wait for a pause.");
    const auto number = ++m_lastWaiter;
    const auto timeout = order->timeout;
    m_waiters.emplace(number, Waiter{exchange, *std::move(order)});
    QTimer::singleShot(timeout, Qt::PreciseTimer, this, [this, number] { end(number); });
}

void PauseDesk::hasPaused(HeldWork::Token token)
{
    const auto paused = m_work.paused();
    const auto work = paused.find(token);
    if (work == paused.end())
        return;
    const auto found = std::find_if(m_waiters.begin(), m_waiters.end(), [&](const auto& entry) {
        return entry.second.exchange->isOpen() && fits(entry.second.order, work->second);
    });
    if (found == m_waiters.end())
        return;
    m_given.insert(token);
    answer(m_waiters.extract(found).mapped().exchange, tokenBody(token));
}

void PauseDesk::end(quint64 number)
{
    if (const auto waiter = m_waiters.extract(number); !waiter.empty())
        refuse(waiter.mapped().exchange, ProblemCode::Timeout, "Nothing was paused there in time.");
}

void PauseDesk::release(const std::shared_ptr<http::Exchange>& exchange)
{
    const auto token = tokenOf(exchange->request().body);
    if (!token)
        return refuse(exchange, ProblemCode::MemberInvalid, QByteArray::fromStdString(token.error()));
    m_given.erase(*token);
    if (m_work.release(*token))
        answer(exchange, {}, 204);
    else
        refuse(exchange, ProblemCode::NotFound, "Nothing is paused under this token.");
}

} // namespace payonce::faults
