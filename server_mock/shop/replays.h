// Replays: what actions that have ended answer to an exact repeat, kept in memory so that it need not be looked up.
//
// An exact repeat is the same endpoint, account, key and bytes of body as a request that the ledger has answered for good. Its
// form was found good then and its fingerprint compared, and neither can come out otherwise now. Whatever differs, and
// whatever is still open, goes to the ledger.
//
// A record that has ended never changes by itself. Only a purge, a reset and what staff does change what is answered for it,
// and each of them forgets everything here, where it hears of its commit. The ledger's thread tells of its work in the order
// in which it was done, so what is remembered from one of its answers is what was true then, and is forgotten before anything
// that was read after a change is told.
//
// Only for a shop whose database nobody else writes: another server's purge would not be heard of.
#pragma once

#include "shop/incoming.h"

#include <cstddef>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>

namespace payonce::shop {

/// What one shop remembers; beyond it goes what was not asked for for the longest. About 25,000 payments.
inline constexpr std::size_t kReplayBytesMost = 32U * 1024 * 1024;
/// The answer to a larger body is not remembered.
inline constexpr qsizetype kReplayedBodyMost = 4096;

/// On the main thread.
class Replays
{
public:
    /// 0: nothing is remembered.
    explicit Replays(std::size_t bytesMost) : m_bytesMost(bytesMost) {}

    /// The answer if this is an exact repeat; empty: ask the ledger. The caller has seen that account, key and head are good.
    [[nodiscard]] std::optional<http::Response> find(const Incoming& incoming);
    /// `record` is what the ledger has just said of the request, and `replay` what it answers from now on. Only at once where
    /// the ledger is heard; a record without a stored answer is not remembered.
    void remember(const Incoming& incoming, const idempotency::KeyRecord& record, const http::Response& replay);
    void forgetAll();

    [[nodiscard]] std::size_t count() const { return m_kept.size(); }

private:
    struct Kept
    {
        std::string key;
        Endpoint endpoint;
        QByteArray body;
        http::Response response;
    };
    using Order = std::list<Kept>; // what was asked for last comes first

    [[nodiscard]] static std::size_t weightOf(const Kept& kept);
    void forget(Order::iterator kept);

    std::size_t m_bytesMost;
    std::size_t m_bytes = 0;
    Order m_kept;
    std::unordered_map<std::string_view, Order::iterator> m_byKey; // views of Kept::key
};

} // namespace payonce::shop
