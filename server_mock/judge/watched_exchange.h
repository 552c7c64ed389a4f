// One request of a judged client on its way through the shop: passes everything on, and writes down how it ended.
#pragma once

#include "console/sighting.h"
#include "http/exchange.h"
#include "judge/notes.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace payonce::judge {

/// What was seen. Never a body, a card or a token.
struct Observations
{
    std::vector<console::Sighting> sightings; ///< payments, and what asks about one; by their number
    std::uint64_t requests = 0;               ///< all of the client; the bank's events and the pages for everybody do not count
    int open = 0;                             ///< of these, those that wait for their answer
    std::uint64_t unread = 0;                 ///< connections that ended before a request was read
    bool isFull = false;                      ///< there were more than kMostSightings
};

/// Shared by the exchanges that are watched.
struct Book
{
    Observations seen;
    std::function<void()> moved;    ///< told whenever a request of the client comes or ends
    std::unique_ptr<Notes> notes{}; ///< null: nothing is kept
};

class WatchedExchange final : public http::Exchange
{
public:
    /// `instead`: the request as the shop shall see it; none: as it came. `index`: of its sighting; none: it is only counted.
    WatchedExchange(std::shared_ptr<http::Exchange> inner, std::optional<http::Request> instead,
                    std::optional<std::size_t> index, std::weak_ptr<Book> book);
    /// Of what waits at a gate: nothing is known of it if it goes on, for then it comes again as a request. `begin` runs if it
    /// ends there, and gives the index of its sighting or none.
    using Begin = std::function<std::optional<std::size_t>(Book& book)>;
    WatchedExchange(std::shared_ptr<http::Exchange> inner, Begin begin, std::weak_ptr<Book> book);
    WatchedExchange(const WatchedExchange&) = delete;
    WatchedExchange& operator=(const WatchedExchange&) = delete;
    WatchedExchange(WatchedExchange&&) = delete;
    WatchedExchange& operator=(WatchedExchange&&) = delete;
    ~WatchedExchange() override;

    [[nodiscard]] const http::Request& request() const override { return m_instead ? *m_instead : m_inner->request(); }
    [[nodiscard]] bool isOpen() const override { return m_inner->isOpen(); }
    void answer(const http::Response& response, const std::optional<http::ByteFault>& fault) override;
    void end(http::End end) override;
    void silence() override;
    void halfClose() override;
    void sendRaw(const QByteArray& bytes) override;
    void resume() override;

    /// False: it has ended, if only because the client has left, which is then written down.
    [[nodiscard]] bool isAwaited();

private:
    void tell(console::SightingEnd end, const http::Response* response = nullptr);

    std::shared_ptr<http::Exchange> m_inner;
    std::optional<http::Request> m_instead;
    std::optional<std::size_t> m_index;
    Begin m_begin{};            // only at a gate
    std::weak_ptr<Book> m_book; // gone: nobody judges any more
    bool m_isTold = false;
};

} // namespace payonce::judge
