#include "http/request_reader.h"

#include <boost/beast/http/basic_parser.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace payonce::http {

namespace {

namespace beast = boost::beast;
using idempotency::ProblemCode;

constexpr auto kEmptyLine = "\r\n\r\n";
constexpr int kLongestLengthText = 18; // digits that always fit a qint64

QByteArray toBytes(beast::string_view text)
{
    return {text.data(), static_cast<qsizetype>(text.size())};
}

/// Beast's grammar, writing straight into our request; the body is never shown to it.
class HeadParser final : public beast::http::basic_parser<true>
{
public:
    explicit HeadParser(Request& request) : m_request(request)
    {
        skip(true);
        header_limit(std::numeric_limits<std::uint32_t>::max()); // ours is checked before
    }

    [[nodiscard]] const QByteArray& target() const { return m_target; }
    [[nodiscard]] int version() const { return m_version; }

private:
    void on_request_impl(beast::http::verb /*verb*/, beast::string_view method, beast::string_view target, int version,
                         beast::error_code& /*error*/) override
    {
        m_request.method = toBytes(method);
        m_target = toBytes(target);
        m_version = version;
    }
    void on_response_impl(int /*code*/, beast::string_view /*reason*/, int /*version*/, beast::error_code& /*error*/) override
    {
    }
    void on_field_impl(beast::http::field /*field*/, beast::string_view name, beast::string_view value,
                       beast::error_code& /*error*/) override
    {
        m_request.headers.emplaceBack(toBytes(name), toBytes(value));
    }
    void on_header_impl(beast::error_code& /*error*/) override {}
    void on_body_init_impl(const boost::optional<std::uint64_t>& /*length*/, beast::error_code& /*error*/) override {}
    std::size_t on_body_impl(beast::string_view body, beast::error_code& /*error*/) override { return body.size(); }
    void on_chunk_header_impl(std::uint64_t /*size*/, beast::string_view /*extensions*/, beast::error_code& /*error*/) override
    {
    }
    std::size_t on_chunk_body_impl(std::uint64_t /*remain*/, beast::string_view body, beast::error_code& /*error*/) override
    {
        return body.size();
    }
    void on_finish_impl(beast::error_code& /*error*/) override {}

