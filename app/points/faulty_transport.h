// FaultyTransport: a transport with the points `sent` and `reply.parsed`.
#pragma once

#include "points/fault_points.h"
#include "retry/transport.h"

#include <QtCore/QObject>

#include <memory>

namespace payonce::points {

/// `reply.parsed` is reached when an answer to the POST (`op` pay) or to a probe (`op` status) was read and nobody knows of it
/// yet. `inner` must outlive this.
class FaultyTransport : public retry::Transport
{
public:
    FaultyTransport(retry::Transport& inner, std::shared_ptr<FaultPoints> points);

    /// `sent`: for whoever notices that all of a POST has left.
    void bodyLeft(const values::ActionId& id);

    void post(const retry::PostRequest& request, std::function<void(retry::WireResult)> done) override;
    void abortPost(retry::EndReason reason) override;
    void probe(const retry::ProbeRequest& request, std::function<void(retry::WireResult)> done) override;
    void abortProbe(retry::EndReason reason) override;
    void exchangeCard(const retry::Card& card, std::function<void(retry::ExchangeResult)> done) override;

private:
    using Done = std::function<void(retry::WireResult)>;

    [[nodiscard]] Done reading(console::Operation operation, const values::ActionId& id, Done done);

    retry::Transport& m_inner;
    std::shared_ptr<FaultPoints> m_points;
    QObject m_waits; ///< what waits ends with this
};

} // namespace payonce::points
