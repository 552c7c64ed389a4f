// The client's end of a connection as a plain POSIX socket: sees exact bytes, and FIN and RST as what they are.
#pragma once

#include <QtCore/QByteArray>

namespace payonce::tests {

/// Never blocks. received() and ending() take in what has arrived, so that QTRY_* can wait on them.
class RawPeer
{
public:
    enum class Ending { Open, Fin, Reset };

    /// Connects to 127.0.0.1.
    explicit RawPeer(quint16 port);
    ~RawPeer();
    RawPeer(const RawPeer&) = delete;
    RawPeer& operator=(const RawPeer&) = delete;
    RawPeer(RawPeer&& other) noexcept;
    RawPeer& operator=(RawPeer&&) = delete;

    [[nodiscard]] bool isConnected() const { return m_socket >= 0; }
    /// Hands the bytes to the kernel; returns how many it took.
    qsizetype send(const QByteArray& bytes);
    [[nodiscard]] const QByteArray& received();
    [[nodiscard]] Ending ending();
    /// Takes in what has arrived, but never more than `most` bytes in all; returns how many came so far.
    qsizetype receiveUpTo(qsizetype most);
    /// Leaves with a FIN, or with an RST where bytes lie unread.
    void close();
    /// Leaves with an RST; what the server has not read yet is lost.
    void reset();

private:
    void takeIn(qsizetype most);

    int m_socket = -1;
    QByteArray m_received;
    Ending m_ending = Ending::Open;
};

} // namespace payonce::tests
