#include "protocol/webhook_signature.h"

#include "protocol/constant_time.h"
#include "values/check.h"

#include <QtCore/QMessageAuthenticationCode>

#include <charconv>
#include <optional>

namespace payonce::protocol {

namespace {

constexpr std::string_view kSecretMark = "whsec_";
constexpr std::string_view kVersionMark = "v1,";
/// Seconds of the year 9999; more is no time.
constexpr std::int64_t kLatest = 253'402'300'799;

QByteArray bytesOf(std::string_view text)
{
    return {text.data(), static_cast<qsizetype>(text.size())};
}

QByteArray keyOf(std::string_view secret)
{
    if (!secret.starts_with(kSecretMark))
        return bytesOf(secret);
    return QByteArray::fromBase64(bytesOf(secret.substr(kSecretMark.size())));
}

QByteArray macOf(std::string_view secret, const WebhookHead& head, std::string_view body)
{
    const QByteArray key = keyOf(secret);
    CHECK(!key.isEmpty());
    QMessageAuthenticationCode code(QCryptographicHash::Sha256, key);
    code.addData(bytesOf(head.id) + '.' + bytesOf(head.timestamp) + '.');
    code.addData(body.data(), static_cast<qsizetype>(body.size()));
    return code.result();
}

/// One that is well-formed and right among those of the list; other versions beside it are not looked at.
bool hasSignature(std::string_view list, const QByteArray& mac)
{
    bool isFound = false;
    while (!list.empty()) {
        const std::string_view one = list.substr(0, list.find(' '));
        list.remove_prefix(std::min(list.size(), one.size() + 1));
        if (!one.starts_with(kVersionMark))
            continue;
        const auto given =
            QByteArray::fromBase64Encoding(bytesOf(one.substr(kVersionMark.size())), QByteArray::AbortOnBase64DecodingErrors);
        if (given.decodingStatus == QByteArray::Base64DecodingStatus::Ok && equalInConstantTime(given.decoded, mac))
            isFound = true;
    }
    return isFound;
}

std::optional<std::chrono::sys_seconds> timeIn(const std::string& text)
{
    std::int64_t seconds = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, seconds);
    if (text.empty() || error != std::errc() || stop != end || seconds < 0 || seconds > kLatest)
        return {};
    return std::chrono::sys_seconds(std::chrono::seconds(seconds));
}

} // namespace

WebhookHead signWebhook(std::string_view secret, std::string_view id, values::WallTime now, std::string_view body)
{
    const auto seconds = std::chrono::floor<std::chrono::seconds>(now.time_since_epoch());
    WebhookHead head{std::string(id), std::to_string(seconds.count()), {}};
    head.signature = std::string(kVersionMark) + macOf(secret, head, body).toBase64().toStdString();
    return head;
}

values::Result<void, std::string> verifyWebhook(std::string_view secret, const WebhookHead& head, std::string_view body,
                                                values::WallTime now)
{
    if (head.id.empty() || head.timestamp.empty() || head.signature.empty())
        return values::Failure(std::string("A webhook has the headers webhook-id, webhook-timestamp and webhook-signature."));
    if (head.id.size() > kLongestWebhookId || head.signature.size() > kLongestWebhookSignature)
        return values::Failure(std::string("webhook-id or webhook-signature is too long."));
    const auto time = timeIn(head.timestamp);
    if (!time)
        return values::Failure(std::string("webhook-timestamp must be whole seconds since 1970."));
    if (!hasSignature(head.signature, macOf(secret, head, body)))
        return values::Failure(std::string("webhook-signature is not this body's under the shared secret."));
    const auto apart = std::chrono::floor<std::chrono::seconds>(now) - *time;
    if (std::chrono::abs(apart) <= kWebhookWindow)
        return {};
    const char* const side = apart.count() > 0 ? " behind" : " ahead of";
    return values::Failure("The clocks are too far apart: webhook-timestamp is " +
                           std::to_string(std::chrono::abs(apart).count()) + " s" + side +
                           " the shop's clock; 300 s are allowed either way.");
}

} // namespace payonce::protocol
