#include "protocol/digest.h"

#include "protocol/structured_field.h"

#include <QtCore/QByteArray>
#include <QtCore/QCryptographicHash>

#include <algorithm>

namespace payonce::protocol {

namespace {

QByteArray hashOf(std::string_view bytes)
{
    return QCryptographicHash::hash(QByteArrayView(bytes.data(), static_cast<qsizetype>(bytes.size())),
                                    QCryptographicHash::Sha256);
}

/// The bytes of a member `sha-256=:BASE64:`; null unless this is one.
QByteArray sha256Member(std::string_view member)
{
    constexpr std::string_view kStart = "sha-256=:";
    if (member.substr(0, kStart.size()) != kStart || member.back() != ':' || member.size() == kStart.size())
        return {};
    const auto base64 = member.substr(kStart.size(), member.size() - kStart.size() - 1);
    const auto decoded = QByteArray::fromBase64Encoding(QByteArray(base64.data(), static_cast<qsizetype>(base64.size())),
                                                        QByteArray::AbortOnBase64DecodingErrors);
    return decoded ? *decoded : QByteArray();
}

} // namespace

Sha256 sha256(std::string_view bytes)
{
    const auto hash = hashOf(bytes);
    Sha256 result{};
    std::copy(hash.begin(), hash.end(), result.begin());
    return result;
}

std::string sha256Hex(std::string_view bytes)
{
    return hashOf(bytes).toHex().toStdString();
}

std::string contentDigest(std::string_view body)
{
    return "sha-256=:" + hashOf(body).toBase64().toStdString() + ':';
}

bool contentDigestMatches(std::string_view field, std::string_view body)
{
    bool matches = false;
    for (const auto part : splitOutsideQuotes(field, ',')) {
        const auto member = trimmed(part);
        if (member.substr(0, 8) == "sha-256=") // the last of doubled members counts (RFC 9651, 3.2)
            matches = sha256Member(member) == hashOf(body);
    }
    return matches;
}

} // namespace payonce::protocol
