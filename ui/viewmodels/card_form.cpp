#include "viewmodels/card_form.h"

#include <QtCore/QRegularExpression>

namespace payonce::viewmodels {

namespace {

constexpr qsizetype kLongestEmail = 254; // RFC 5321, 4.5.3.1.3, without the angle brackets
constexpr qsizetype kExpiryTextLength = 7;
/// Cards are issued for a few years; anything later is a typing mistake.
constexpr int kLongestValidity = 20;

bool isPast(const Expiry& expiry, values::WallTime now)
{
    const std::chrono::year_month_day today(std::chrono::floor<std::chrono::days>(now));
    const auto last = std::chrono::year(expiry.year) / std::chrono::month(static_cast<unsigned>(expiry.month));
    return last < today.year() / today.month();
}

bool isTooFar(const Expiry& expiry, values::WallTime now)
{
    const std::chrono::year_month_day today(std::chrono::floor<std::chrono::days>(now));
    return std::chrono::year(expiry.year) > today.year() + std::chrono::years(kLongestValidity);
}

void overwrite(QString& secret)
{
    secret.fill(QLatin1Char('0'));
    secret.clear();
}

} // namespace

CardForm::CardForm(std::function<values::WallTime()> today, QObject* parent) : QObject(parent), m_today(std::move(today)) {}

CardBrand CardForm::brand() const
{
    return brandOf(digitsOf(m_fields.number, kLongestNumber));
}

void CardForm::setEmail(const QString& text)
{
    if (m_fields.email == text)
        return;
    m_fields.email = text.left(kLongestEmail);
    Q_EMIT changed();
}

void CardForm::setNumber(const QString& text)
{
    const QString grouped = groupedNumber(text);
    if (m_fields.number == grouped)
        return;
    m_fields.number = grouped;
    Q_EMIT changed();
}

void CardForm::setExpiry(const QString& text)
{
    const QString grouped = groupedExpiry(text);
    if (m_fields.expiry == grouped)
        return;
    m_fields.expiry = grouped;
    Q_EMIT changed();
}

void CardForm::setSecurityCode(const QString& text)
{
    const QString digits = digitsOf(text, codeLengthOf(brand()).longest);
    if (m_fields.securityCode == digits)
        return;
    m_fields.securityCode = digits;
    Q_EMIT changed();
}

void CardForm::setFields(const CardFields& fields)
{
    setEmail(fields.email);
    setNumber(fields.number);
    setExpiry(fields.expiry);
    setSecurityCode(fields.securityCode);
}

FieldState CardForm::emailState() const
{
    // A light check on purpose: only the mail itself proves an address.
    static const QRegularExpression shape(QStringLiteral("^[^\\s@]+@[^\\s@.]+(\\.[^\\s@.]+)+$"));
    const QString email = m_fields.email.trimmed();
    if (email.isEmpty())
        return FieldState::Empty;
    return shape.match(email).hasMatch() ? FieldState::Good : FieldState::Incomplete;
}

FieldState CardForm::numberState() const
{
    const QString digits = digitsOf(m_fields.number, kLongestNumber);
    if (digits.isEmpty())
        return FieldState::Empty;
    if (isLengthOf(brandOf(digits), digits.size()) && luhnHolds(digits))
        return FieldState::Good;
    const bool mayGrow = groupedNumber(digits + QLatin1Char('0')).size() > m_fields.number.size();
    return mayGrow ? FieldState::Incomplete : FieldState::Wrong;
}

FieldState CardForm::expiryState() const
{
    if (m_fields.expiry.isEmpty())
        return FieldState::Empty;
    if (m_fields.expiry.size() < kExpiryTextLength)
        return FieldState::Incomplete;
    const auto expiry = expiryOf(m_fields.expiry);
    const auto now = m_today();
    return expiry && !isPast(*expiry, now) && !isTooFar(*expiry, now) ? FieldState::Good : FieldState::Wrong;
}

FieldState CardForm::securityCodeState() const
{
    const auto length = codeLengthOf(brand());
    const auto typed = m_fields.securityCode.size();
    if (typed == 0)
        return FieldState::Empty;
    if (typed < length.shortest)
        return FieldState::Incomplete;
    return typed > length.longest ? FieldState::Wrong : FieldState::Good;
}

bool CardForm::isValid() const
{
    return emailState() == FieldState::Good && numberState() == FieldState::Good && expiryState() == FieldState::Good &&
           securityCodeState() == FieldState::Good;
}

std::optional<retry::Card> CardForm::card() const
{
    const auto expiry = expiryOf(m_fields.expiry);
    if (!isValid() || !expiry)
        return {};
    return retry::Card{digitsOf(m_fields.number, kLongestNumber).toStdString(), expiry->month, expiry->year,
                       m_fields.securityCode.toStdString()};
}

void CardForm::forgetCard()
{
    overwrite(m_fields.number);
    overwrite(m_fields.securityCode);
    m_fields.expiry.clear();
    Q_EMIT changed();
}

} // namespace payonce::viewmodels
