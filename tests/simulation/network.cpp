#include "simulation/network.h"

#include <algorithm>

namespace payonce::simulation {

using namespace std::chrono_literals;
using retry::TransportError;
using retry::WireResult;

namespace {

constexpr std::int64_t kBodySize = 312;

WireResult errorResult(TransportError error)
{
    WireResult result;
    result.error = error;
    return result;
}

/// What a broken proxy might make of it.
void falsify(WireResult& answer)
{
    const bool wasDeclined = answer.body->state == values::RecordState::Failed;
    answer.status = wasDeclined ? 201 : 402;
    answer.body->code = wasDeclined ? "" : "card-declined";
    answer.body->state = wasDeclined ? values::RecordState::Succeeded : values::RecordState::Failed;
    answer.body->amount = values::Money{4200, values::Currency::fromCode("EUR").value()};
}

} // namespace

Network::Network(World& world, const Shops& shops, Referee& referee) : m_world(world), m_shops(shops), m_referee(referee)
{
    for (const auto& shop : m_shops)
        shop->whenCrashed([this, shop = shop.get()] { breakOpenCalls(shop); });
}

Shop& Network::anyShop()
{
    return *m_shops.at(m_shops.size() == 1 ? 0 : m_world.draw() % m_shops.size());
}

Micros Network::travelTime()
{
    return m_world.strikes(m_world.weather().late) ? m_world.between(500ms, 90s) : m_world.between(100us, 20ms);
}

std::shared_ptr<Call> Network::send(const Request& request, std::function<void(const WireResult&)> done)
{
    auto call = std::make_shared<Call>();
    call->done = std::move(done);
    if (m_world.strikes(m_world.weather().refuse)) {
        if (!m_world.chance(0.1)) // else it never connects, and the app gives up
            end(call, m_world.between(1ms, 50ms), errorResult(TransportError::HostNotFound));
        return call;
    }
    m_world.after(m_world.between(50us, 2ms), [this, shop = &anyShop(), request, call] {
        if (call->hasEnded)
            return;
        if (shop->isUp())
            takeBytes(*shop, request, call);
        else
            end(call, 1ms, errorResult(TransportError::ConnectionRefused));
    });
    return call;
}

/// From here on the request may arrive, whatever becomes of the connection.
void Network::takeBytes(Shop& shop, const Request& request, const CallPointer& call)
{
    if (request.kind == Request::Kind::Post) {
        call->bytesTaken = kBodySize;
        m_referee.bytesTaken(request.id);
    }
    const auto& weather = m_world.weather();
    if (m_world.strikes(weather.twice))
        m_world.after(travelTime() + m_world.between(0us, 30s),
                      [this, shop = &anyShop(), request] { deliverCopy(*shop, request); });
    if (m_world.strikes(weather.lose)) {
        m_world.trace("network", "a request is lost");
        return closeOrHang(call);
    }
    m_world.after(travelTime(), [this, shop = &shop, request, call] { deliver(*shop, request, call); });
}

void Network::deliver(Shop& shop, const Request& request, const CallPointer& call)
{
    if (!shop.isUp())
        return closeOrHang(call);
    call->at = &shop;
    m_open.push_back(call);
    shop.receive(request, [this, call](const WireResult& answer) { bringBack(call, answer); });
}

void Network::deliverCopy(Shop& shop, const Request& request)
{
    m_world.trace("network", "a second copy arrives");
    if (shop.isUp())
        shop.receive(request, [](const WireResult&) {});
}

void Network::bringBack(const CallPointer& call, const WireResult& answer)
{
    m_open.erase(std::remove(m_open.begin(), m_open.end(), call), m_open.end());
    if (std::exchange(call->at, nullptr) == nullptr)
        return; // the connection broke before
    if (m_world.strikes(m_world.weather().lose)) {
        m_world.trace("network", "an answer is lost");
        return closeOrHang(call);
    }
    WireResult arrived = answer;
    arrived.serverTime = m_world.wall();
    spoil(arrived);
    end(call, travelTime(), arrived);
}

/// Only the digest, or the action in it, tells.
void Network::spoil(WireResult& answer)
{
    if (m_world.strikes(m_world.weather().mixed)) {
        answer.body->actionId = values::ActionId::mint(m_world.wall(), m_world.randomBytes());
        return falsify(answer);
    }
    if (!m_world.strikes(m_world.weather().broken))
        return;
    answer.complete = m_world.chance(0.5);
    answer.digestMatches = false;
    if (answer.complete)
        falsify(answer);
    else
        answer.error = TransportError::RemoteClosed;
}

void Network::closeOrHang(const CallPointer& call)
{
    if (m_world.chance(0.6))
        end(call, m_world.between(1ms, 1s), errorResult(TransportError::RemoteClosed));
}

void Network::end(const CallPointer& call, Micros delay, const WireResult& result)
{
    m_world.after(delay, [this, call, result] {
        if (std::exchange(call->hasEnded, true))
            return;
        WireResult seen = result;
        seen.bytesTaken = call->bytesTaken;
        call->done(seen);
    });
}

void Network::abort(const CallPointer& call, retry::EndReason reason)
{
    WireResult result = errorResult(TransportError::Cancelled);
    result.reason = reason;
    end(call, 100us, result);
}

void Network::breakOpenCalls(const Shop* shop)
{
    for (const auto& call : m_open) {
        if (call->at != shop)
            continue;
        call->at = nullptr;
        closeOrHang(call);
    }
    m_open.erase(std::remove_if(m_open.begin(), m_open.end(), [](const CallPointer& call) { return call->at == nullptr; }),
                 m_open.end());
}

} // namespace payonce::simulation
