#include "transport/raw_answer.h"

#include "protocol/answer_reader.h"
#include "protocol/digest.h"
#include "protocol/http_date.h"

#include <string_view>

namespace payonce::transport {

namespace {

std::string_view view(const QByteArray& bytes)
{
    return {bytes.constData(), static_cast<std::size_t>(bytes.size())};
}

bool digestMatches(const RawAnswer& answer)
{
    return !answer.contentDigest.isNull() && protocol::contentDigestMatches(view(answer.contentDigest), view(answer.body));
}

} // namespace

bool isComplete(const RawAnswer& answer)
{
    bool isNumber = false;
    const qulonglong length = answer.contentLength.trimmed().toULongLong(&isNumber);
    return isNumber && length == static_cast<qulonglong>(answer.body.size());
}

bool isWhole(const RawAnswer& answer)
{
    return answer.error == retry::TransportError::None && answer.status && isComplete(answer) &&
           answer.contentEncoding.isNull() && digestMatches(answer);
}

retry::WireResult wireResultOf(const RawAnswer& answer, values::WallTime localNow)
{
    retry::WireResult result;
    result.bytesTaken = answer.bytesTaken;
    result.status = answer.status;
    result.error = answer.error;
    result.reason = answer.reason;
    result.complete = isComplete(answer);
    result.digestMatches = digestMatches(answer);
    result.encoded = !answer.contentEncoding.isNull();
    result.body = protocol::parseAnswer(view(answer.body));
    result.serverTime = protocol::fromHttpDate(view(answer.date), localNow);
    if (!answer.retryAfter.isNull()) {
        result.retryAfter = protocol::parseRetryAfter(view(answer.retryAfter), result.serverTime.value_or(localNow));
    }
    return result;
}

} // namespace payonce::transport
