#include "http/outgoing_answer.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace payonce::http {

QByteArray OutgoingAnswer::begin(const Response& response, values::WallTime date, const std::optional<ByteFault>& fault,
                                 Afterwards afterwards, Method method)
{
    forget();
    m_end = m_then = afterwards == Afterwards::Close ? Then::Fin : Then::NextRequest;
    const bool hasBody = method == Method::Get && mayHaveBody(response);
    if (!fault) {
        auto bytes = encodeHead(response, date, afterwards);
        return hasBody ? bytes.append(response.body) : bytes;
    }
    plan(*fault);
    const auto head = encodeHead(response, date, afterwards, fault->framing);
    const auto body = hasBody ? response.body : QByteArray();
    const bool isInHead = fault->part == ByteFault::Part::Head;
    const auto offset = std::clamp<qsizetype>(fault->offset, 0, isInHead ? head.size() : body.size());
    if (fault->framing == ByteFault::Framing::Chunked)
        return head + chunkOf(body.first(offset));
    auto whole = (head + body).repeated(fault->copies);
    if (fault->kind == ByteFault::Kind::None)
        return whole;
    const auto first = isInHead ? offset : head.size() + offset;
    m_rest = whole.sliced(first);
    return whole.first(first);
}

void OutgoingAnswer::plan(const ByteFault& fault)
{
    m_reached = fault.reached;
    m_flushed = fault.flushed;
    m_pause = fault.pause;
    m_piece = fault.kind == ByteFault::Kind::Drip ? fault.piece : std::numeric_limits<qsizetype>::max();
    switch (fault.kind) {
    case ByteFault::Kind::None: return;
    case ByteFault::Kind::End: m_then = fault.end == End::Fin ? Then::Fin : Then::Rst; break;
    case ByteFault::Kind::Silence: m_then = Then::Silence; break;
    case ByteFault::Kind::HalfClose: m_then = Then::HalfClose; break;
    case ByteFault::Kind::Hold: m_then = Then::Hold; return;
    case ByteFault::Kind::Pause:
    case ByteFault::Kind::Drip: m_then = Then::Pause; return;
    }
    m_flushed = {}; // it is never whole
}

void OutgoingAnswer::beginRaw(Then then)
{
    forget();
    m_end = m_then = then;
}

QByteArray OutgoingAnswer::nextPiece()
{
    auto piece = m_rest.first(std::min(m_piece, m_rest.size()));
    m_rest.remove(0, piece.size());
    m_then = m_rest.isEmpty() ? m_end : Then::Pause;
    return piece;
}

QByteArray OutgoingAnswer::everythingElse()
{
    m_then = m_end;
    return std::exchange(m_rest, {});
}

std::function<void()> OutgoingAnswer::takeFlushed()
{
    return isWhole() ? std::exchange(m_flushed, {}) : std::function<void()>();
}

void OutgoingAnswer::forget()
{
    m_rest.clear();
    m_reached = {};
    m_flushed = {};
}

} // namespace payonce::http
