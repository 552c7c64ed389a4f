// IDs of this moment, as an app mints them.
#pragma once

#include "values/time.h"
#include "values/uuid.h"

#include <QtCore/QByteArray>
#include <QtCore/QDateTime>
#include <QtCore/QRandomGenerator>

namespace payonce::support {

[[nodiscard]] inline values::WallTime wallTime()
{
    return values::WallTime(std::chrono::milliseconds(QDateTime::currentMSecsSinceEpoch()));
}

[[nodiscard]] inline values::UuidRandom randomBits()
{
    values::UuidRandom bits{};
    for (std::uint8_t& byte : bits)
        byte = static_cast<std::uint8_t>(QRandomGenerator::global()->bounded(256));
    return bits;
}

[[nodiscard]] inline values::ActionId freshId(values::WallTime at = wallTime())
{
    return values::ActionId::mint(at, randomBits());
}

/// Its text, as it stands between the quotes of `Idempotency-Key`.
[[nodiscard]] inline QByteArray freshKey(values::WallTime at = wallTime())
{
    return QByteArray::fromStdString(freshId(at).toString());
}

} // namespace payonce::support
