#include "shop/accounts.h"

#include "protocol/constant_time.h"
#include "values/check.h"

#include <utility>

namespace payonce::shop {

void Accounts::add(std::string account, QByteArray token, Scope scope)
{
    CHECK(!token.isEmpty());
    m_known.push_back({{std::move(account), scope}, std::move(token)});
}

std::optional<Holder> Accounts::holderOf(QByteArrayView authorization) const
{
    constexpr QByteArrayView kScheme("bearer ");
    if (authorization.size() < kScheme.size() || authorization.first(kScheme.size()).compare(kScheme, Qt::CaseInsensitive) != 0)
        return {};
    const QByteArrayView token = authorization.sliced(kScheme.size()).trimmed();
    std::optional<Holder> holder;
    for (const Known& known : m_known)
        if (protocol::equalInConstantTime(known.token, token))
            holder = known.holder;
    return holder;
}

} // namespace payonce::shop
