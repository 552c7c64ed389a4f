// Notes when POSTs end; changes nothing.
#pragma once

#include "bench/figures.h"
#include "retry/transport.h"

#include <optional>

namespace payonce::bench {

class TimedTransport : public retry::Transport
{
public:
    explicit TimedTransport(retry::Transport& wire) : m_wire(wire) {}

    void post(const retry::PostRequest& request, std::function<void(retry::WireResult)> done) override
    {
        m_wire.post(request, [this, done = std::move(done)](const retry::WireResult& result) {
            if (!m_firstPostEnd)
                m_firstPostEnd = BenchClock::now();
            done(result);
        });
    }
    void abortPost(retry::EndReason reason) override { m_wire.abortPost(reason); }
    void probe(const retry::ProbeRequest& request, std::function<void(retry::WireResult)> done) override
    {
        m_wire.probe(request, std::move(done));
    }
    void abortProbe(retry::EndReason reason) override { m_wire.abortProbe(reason); }
    void exchangeCard(const retry::Card& card, std::function<void(retry::ExchangeResult)> done) override
    {
        m_wire.exchangeCard(card, std::move(done));
    }

    [[nodiscard]] std::optional<BenchClock::time_point> firstPostEnd() const { return m_firstPostEnd; }
    void forget() { m_firstPostEnd.reset(); }

private:
    retry::Transport& m_wire;
    std::optional<BenchClock::time_point> m_firstPostEnd;
};

} // namespace payonce::bench
