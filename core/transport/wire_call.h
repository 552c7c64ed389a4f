// WireCall: one request on its way, from the engine's reply to a RawAnswer.
#pragma once

#include "transport/one_shot_device.h"
#include "transport/raw_answer.h"

#include <QtCore/QPointer>
#include <QtCore/QTimer>
#include <QtNetwork/QNetworkReply>

#include <chrono>
#include <functional>

namespace payonce::transport {

/// A longer answer is none of ours: the call ends with TransportError::Protocol.
inline constexpr qint64 kLongestAnswer = 1024 * 1024;

/// Time limits of a call. Reached: it ends with TransportError::Timeout, reason HardDeadline.
struct CallLimits
{
    std::chrono::milliseconds connect;              ///< until the request begins to leave
    std::optional<std::chrono::milliseconds> total; ///< none: the caller's own timers abort
};

/// Destroying it ends the request without an answer.
class WireCall : public QObject
{
    Q_OBJECT

public:
    using Done = std::function<void(const RawAnswer&)>;

    /// Owns `reply`. `body`: the device it uploads, none for a GET; it becomes the reply's child.
    /// `done` runs exactly once, from the event loop, never inside a call of this class.
    WireCall(QNetworkReply* reply, OneShotDevice* body, const CallLimits& limits, Done done);
    ~WireCall() override;

    /// Ends the request now: TransportError::Cancelled with `reason`. Nothing if it has ended already.
    void abort(retry::EndReason reason);

private:
    void watchLimits(const CallLimits& limits);
    void stop(retry::TransportError error, retry::EndReason reason);
    void collect();
    void finish();
    void deliver();
    void readHead();

    QPointer<QNetworkReply> m_reply;
    QPointer<OneShotDevice> m_body;
    Done m_done;
    QTimer m_connectLimit;
    QTimer m_totalLimit;
    RawAnswer m_answer;
    bool m_stopped = false; ///< we ended it: m_answer.error is ours, not Qt's
    bool m_finished = false;
};

} // namespace payonce::transport
