// A running payonce-server, a card it has exchanged, and payments to send to it.
#pragma once

#include "bench/load_client.h"
#include "support/server_process.h"

#include <QtCore/QTemporaryDir>

#include <cstdint>
#include <vector>

namespace payonce::bench {

enum class KeyOrder { AsMade, Shuffled };

class ShopLoad
{
public:
    ShopLoad();

    /// Keys for payments: minted now, one after the other, or with times drawn from the last ten hours.
    [[nodiscard]] std::vector<QByteArray> mintKeys(int count, KeyOrder order);
    /// Every key once, each for a cart of its own.
    [[nodiscard]] LoadResult pay(const std::vector<QByteArray>& keys, int connections = 50);
    [[nodiscard]] LoadResult askHealth(int requests);
    /// Resident memory of the server, in KiB.
    [[nodiscard]] std::int64_t residentKib() const;
    /// Ends the server; its files stay.
    void stop() { m_server.stop(); }
    [[nodiscard]] QString directory() const { return m_directory.path(); }

private:
    [[nodiscard]] QByteArray payment(const QByteArray& key) const;
    [[nodiscard]] QByteArray exchangeCard() const;

    QTemporaryDir m_directory;
    support::ServerProcess m_server;
    QByteArray m_authorization;
    QByteArray m_card;
    QByteArray m_validUntil;
};

} // namespace payonce::bench
