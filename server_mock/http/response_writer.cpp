#include "http/response_writer.h"

#include "protocol/digest.h"
#include "protocol/http_date.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>

namespace payonce::http {

namespace {

constexpr qsizetype kUsualHeadSize = 512;
constexpr std::array<QByteArrayView, 6> kOwnLines = {"Content-Length", "Content-Digest", "Content-Type",
                                                     "Date",           "Connection",     "Transfer-Encoding"};

QByteArrayView reasonOf(int status)
{
    switch (status) {
    case 200: return "OK";
    case 201: return "Created";
    case 204: return "No Content";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 402: return "Payment Required";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 408: return "Request Timeout";
    case 409: return "Conflict";
    case 410: return "Gone";
    case 411: return "Length Required";
    case 413: return "Content Too Large";
    case 415: return "Unsupported Media Type";
    case 422: return "Unprocessable Content";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 501: return "Not Implemented";
    case 502: return "Bad Gateway";
    case 503: return "Service Unavailable";
    case 504: return "Gateway Timeout";
    default: return ""; // an int, not an enum; RFC 9112, 4: the phrase may be empty
    }
}

/// Made once a second.
QByteArray httpDate(values::WallTime date)
{
    struct Cached
    {
        std::chrono::sys_seconds second{};
        QByteArray text;
    };
    thread_local Cached cached;
    const auto second = std::chrono::floor<std::chrono::seconds>(date);
    if (second != cached.second || cached.text.isEmpty())
        cached = {second, QByteArray::fromStdString(protocol::toHttpDate(second))};
    return cached.text;
}

bool isTokenByte(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           QByteArrayView("!#$%&'*+-.^_`|~").contains(c);
}

bool isTextByte(char c)
{
    const auto byte = static_cast<unsigned char>(c);
    return byte == '\t' || (byte >= 32 && byte != 127);
}

bool mayLeave(const QByteArray& name, const QByteArray& value)
{
    const auto isOwn = [&name](QByteArrayView own) { return own.compare(name, Qt::CaseInsensitive) == 0; };
    return !name.isEmpty() && std::all_of(name.begin(), name.end(), isTokenByte) &&
           std::all_of(value.begin(), value.end(), isTextByte) && std::none_of(kOwnLines.begin(), kOwnLines.end(), isOwn);
}

QByteArray digestOf(const QByteArray& body)
{
    return QByteArray::fromStdString(protocol::contentDigest({body.data(), static_cast<std::size_t>(body.size())}));
}

void appendLine(QByteArray& head, QByteArrayView name, QByteArrayView value)
{
    const qsizetype start = head.size();
    head.resize(start + name.size() + value.size() + 4); // once for the whole line
    char* to = std::copy(name.begin(), name.end(), head.data() + start);
    *to++ = ':';
    *to++ = ' ';
    to = std::copy(value.begin(), value.end(), to);
    *to++ = '\r';
    *to = '\n';
}

} // namespace

bool mayHaveBody(const Response& response)
{
    return response.status != 204 && response.status != 304;
}

QByteArray chunkOf(const QByteArray& bytes)
{
    constexpr int kHex = 16;
    return bytes.isEmpty() ? QByteArray() : QByteArray::number(bytes.size(), kHex) + "\r\n" + bytes + "\r\n";
}

QByteArray encodeHead(const Response& response, values::WallTime date, Afterwards afterwards, ByteFault::Framing framing)
{
    QByteArray head;
    head.reserve(kUsualHeadSize + response.body.size()); // the body comes behind it
    head.append("HTTP/1.1 ")
        .append(QByteArray::number(response.status))
        .append(' ')
        .append(reasonOf(response.status))
        .append("\r\n");
    appendLine(head, "Date", httpDate(date));
    if (mayHaveBody(response))
        appendLine(head, "Content-Type", response.contentType);
    if (mayHaveBody(response) && framing == ByteFault::Framing::Chunked) {
        appendLine(head, "Transfer-Encoding", "chunked");
    } else if (mayHaveBody(response)) {
        appendLine(head, "Content-Length", QByteArray::number(response.body.size()));
        appendLine(head, "Content-Digest", response.bodyDigest.isEmpty() ? digestOf(response.body) : response.bodyDigest);
    } else {
        appendLine(head, "Content-Digest", digestOf({})); // no Content-Length, though (RFC 9110, 8.6)
    }
    for (const auto& [name, value] : response.headers)
        if (mayLeave(name, value))
            appendLine(head, name, value);
    if (afterwards == Afterwards::Close)
        appendLine(head, "Connection", "close");
    return head.append("\r\n");
}

} // namespace payonce::http
