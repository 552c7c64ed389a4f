// Who a bearer token belongs to, and what it is for.
#pragma once

#include <QtCore/QByteArray>

#include <optional>
#include <string>
#include <vector>

namespace payonce::shop {

/// Shop: an account's own requests. Support: look-ups. SupportAct: look-ups and deeds.
enum class Scope { Shop, Support, SupportAct };

struct Holder
{
    std::string account;
    Scope scope = Scope::Shop;
};

class Accounts
{
public:
    void add(std::string account, QByteArray token, Scope scope = Scope::Shop);
    /// Reads the value of `Authorization`. Takes the same time for every wrong token of one length.
    [[nodiscard]] std::optional<Holder> holderOf(QByteArrayView authorization) const;

    /// Is it an account of the shop, that is not one of support?
    [[nodiscard]] bool has(const std::string& account) const;

private:
    struct Known
    {
        Holder holder;
        QByteArray token;
    };
    std::vector<Known> m_known;
};

} // namespace payonce::shop
