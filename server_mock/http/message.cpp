#include "http/message.h"

namespace payonce::http {

QList<QByteArray> Request::values(QByteArrayView name) const
{
    QList<QByteArray> lines;
    for (const auto& [headerName, headerValue] : headers)
        if (name.compare(headerName, Qt::CaseInsensitive) == 0)
            lines.append(headerValue);
    return lines;
}

QByteArray Request::value(QByteArrayView name) const
{
    const std::pair<QByteArray, QByteArray>* found = nullptr;
    for (const auto& header : headers) {
        if (name.compare(header.first, Qt::CaseInsensitive) != 0)
            continue;
        if (found != nullptr)
            return {};
        found = &header;
    }
    return found == nullptr ? QByteArray() : found->second;
}

} // namespace payonce::http
