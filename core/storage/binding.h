// Values to bound SQL values and back. Integers stay integers and text is never NULL by accident.
#pragma once

#include "values/money.h"
#include "values/time.h"
#include "values/uuid.h"

#include <QtCore/QByteArray>
#include <QtCore/QString>
#include <QtCore/QVariant>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace payonce::storage {

[[nodiscard]] inline QVariant bound(std::int64_t number)
{
    return QVariant::fromValue<qlonglong>(number);
}

[[nodiscard]] inline QVariant bound(std::string_view text)
{
    // A null QString would be bound as NULL.
    return text.empty() ? QString(QLatin1String("")) : QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

[[nodiscard]] inline QVariant bound(values::WallTime time)
{
    return bound(static_cast<std::int64_t>(time.time_since_epoch().count()));
}

template <class Tag> [[nodiscard]] QVariant bound(const values::UuidV7<Tag>& id)
{
    return bound(std::string_view(id.toString()));
}

[[nodiscard]] inline QVariant bound(const values::ActionId& id)
{
    return bound(std::string_view(id.toString()));
}

/// Empty becomes NULL.
template <class T> [[nodiscard]] QVariant bound(const std::optional<T>& value)
{
    return value ? bound(*value) : QVariant();
}

/// Exact bytes, for BLOB columns.
[[nodiscard]] inline QVariant boundBytes(std::string_view bytes)
{
    return bytes.empty() ? QByteArray("") : QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size()));
}

[[nodiscard]] inline std::string textOf(const QVariant& value)
{
    return value.toString().toStdString();
}

[[nodiscard]] inline std::string bytesOf(const QVariant& value)
{
    return value.toByteArray().toStdString();
}

[[nodiscard]] inline std::int64_t numberOf(const QVariant& value)
{
    return value.toLongLong();
}

[[nodiscard]] inline values::WallTime timeOf(const QVariant& value)
{
    return values::WallTime(std::chrono::milliseconds(value.toLongLong()));
}

/// Empty where the column is NULL.
[[nodiscard]] inline std::optional<values::WallTime> optionalTimeOf(const QVariant& value)
{
    return value.isNull() ? std::nullopt : std::optional(timeOf(value));
}

/// Empty where the row does not hold an amount of a currency we know.
[[nodiscard]] inline std::optional<values::Money> moneyOf(const QVariant& minorUnits, const QVariant& currency)
{
    const auto known = values::Currency::fromCode(textOf(currency));
    return known ? std::optional(values::Money{numberOf(minorUnits), *known}) : std::nullopt;
}

} // namespace payonce::storage
