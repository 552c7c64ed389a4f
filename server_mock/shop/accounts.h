// Who a bearer token belongs to.
#pragma once

#include <QtCore/QByteArray>

#include <optional>
#include <string>
#include <vector>

namespace payonce::shop {

class Accounts
{
public:
    void add(std::string account, QByteArray token);
    /// Reads the value of `Authorization`. Takes the same time for every wrong token of one length.
    [[nodiscard]] std::optional<std::string> accountOf(QByteArrayView authorization) const;

private:
    struct Holder
    {
        std::string account;
        QByteArray token;
    };
    std::vector<Holder> m_holders;
};

} // namespace payonce::shop
