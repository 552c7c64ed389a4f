#include "shop/replays.h"

#include <utility>

namespace payonce::shop {

namespace {

/// Nodes, header lines and what the allocator adds to each, about.
constexpr std::size_t kBesideTexts = 768;

// Neither an account nor a key has a line feed.
std::string keyOf(const Incoming& incoming)
{
    return incoming.arrival.account + '\n' + incoming.arrival.actionId;
}

} // namespace

std::optional<http::Response> Replays::find(const Incoming& incoming)
{
    const auto found = m_byKey.find(keyOf(incoming));
    if (found == m_byKey.end())
        return {};
    const auto kept = found->second;
    if (kept->endpoint != incoming.endpoint || kept->body != incoming.request().body)
        return {};
    m_kept.splice(m_kept.begin(), m_kept, kept);
    return kept->response;
}

void Replays::remember(const Incoming& incoming, const idempotency::KeyRecord& record, const http::Response& replay)
{
    const QByteArray& body = incoming.request().body;
    if (m_bytesMost == 0 || !values::isTerminal(record.state) || !record.answer || body.size() > kReplayedBodyMost)
        return;
    std::string key = keyOf(incoming);
    if (const auto known = m_byKey.find(key); known != m_byKey.end())
        forget(known->second);
    // A copy of its own: the request's is a part of all that was read from the connection.
    m_kept.push_front({std::move(key), incoming.endpoint, QByteArray(body.constData(), body.size()), replay});
    m_byKey.emplace(m_kept.front().key, m_kept.begin());
    m_bytes += weightOf(m_kept.front());
    while (m_bytes > m_bytesMost)
        forget(std::prev(m_kept.end()));
}

void Replays::forgetAll()
{
    m_byKey.clear();
    m_kept.clear();
    m_bytes = 0;
}

std::size_t Replays::weightOf(const Kept& kept)
{
    return kBesideTexts + kept.key.size() + static_cast<std::size_t>(kept.body.size() + kept.response.body.size());
}

void Replays::forget(Order::iterator kept)
{
    m_bytes -= weightOf(*kept);
    m_byKey.erase(kept->key);
    m_kept.erase(kept);
}

} // namespace payonce::shop
