// One request that waits for its one answer. The socket may be gone at any time; every call is then harmless.
#pragma once

#include "http/message.h"

#include <chrono>
#include <optional>

namespace payonce::http {

enum class End { Fin, Rst };

/// A fault in the bytes of one answer: after `offset` bytes of the head or body, something happens.
struct ByteFault
{
    enum class Part { Head, Body };
    enum class Kind { End, Silence, Pause };
    Part part = Part::Head;
    qint64 offset = 0;
    Kind kind = Kind::End;
    End end = End::Fin;                 ///< of Kind::End; everything before it is flushed first
    std::chrono::milliseconds pause{0}; ///< of Kind::Pause; then the rest follows
};

/// Held by std::shared_ptr; outlives its socket. Lives on the listener's thread. When the last holder lets go of it
/// unanswered, the connection ends with a FIN.
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
};

} // namespace payonce::http
