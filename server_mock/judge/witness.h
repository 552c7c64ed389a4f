// Stands between the listener and the shop, and writes down what a judged client asks and how it is answered.
#pragma once

#include "judge/keyless.h"
#include "judge/watched_exchange.h"
#include "shop/accounts.h"

#include <functional>
#include <memory>
#include <vector>

namespace payonce::judge {

/// Requests that are written down; later ones are only counted.
inline constexpr std::size_t kMostSightings = 5'000;

/// Lives on the main thread.
class Witness
{
public:
    /// `accounts` outlives it. `moved` runs whenever a request of the client comes or ends. `notes`: null, or where it goes on
    /// from.
    Witness(const shop::Accounts& accounts, KeyLayer keys, std::function<void()> moved, std::unique_ptr<Notes> notes = {});

    /// What the shop is given in the place of `exchange`; it passes everything on.
    [[nodiscard]] std::shared_ptr<http::Exchange> watched(std::shared_ptr<http::Exchange> exchange);
    /// The same for what waits at the gates of the listener: a connection, and a request whose head was read. What ends there
    /// is seen, what goes on is not: it comes again.
    [[nodiscard]] std::shared_ptr<http::Exchange> watchedConnection(std::shared_ptr<http::Exchange> exchange);
    [[nodiscard]] std::shared_ptr<http::Exchange> watchedHead(std::shared_ptr<http::Exchange> exchange);
    [[nodiscard]] const Observations& look();

private:
    void noteWhoLeft();
    [[nodiscard]] std::shared_ptr<http::Exchange> opened(std::shared_ptr<WatchedExchange> watched);

    const shop::Accounts& m_accounts;
    KeyLayer m_keys;
    std::shared_ptr<Book> m_book; // exchanges that outlive the witness tell nobody
    std::vector<std::weak_ptr<WatchedExchange>> m_open;
};

} // namespace payonce::judge
