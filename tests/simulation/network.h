// Network: brings requests to the shop and answers back, or loses, delays, doubles, breaks and reorders them.
#pragma once

#include "simulation/shop.h"

namespace payonce::simulation {

/// One request of the app: ends exactly once, later than it began.
struct Call
{
    std::function<void(const retry::WireResult&)> done;
    std::int64_t bytesTaken = 0;
    bool hasEnded = false;
    bool atShop = false;
};

class Network
{
public:
    Network(World& world, Shop& shop, Referee& referee);

    std::shared_ptr<Call> send(const Request& request, std::function<void(const retry::WireResult&)> done);
    void abort(const std::shared_ptr<Call>& call, retry::EndReason reason);

private:
    using CallPointer = std::shared_ptr<Call>;

    void takeBytes(const Request& request, const CallPointer& call);
    void deliver(const Request& request, const CallPointer& call);
    void deliverCopy(const Request& request);
    void bringBack(const CallPointer& call, const retry::WireResult& answer);
    /// The connection closes, or just hangs until the app gives up.
    void closeOrHang(const CallPointer& call);
    void end(const CallPointer& call, Micros delay, const retry::WireResult& result);
    void breakOpenCalls();
    [[nodiscard]] Micros travelTime();

    World& m_world;
    Shop& m_shop;
    Referee& m_referee;
    std::vector<CallPointer> m_open;
};

} // namespace payonce::simulation
