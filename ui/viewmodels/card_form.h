// CardForm: what was typed to pay with, how it is grouped, and whether it can be sent.
#pragma once

#include "retry/transport.h"
#include "viewmodels/card_number.h"

#include <QtCore/QObject>

#include <functional>
#include <optional>

namespace payonce::viewmodels {

/// What a field has to say about itself. Empty and Incomplete are not yet mistakes while the person is typing.
enum class FieldState { Empty, Incomplete, Wrong, Good };

/// What the form starts with.
struct CardFields
{
    QString email;
    QString number;
    QString expiry; ///< `12 / 31`
    QString securityCode;
};

/// Secrets live here only, in memory, and only until `forgetCard()`.
class CardForm : public QObject
{
    Q_OBJECT
    Q_PROPERTY(QString email READ email WRITE setEmail NOTIFY changed)
    Q_PROPERTY(QString number READ number WRITE setNumber NOTIFY changed)
    Q_PROPERTY(QString expiry READ expiry WRITE setExpiry NOTIFY changed)
    Q_PROPERTY(QString securityCode READ securityCode WRITE setSecurityCode NOTIFY changed)
    Q_PROPERTY(bool valid READ isValid NOTIFY changed)

public:
    /// `today` gives this computer's wall time; a card is good to the end of its month.
    explicit CardForm(std::function<values::WallTime()> today, QObject* parent = nullptr);

    [[nodiscard]] QString email() const { return m_fields.email; }
    [[nodiscard]] QString number() const { return m_fields.number; }
    [[nodiscard]] QString expiry() const { return m_fields.expiry; }
    [[nodiscard]] QString securityCode() const { return m_fields.securityCode; }
    [[nodiscard]] CardBrand brand() const;

    /// The text is brought into its form: digits grouped, everything else dropped, cut at the longest.
    void setEmail(const QString& text);
    void setNumber(const QString& text);
    void setExpiry(const QString& text);
    void setSecurityCode(const QString& text);
    void setFields(const CardFields& fields);

    [[nodiscard]] FieldState emailState() const;
    [[nodiscard]] FieldState numberState() const;
    [[nodiscard]] FieldState expiryState() const;
    [[nodiscard]] FieldState securityCodeState() const;
    [[nodiscard]] bool isValid() const;

    /// The card, if the form is valid.
    [[nodiscard]] std::optional<retry::Card> card() const;
    /// Overwrites number, expiry and security code; the e-mail stays.
    void forgetCard();

Q_SIGNALS:
    void changed();

private:
    std::function<values::WallTime()> m_today;
    CardFields m_fields;
};

} // namespace payonce::viewmodels
