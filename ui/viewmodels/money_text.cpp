#include "viewmodels/money_text.h"

#include "values/check.h"

#include <limits>

namespace payonce::viewmodels {

namespace {

QString symbolOf(const values::Currency& currency)
{
    if (currency.code() == "EUR")
        return QStringLiteral("€");
    const auto code = currency.code();
    return QString::fromLatin1(code.data(), static_cast<qsizetype>(code.size()));
}

} // namespace

QString moneyText(const values::Money& money)
{
    CHECK(money.minorUnits > std::numeric_limits<std::int64_t>::min());
    const bool negative = money.minorUnits < 0;
    const values::Money magnitude{negative ? -money.minorUnits : money.minorUnits, money.currency};
    const QString text = QString::fromStdString(values::toDecimal(magnitude)) + QLatin1Char(' ') + symbolOf(money.currency);
    return negative ? QStringLiteral("−") + text : text;
}

} // namespace payonce::viewmodels
