#include "transport/wire_call.h"

#include "transport/network_error.h"
#include "values/check.h"

#include <utility>

namespace payonce::transport {

using retry::EndReason;
using retry::TransportError;

WireCall::WireCall(QNetworkReply* reply, OneShotDevice* body, const CallLimits& limits, Done done)
    : m_reply(reply), m_body(body), m_done(std::move(done))
{
    CHECK(reply != nullptr);
    if (body != nullptr) {
        body->setParent(reply);
    }
    reply->setReadBufferSize(kLongestAnswer + 1);
    connect(reply, &QNetworkReply::readyRead, this, &WireCall::collect);
    connect(reply, &QNetworkReply::finished, this, &WireCall::finish);
    watchLimits(limits);
}

WireCall::~WireCall()
{
    delete m_reply.data();
}

void WireCall::abort(EndReason reason)
{
    stop(TransportError::Cancelled, reason);
}

void WireCall::watchLimits(const CallLimits& limits)
{
    const auto expire = [this] { stop(TransportError::Timeout, EndReason::HardDeadline); };
    for (QTimer* timer : {&m_connectLimit, &m_totalLimit}) {
        timer->setSingleShot(true);
        timer->setTimerType(Qt::PreciseTimer);
        connect(timer, &QTimer::timeout, this, expire);
    }
    m_connectLimit.start(limits.connect);
    connect(m_reply, &QNetworkReply::requestSent, &m_connectLimit, &QTimer::stop);
    if (m_body) {
        connect(m_body, &OneShotDevice::firstByteTaken, &m_connectLimit, &QTimer::stop);
    }
    if (limits.total) {
        m_totalLimit.start(*limits.total);
    }
}

void WireCall::stop(TransportError error, EndReason reason)
{
    if (m_finished || m_stopped) {
        return;
    }
    m_stopped = true;
    m_answer.error = error;
    m_answer.reason = reason;
    // Qt tells an error a moment before the end; an abort in between would be a second error, which it warns of.
    if (m_reply->error() != QNetworkReply::NoError) {
        finish();
    } else {
        m_reply->abort();
    }
}

void WireCall::collect()
{
    // Reading a reply after its abort warns and gives nothing.
    if (!m_reply->isOpen()) {
        return;
    }
    m_answer.body += m_reply->read(kLongestAnswer + 1 - m_answer.body.size());
    if (m_answer.body.size() > kLongestAnswer) {
        stop(TransportError::Protocol, EndReason::Finished);
    }
}

void WireCall::finish()
{
    if (!m_stopped) {
        collect(); // the last bytes; may still stop the call, which comes back here
    }
    if (m_finished) {
        return;
    }
    m_finished = true;
    m_connectLimit.stop();
    m_totalLimit.stop();
    readHead();
    if (!m_stopped) {
        m_answer.error = transportErrorOf(m_reply->error(), m_answer.status.has_value());
    }
    QMetaObject::invokeMethod(this, &WireCall::deliver, Qt::QueuedConnection);
}

void WireCall::deliver()
{
    std::exchange(m_done, nullptr)(m_answer);
}

void WireCall::readHead()
{
    const QVariant status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute);
    if (status.isValid()) {
        m_answer.status = status.toInt();
    }
    const auto field = [this](const char* name) {
        return m_reply->hasRawHeader(name) ? m_reply->rawHeader(name) : QByteArray();
    };
    m_answer.bytesTaken = m_body ? m_body->bytesTaken() : 0;
    m_answer.contentLength = field("Content-Length");
    m_answer.contentDigest = field("Content-Digest");
    m_answer.contentEncoding = field("Content-Encoding");
    m_answer.retryAfter = field("Retry-After");
    m_answer.date = field("Date");
}

} // namespace payonce::transport
