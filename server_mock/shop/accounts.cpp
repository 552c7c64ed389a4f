#include "shop/accounts.h"

#include "values/check.h"

#include <utility>

namespace payonce::shop {

namespace {

// No early end: the time says nothing about where the first difference is.
bool equalInConstantTime(QByteArrayView a, QByteArrayView b)
{
    if (a.size() != b.size())
        return false;
    unsigned difference = 0;
    for (qsizetype i = 0; i < a.size(); ++i)
        difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned>(static_cast<unsigned char>(b[i]));
    return difference == 0;
}

} // namespace

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
        if (equalInConstantTime(known.token, token))
            holder = known.holder;
    return holder;
}

} // namespace payonce::shop