    Request& m_request;
    QByteArray m_target;
    int m_version = 0;
};

/// Neither a control byte nor white space.
bool isPlain(char byte)
{
    const auto value = static_cast<unsigned char>(byte);
    return value > 32 && value != 127;
}

bool hasToken(const QList<QByteArray>& lines, QByteArrayView token)
{
    for (const auto& line : lines)
        for (const auto& part : line.split(','))
            if (token.compare(part.trimmed(), Qt::CaseInsensitive) == 0)
                return true;
    return false;
}

bool isDigits(const QByteArray& text)
{
    return !text.isEmpty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool needsLength(const QByteArray& method)
{
    return method == "POST" || method == "PUT" || method == "PATCH";
}

} // namespace

RequestReader::State RequestReader::take(QByteArray& bytes)
{
    if (m_state == State::Head)
        takeHead(bytes);
    if (m_state == State::Body)
        takeBody(bytes);
    return m_state;
}

void RequestReader::takeHead(QByteArray& bytes)
{
    // RFC 9112, 2.2: an empty line before the request line is ignored.
    while (m_scanned <= 1 && bytes.startsWith("\r\n")) {
        bytes.remove(0, 2);
        m_scanned = 0;
    }
    if (auto broken = scanHead(bytes); !broken.isEmpty())
        return refuse(ProblemCode::BodyInvalid, std::move(broken));
    if (m_headSize > m_limits.head || (m_headSize == 0 && m_scanned >= m_limits.head))
        return refuse(ProblemCode::HeaderTooLarge,
                      "The head of a request may have " + QByteArray::number(m_limits.head) + " bytes.");
    if (m_headSize == 0)
        return;
    parseHead(QByteArrayView(bytes).first(m_headSize));
    bytes.remove(0, m_headSize);
}

QByteArray RequestReader::scanHead(QByteArrayView bytes)
{
    const qsizetype end = std::min(bytes.size(), m_limits.head + 1); // the byte behind the limit is the last one looked at
    qsizetype at = m_scanned;
    for (; at < end && m_headSize == 0; ++at) {
        const char byte = bytes[at];
        const char before = at > 0 ? bytes[at - 1] : '\0';
        if (isPlain(byte) && before != '\r')
            continue;
        if ((byte == '\n') != (before == '\r'))
            return "Lines of the head end with CR LF.";
        if (!isPlain(byte) && !QByteArrayView(" \t\r\n").contains(byte))
            return "There is a control byte in the head.";
        if ((byte == ' ' || byte == '\t') && before == '\n')
            return "A header line is folded.";
        if (byte == '\n' && at >= 3 && bytes.sliced(at - 3, 4) == kEmptyLine)
            m_headSize = at + 1;
    }
    m_scanned = std::min(at, m_limits.head);
    return {};
}

void RequestReader::parseHead(QByteArrayView head)
{
    m_request.bytesIn = head.size();
    HeadParser parser(m_request);
    beast::error_code error;
    parser.put({head.data(), static_cast<std::size_t>(head.size())}, error);
    m_request.keepsConnection = parser.version() == 11 && !hasToken(m_request.values("Connection"), "close");
    m_isVersion11 = parser.version() == 11;
    if (!parser.target().isEmpty())
        readTarget(parser.target()); // first, so that every later refusal can name the path
    if (m_request.method == "HEAD") {
        m_isHeadMethod = true;
        m_request.method = "GET";
    }
    if (m_state == State::Refused)
        return;
    if (error == beast::http::error::bad_content_length || error == beast::http::error::bad_transfer_encoding)
        return refuse(ProblemCode::BodyInvalid, "Send one Content-Length, digits only, and no Transfer-Encoding.");
    if (error || !parser.is_header_done())
        return refuse(ProblemCode::BodyInvalid, "This is not HTTP/1.1: " + QByteArray::fromStdString(error.message()) + '.');
    readFraming();
    if (m_state != State::Refused)
        m_state = State::Body;
}

void RequestReader::readFraming()
{
    const auto lengths = m_request.values("Content-Length");
    if (!m_request.values("Transfer-Encoding").isEmpty()) {
        if (!lengths.isEmpty())
            return refuse(ProblemCode::BodyInvalid, "Send one Content-Length, digits only, and no Transfer-Encoding.");
        return refuse(ProblemCode::NotImplemented, "Send the body with Content-Length, without a transfer coding.");
    }
    if (lengths.size() > 1 || (lengths.size() == 1 && !isDigits(lengths.front())))
        return refuse(ProblemCode::BodyInvalid, "Content-Length is one line of digits.");
    if (lengths.isEmpty() && needsLength(m_request.method))
        return refuse(ProblemCode::LengthRequired, "Send Content-Length.");
    if (!lengths.isEmpty()) {
        const auto& text = lengths.front();
        if (text.size() > kLongestLengthText || text.toLongLong() > m_limits.body)
            return refuse(ProblemCode::BodyTooLarge, "A body may have " + QByteArray::number(m_limits.body) + " bytes.");
        m_bodySize = static_cast<qsizetype>(text.toLongLong());
    }
    const auto expectations = m_request.values("Expect");
    if (!expectations.isEmpty() && !hasToken(expectations, "100-continue"))
        return refuse(ProblemCode::BodyInvalid, "Expect knows only 100-continue.");
    m_expectsContinue = !expectations.isEmpty() && m_isVersion11 && m_bodySize > 0;
    // RFC 9112, 3.2.
    const auto hosts = m_request.values("Host").size();
    if (hosts > 1 || (hosts == 0 && m_isVersion11))
        return refuse(ProblemCode::BodyInvalid, "Send one Host line.");
}

void RequestReader::readTarget(QByteArray target)
{
    if (target.startsWith("http://")) { // RFC 9112, 3.2.2: the absolute form must be understood
        const auto slash = target.indexOf('/', 7);
        target = slash < 0 ? QByteArray("/") : target.mid(slash);
    }
    if (!target.startsWith('/'))
        return refuse(ProblemCode::BodyInvalid, "The request target is a path.");
    const auto mark = target.indexOf('?');
    m_request.path = mark < 0 ? target : target.first(mark);
    if (mark >= 0)
        m_request.query = QUrlQuery(QString::fromLatin1(target.sliced(mark + 1)));
}

void RequestReader::takeBody(QByteArray& bytes)
{
    if (bytes.size() < m_bodySize)
        return;
    if (bytes.size() == m_bodySize) {
        m_request.body = std::exchange(bytes, {});
    } else {
        m_request.body = bytes.first(m_bodySize);
        bytes.remove(0, m_bodySize);
    }
    m_request.bytesIn += m_bodySize;
    m_state = State::Complete;
}

void RequestReader::refuse(ProblemCode code, QByteArray detail)
{
    m_state = State::Refused;
    m_refusal = {code, std::move(detail)};
}

} // namespace payonce::http
