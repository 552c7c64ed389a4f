// One HTTP request as it was read, and one answer as it will be written.
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QList>
#include <QtCore/QUrlQuery>

#include <utility>

namespace payonce::http {

using Headers = QList<std::pair<QByteArray, QByteArray>>;

struct Request
{
    QByteArray method;
    QByteArray path;    ///< percent-decoded is never needed here: the bytes before `?`
    QUrlQuery query;
    Headers headers;    ///< in order, as many lines as came; names as sent
    QByteArray body;
    quint64 connection = 0; ///< counted since the start of the process
    quint64 number = 0;     ///< counted since the start of the process

    /// All lines of one header, names compared without case.
    [[nodiscard]] QList<QByteArray> values(QByteArrayView name) const;
    /// The only line of one header; empty if there is none or more than one.
    [[nodiscard]] QByteArray value(QByteArrayView name) const;
};

/// Content-Length, Content-Digest (RFC 9530) and Date are added when it is written.
struct Response
{
    int status = 200;
    QByteArray contentType = "application/json";
    QByteArray body;
    Headers headers;
};

} // namespace payonce::http
