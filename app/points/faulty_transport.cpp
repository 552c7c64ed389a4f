#include "points/faulty_transport.h"

#include "values/check.h"

#include <QtCore/QTimer>

#include <utility>

namespace payonce::points {

using console::Operation;
using console::Point;

FaultyTransport::FaultyTransport(retry::Transport& inner, std::shared_ptr<FaultPoints> points)
    : m_inner(inner), m_points(std::move(points))
{
    CHECK(m_points != nullptr);
}

void FaultyTransport::bodyLeft(const values::ActionId& id)
{
    static_cast<void>(m_points->fire(m_points->arrive(Point::Sent, Operation::Pay, id)));
}

void FaultyTransport::post(const retry::PostRequest& request, Done done)
{
    m_inner.post(request, reading(Operation::Pay, request.id, std::move(done)));
}

void FaultyTransport::abortPost(retry::EndReason reason)
{
    m_inner.abortPost(reason);
}

void FaultyTransport::probe(const retry::ProbeRequest& request, Done done)
{
    m_inner.probe(request, reading(Operation::Status, request.id, std::move(done)));
}

void FaultyTransport::abortProbe(retry::EndReason reason)
{
    m_inner.abortProbe(reason);
}

void FaultyTransport::exchangeCard(const retry::Card& card, std::function<void(retry::ExchangeResult)> done)
{
    m_inner.exchangeCard(card, std::move(done));
}

FaultyTransport::Done FaultyTransport::reading(Operation operation, const values::ActionId& id, Done done)
{
    return [this, operation, id, done = std::move(done)](const retry::WireResult& result) {
        if (!result.status)
            return done(result); // no answer at all
        const auto arrival = m_points->arrive(Point::ReplyParsed, operation, id);
        const auto* delay = arrival.rule ? std::get_if<console::Delay>(&arrival.rule->action) : nullptr;
        if (!m_points->fire(arrival) || delay == nullptr)
            return done(result);
        QTimer::singleShot(delay->time, Qt::PreciseTimer, &m_waits, [done, result] { done(result); });
    };
}

} // namespace payonce::points
