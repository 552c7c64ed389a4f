#include "judge/watched_exchange.h"

#include "judge/answer_meaning.h"
#include "machine/machine_clock.h"

#include <utility>

namespace payonce::judge {

namespace {

using console::Sighting;
using console::SightingEnd;

void read(const http::Response& response, Sighting& sighting)
{
    sighting.status = response.status;
    if (sighting.end != SightingEnd::Told)
        return;
    auto meaning = meaningOf(response, sighting.actionId, machine::wallTime());
    sighting.said = meaning.said;
    sighting.retryAfter = meaning.retryAfter;
    sighting.paidActions = std::move(meaning.paidActions);
}

void write(Book& book, std::size_t index, SightingEnd end, const http::Response* response)
{
    Sighting& sighting = book.seen.sightings[index];
    sighting.end = end;
    sighting.endedAt = machine::monotonicTime();
    if (response != nullptr)
        read(*response, sighting);
    if (book.notes)
        book.notes->ended(sighting);
}

bool leavesWhole(const http::ByteFault& fault, const http::Response& response)
{
    return fault.framing == http::ByteFault::Framing::Length && fault.part == http::ByteFault::Part::Body &&
           fault.offset >= response.body.size();
}

/// An answer that is held up in between leaves whole in the end, and so does one that is cut behind its last byte.
SightingEnd endBy(const std::optional<http::ByteFault>& fault, const http::Response& response)
{
    if (!fault || leavesWhole(*fault, response))
        return SightingEnd::Told;
    switch (fault->kind) {
    case http::ByteFault::Kind::None:
    case http::ByteFault::Kind::Pause:
    case http::ByteFault::Kind::Drip:
    case http::ByteFault::Kind::Hold: return SightingEnd::Told;
    case http::ByteFault::Kind::Silence: return SightingEnd::Silent;
    case http::ByteFault::Kind::End:
    case http::ByteFault::Kind::HalfClose: return SightingEnd::Lost;
    }
    return SightingEnd::Lost;
}

} // namespace

WatchedExchange::WatchedExchange(std::shared_ptr<http::Exchange> inner, std::optional<http::Request> instead,
                                 std::optional<std::size_t> index, std::weak_ptr<Book> book)
    : m_inner(std::move(inner)), m_instead(std::move(instead)), m_index(index), m_book(std::move(book))
{
}

WatchedExchange::WatchedExchange(std::shared_ptr<http::Exchange> inner, Begin begin, std::weak_ptr<Book> book)
    : m_inner(std::move(inner)), m_begin(std::move(begin)), m_book(std::move(book))
{
}

WatchedExchange::~WatchedExchange()
{
    tell(m_inner->isOpen() ? SightingEnd::Lost : SightingEnd::Left);
}

void WatchedExchange::answer(const http::Response& response, const std::optional<http::ByteFault>& fault)
{
    const SightingEnd end = m_inner->isOpen() ? endBy(fault, response) : SightingEnd::Left;
    m_inner->answer(response, fault);
    tell(end, &response);
}

void WatchedExchange::end(http::End end)
{
    const SightingEnd seen = m_inner->isOpen() ? SightingEnd::Lost : SightingEnd::Left;
    m_inner->end(end);
    tell(seen);
}

void WatchedExchange::silence()
{
    m_inner->silence();
    tell(SightingEnd::Silent);
}

void WatchedExchange::halfClose()
{
    const SightingEnd seen = m_inner->isOpen() ? SightingEnd::Lost : SightingEnd::Left;
    m_inner->halfClose();
    tell(seen);
}

// Instead of the answer it says nothing; behind one everything is told.
void WatchedExchange::sendRaw(const QByteArray& bytes)
{
    const SightingEnd seen = m_inner->isOpen() ? SightingEnd::Lost : SightingEnd::Left;
    m_inner->sendRaw(bytes);
    tell(seen);
}

void WatchedExchange::resume()
{
    if (m_begin && !m_inner->isOpen())
        tell(SightingEnd::Left);
    if (const auto book = m_begin && !std::exchange(m_isTold, true) ? m_book.lock() : nullptr) {
        --book->seen.open;
        book->moved();
    }
    m_inner->resume();
}

bool WatchedExchange::isAwaited()
{
    if (!m_inner->isOpen())
        tell(SightingEnd::Left);
    return !m_isTold;
}

void WatchedExchange::tell(SightingEnd end, const http::Response* response)
{
    const auto book = std::exchange(m_isTold, true) ? nullptr : m_book.lock();
    if (!book)
        return;
    --book->seen.open;
    if (m_begin)
        m_index = m_begin(*book);
    if (m_index)
        write(*book, *m_index, end, response);
    book->moved();
}

} // namespace payonce::judge
