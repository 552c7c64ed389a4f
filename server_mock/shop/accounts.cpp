#include "shop/accounts.h"

#include "protocol/constant_time.h"
#include "values/check.h"

#include <algorithm>
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

bool Accounts::has(const std::string& account) const
{
    return std::any_of(m_known.begin(), m_known.end(), [&account](const Known& known) {
        return known.holder.scope == Scope::Shop && known.holder.account == account;
    });
}

} // namespace payonce::shop
