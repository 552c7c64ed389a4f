// One request that waits for its one answer. The socket may be gone at any time; every call is then harmless.
#pragma once

#include "http/message.h"

#include <chrono>
#include <functional>
#include <optional>

namespace payonce::http {

enum class End { Fin, Rst };

/// What is wrong with the bytes of one answer: after `offset` bytes of the head or body, all of which are flushed first,
/// something happens.
struct ByteFault
{
    enum class Part { Head, Body };
    enum class Kind {
        None,      ///< nothing at that place
        End,       ///< the connection ends
        Silence,   ///< never a byte again
        HalfClose, ///< a FIN, and never a byte again
        Pause,     ///< the rest follows after `pause`
        Drip,      ///< the rest follows `piece` bytes at a time, each after `pause`
        Hold,      ///< `reached` is called, and the rest waits for resume()
    };
    /// Chunked: without a length and a digest, and without the last chunk; for Kind::End.
    enum class Framing { Length, Chunked };

    Part part = Part::Head;
    qint64 offset = 0;
    Kind kind = Kind::End;
    End end = End::Fin;
    std::chrono::milliseconds pause{0};
    qsizetype piece = 0;
    Framing framing = Framing::Length;
    int copies = 1; ///< of the whole answer, one behind the other
    std::function<void()> reached{};
    /// Called when the answer was handed to the kernel whole; then the connection waits for resume().
    std::function<void()> flushed{};
};

/// Held by std::shared_ptr; outlives its socket. Lives on the listener's thread. When the last holder lets go of it
/// unanswered, or while the connection waits for resume(), the connection ends with a FIN.
class Exchange
{
public:
    Exchange() = default;
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;
    Exchange(Exchange&&) = delete;
    Exchange& operator=(Exchange&&) = delete;
    virtual ~Exchange() = default;

    [[nodiscard]] virtual const Request& request() const = 0;
    /// The client is still there and has no answer yet.
    [[nodiscard]] virtual bool isOpen() const = 0;
    /// Writes the one answer; a second call, or one after end() or silence(), does nothing.
    virtual void answer(const Response& response, const std::optional<ByteFault>& fault = {}) = 0;
    /// Ends the connection now without (the rest of) an answer; works after silence() too. Rst is a real RST (SO_LINGER 0).
    virtual void end(End end) = 0;
    /// Never a byte again; the connection stays open until the client or the listener ends.
    virtual void silence() = 0;
    /// A FIN now, and never a byte again; what the client still sends is read and thrown away until it ends.
    virtual void halfClose() = 0;
    /// These bytes, whatever they are: instead of the answer, and then a FIN; or behind it, while the connection waits.
    virtual void sendRaw(const QByteArray& bytes) = 0;
    /// Goes on where the connection waits: at a Gate, at ByteFault::Kind::Hold, or at ByteFault::flushed.
    virtual void resume() = 0;
};

} // namespace payonce::http
