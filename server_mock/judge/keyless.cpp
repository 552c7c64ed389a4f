#include "judge/keyless.h"

#include "protocol/json_text.h"
#include "protocol/strict_json.h"
#include "values/uuid.h"

#include <QtCore/QRandomGenerator>

#include <string>

namespace payonce::judge {

namespace {

constexpr QByteArrayView kKeyHeader = "Idempotency-Key";

std::string freshKey(values::WallTime now)
{
    constexpr int kByteValues = 256;
    values::UuidRandom random{};
    for (auto& byte : random)
        byte = static_cast<std::uint8_t>(QRandomGenerator::system()->bounded(kByteValues));
    return values::ActionId::mint(now, random).toString();
}

} // namespace

http::Request withoutKey(const http::Request& request, std::uint64_t number, values::WallTime now)
{
    http::Request keyless = request;
    keyless.headers.removeIf([](const auto& line) { return kKeyHeader.compare(line.first, Qt::CaseInsensitive) == 0; });
    keyless.headers.emplaceBack(kKeyHeader.toByteArray(), QByteArray::fromStdString('"' + freshKey(now) + '"'));
    const std::string text = request.body.toStdString();
    const auto checked = protocol::parseStrict(text);
    if (!checked || !checked->is_object() || !checked->contains("cart_id"))
        return keyless;
    auto body = protocol::OrderedJson::parse(text);
    body["cart_id"] = "naive-" + std::to_string(number);
    keyless.body = QByteArray::fromStdString(protocol::textOf(body));
    return keyless;
}

} // namespace payonce::judge
