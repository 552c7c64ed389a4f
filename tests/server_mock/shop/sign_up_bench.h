// One shop of a test, and sign-ups to it.
#pragma once

#include "shop_bench.h"

#include "support/shop_rows.h"

#include <QtCore/QDateTime>

namespace payonce::shop {

class SignUpBench : public ShopBench
{
public:
    using ShopBench::ShopBench;

    /// Named A, valid for ten minutes; the same bytes for one address each time of a test.
    [[nodiscard]] static QByteArray bodyFor(const QByteArray& email)
    {
        static const QByteArray until = QByteArray::fromStdString(values::toRfc3339(
            values::WallTime(std::chrono::milliseconds(QDateTime::currentMSecsSinceEpoch()) + std::chrono::minutes(10))));
        return R"({"email":")" + email + R"(","name":"A","valid_until":")" + until + R"("})";
    }
    [[nodiscard]] std::unique_ptr<support::HttpCall>
    signUp(const values::ActionId& id, const QByteArray& email = "a@example.com", const QByteArray& token = kToken)
    {
        return send("POST", "/v1/accounts", keyOf(id), bodyFor(email), token);
    }
    /// GET of the action's path with `rest` behind it; POST where `rest` is another part of the path.
    [[nodiscard]] support::HttpAnswer ask(const values::ActionId& id, const QByteArray& rest = {})
    {
        const QByteArray path = "/v1/actions/" + QByteArray::fromStdString(id.toString()) + rest;
        return answerOf(send(rest.startsWith('/') ? "POST" : "GET", path));
    }
    /// Rows of the database, read from outside.
    [[nodiscard]] QList<QByteArray> accounts() const { return support::accountsIn(shopFile()); }
    [[nodiscard]] QList<QByteArray> mails() const { return support::mailsAskedForIn(shopFile()); }
};

} // namespace payonce::shop
