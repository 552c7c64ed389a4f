// What a customer of the shop sends, as text, without any client code of ours.
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QDateTime>
#include <QtCore/QList>

#include <utility>

namespace payonce::support {

using Headers = QList<std::pair<QByteArray, QByteArray>>;

/// A card that is approved.
inline constexpr const char* kGoodCard = "4242424242424242";

/// Whose request it is, and that its body is JSON.
[[nodiscard]] inline Headers bearer(const QByteArray& token)
{
    return {{"Authorization", "Bearer " + token}, {"Content-Type", "application/json"}};
}

/// As bearer(), of the action with this key.
[[nodiscard]] inline Headers bearer(const QByteArray& token, const QByteArray& key)
{
    return bearer(token) << std::pair<QByteArray, QByteArray>("Idempotency-Key", '"' + key + '"');
}

[[nodiscard]] inline QByteArray cardBody(const QByteArray& number = kGoodCard)
{
    return R"({"card":{"number":")" + number + R"(","exp_month":12,"exp_year":2031,"cvc":"123"}})";
}

/// A quarter of an hour from now, in seconds: two of them need not be the same bytes.
[[nodiscard]] inline QByteArray soon()
{
    return QDateTime::currentDateTimeUtc().addSecs(900).toString(Qt::ISODate).toLatin1();
}

/// What a payment says; sending it twice sends the same bytes twice.
struct Payment
{
    QByteArray cart = "cart_1";
    qint64 value = 4200;
    QByteArray currency = "EUR";
    QByteArray paymentMethod{};
    QByteArray validUntil = soon();
    QByteArray email = "a@example.com";
};

[[nodiscard]] inline QByteArray paymentBody(const Payment& payment)
{
    return R"({"cart_id":")" + payment.cart + R"(","amount":{"value":)" + QByteArray::number(payment.value) +
           R"(,"currency":")" + payment.currency + R"("},"payment_method":")" + payment.paymentMethod + R"(","email":")" +
           payment.email + R"(","valid_until":")" + payment.validUntil + R"("})";
}

} // namespace payonce::support
