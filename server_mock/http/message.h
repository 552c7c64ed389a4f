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
    QByteArray method; ///< a HEAD request says GET here; its answer leaves without the body
    QByteArray path;   ///< percent-decoded is never needed here: the bytes before `?`
    QUrlQuery query;
    Headers headers; ///< in order, as many lines as came; names as sent
    QByteArray body;
    qint64 bytesIn = 0;          ///< head and body as they came over the wire
    bool keepsConnection = true; ///< false: the connection is closed after the answer
    quint64 connection = 0;      ///< counted since the start of the process
    quint64 number = 0;          ///< counted since the start of the process

    /// All lines of one header, names compared without case.
    [[nodiscard]] QList<QByteArray> values(QByteArrayView name) const;
    /// The only line of one header; empty if there is none or more than one.
    [[nodiscard]] QByteArray value(QByteArrayView name) const;
};

/// Content-Length, Content-Digest (RFC 9530), Date and Connection are added when it is written; lines of these names, and
/// lines that are no valid header line, are left out of `headers`.
struct Response
{
    int status = 200;
    QByteArray contentType = "application/json";
    QByteArray body;
    Headers headers;
    QByteArray bodyDigest{}; ///< the value of Content-Digest where it is known; empty: it is computed when it is written
};

} // namespace payonce::http
