// Network: brings requests to one of the shop's servers and answers back, or loses, delays, doubles, breaks and reorders them.
#pragma once

#include "simulation/shop.h"

#include <memory>

namespace payonce::simulation {

/// One request of the app: ends exactly once, later than it began.
struct Call
{
    std::function<void(const retry::WireResult&)> done;
    std::int64_t bytesTaken = 0;
    bool hasEnded = false;
    const Shop* at = nullptr; ///< which is answering it
};

class Network
{
public:
    using Shops = std::vector<std::unique_ptr<Shop>>;

    Network(World& world, const Shops& shops, Referee& referee);

    std::shared_ptr<Call> send(const Request& request, std::function<void(const retry::WireResult&)> done);
    void abort(const std::shared_ptr<Call>& call, retry::EndReason reason);

private:
    using CallPointer = std::shared_ptr<Call>;

    [[nodiscard]] Shop& anyShop();
    void takeBytes(Shop& shop, const Request& request, const CallPointer& call);
    void deliver(Shop& shop, const Request& request, const CallPointer& call);
    void deliverCopy(Shop& shop, const Request& request);
    void bringBack(const CallPointer& call, const retry::WireResult& answer);
    void spoil(retry::WireResult& answer);
    /// The connection closes, or just hangs until the app gives up.
    void closeOrHang(const CallPointer& call);
    void end(const CallPointer& call, Micros delay, const retry::WireResult& result);
    void breakOpenCalls(const Shop* shop);
    [[nodiscard]] Micros travelTime();

    World& m_world;
    const Shops& m_shops;
    Referee& m_referee;
    std::vector<CallPointer> m_open;
};

} // namespace payonce::simulation
