#include "transport/one_shot_device.h"

#include <algorithm>
#include <utility>

namespace payonce::transport {

OneShotDevice::OneShotDevice(QByteArray content, QObject* parent) : QIODevice(parent), m_content(std::move(content))
{
    // Unbuffered: QIODevice's own buffer would take bytes that nobody sent.
    open(QIODevice::ReadOnly | QIODevice::Unbuffered);
}

OneShotDevice::~OneShotDevice()
{
    m_content.fill('\0');
}

qint64 OneShotDevice::bytesAvailable() const
{
    return m_content.size() - m_taken;
}

bool OneShotDevice::atEnd() const
{
    return bytesAvailable() == 0;
}

bool OneShotDevice::seek(qint64 /*position*/)
{
    return false;
}

qint64 OneShotDevice::readData(char* data, qint64 maxSize)
{
    if (atEnd()) {
        return -1;
    }
    const qint64 size = std::min(maxSize, bytesAvailable());
    std::copy_n(m_content.constData() + m_taken, size, data);
    const bool first = m_taken == 0 && size > 0;
    m_taken += size;
    if (first) {
        Q_EMIT firstByteTaken();
    }
    return size;
}

qint64 OneShotDevice::writeData(const char* /*data*/, qint64 /*maxSize*/)
{
    return -1;
}

} // namespace payonce::transport
