// What somebody sends who pays, many times over: made before a measurement, so that no figure has its cost.
#pragma once

#include <QtCore/QByteArray>

#include <vector>

namespace payonce::bench {

/// Whether the keys of payments grow as the app makes them, or come in any order.
enum class KeyOrder { AsMade, Shuffled };

/// Keys for payments: minted now, one after the other, or with times drawn from the last ten hours.
[[nodiscard]] std::vector<QByteArray> mintKeys(int count, KeyOrder order);

/// One request of a connection that stays.
[[nodiscard]] QByteArray keptAlive(const QByteArray& method, const QByteArray& path, const QByteArray& token,
                                   const QByteArray& headers = {}, const QByteArray& body = {});

/// Payments of one account by one card.
class PaymentRequests
{
public:
    /// Exchanges the card.
    PaymentRequests(quint16 port, QByteArray token);

    /// Every key once, each for a cart of its own.
    [[nodiscard]] std::vector<QByteArray> of(const std::vector<QByteArray>& keys) const;
    [[nodiscard]] const QByteArray& token() const { return m_token; }

private:
    QByteArray m_token;
    QByteArray m_card;
    QByteArray m_validUntil;
};

} // namespace payonce::bench
