// The bytes of one answer on their way out, with the fault that is planned in them: what leaves next, and what happens then.
#pragma once

#include "http/response_writer.h"

#include <chrono>
#include <functional>
#include <optional>
#include <utility>

namespace payonce::http {

class OutgoingAnswer
{
public:
    /// What happens when the bytes before it have left.
    enum class Then { NextRequest, Fin, Rst, Silence, HalfClose, Pause, Hold };
    /// Of the request: the answer to HEAD leaves without its body.
    enum class Method { Get, Head };

    /// Gives the bytes that leave first.
    [[nodiscard]] QByteArray begin(const Response& response, values::WallTime date, const std::optional<ByteFault>& fault,
                                   Afterwards afterwards, Method method);
    /// Bytes that are no answer leave, and the connection ends or goes on.
    void beginRaw(Then then);
    [[nodiscard]] Then then() const { return m_then; }
    [[nodiscard]] std::chrono::milliseconds pause() const { return m_pause; }
    /// What leaves after a pause: all the rest, or a piece of it.
    [[nodiscard]] QByteArray nextPiece();
    /// What leaves when Then::Hold is over.
    [[nodiscard]] QByteArray everythingElse();
    /// Of ByteFault; each is given once, `flushed` only when nothing is left.
    [[nodiscard]] std::function<void()> takeReached() { return std::exchange(m_reached, {}); }
    [[nodiscard]] std::function<void()> takeFlushed();
    void forget();

private:
    void plan(const ByteFault& fault);
    [[nodiscard]] bool isWhole() const { return m_then == m_end && m_rest.isEmpty(); }

    Then m_end = Then::NextRequest; // of an answer without a fault
    Then m_then = Then::NextRequest;
    QByteArray m_rest;
    qsizetype m_piece = 0;
    std::chrono::milliseconds m_pause{0};
    std::function<void()> m_reached;
    std::function<void()> m_flushed;
};

} // namespace payonce::http
