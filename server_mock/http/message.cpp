#include "http/message.h"

namespace payonce::http {

namespace {

// The lengths first: most lines differ in them.
bool isNamed(const QByteArray& line, QByteArrayView name)
{
    return line.size() == name.size() && name.compare(line, Qt::CaseInsensitive) == 0;
}

} // namespace

QList<QByteArray> Request::values(QByteArrayView name) const
{
    QList<QByteArray> lines;
    for (const auto& [headerName, headerValue] : headers)
        if (isNamed(headerName, name))
            lines.append(headerValue);
    return lines;
}

QByteArray Request::value(QByteArrayView name) const
{
    const std::pair<QByteArray, QByteArray>* found = nullptr;
    for (const auto& header : headers) {
        if (!isNamed(header.first, name))
            continue;
        if (found != nullptr)
            return {};
        found = &header;
    }
    return found == nullptr ? QByteArray() : found->second;
}

} // namespace payonce::http
