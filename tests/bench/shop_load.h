// A running payonce-server, and payments to send to it.
#pragma once

#include "bench/load_client.h"
#include "bench/payment_requests.h"
#include "support/server_process.h"

#include <QtCore/QTemporaryDir>

#include <cstdint>
#include <memory>
#include <vector>

namespace payonce::bench {

class ShopLoad
{
public:
    ShopLoad();

    /// Every key once, each for a cart of its own.
    [[nodiscard]] LoadResult pay(const std::vector<QByteArray>& keys, Waiting waiting = Waiting::Asleep);
    /// GET /healthz. Bare: of a few bytes. LikePayments: with all header lines and the body of a payment.
    enum class Bytes { Bare, LikePayments };
    [[nodiscard]] LoadResult askHealth(int requests, Bytes bytes);
    /// Resident memory of the server, in KiB.
    [[nodiscard]] std::int64_t residentKib() const;
    /// Ends the server; its files stay.
    void stop() { m_server.stop(); }
    [[nodiscard]] QString directory() const { return m_directory.path(); }

private:
    QTemporaryDir m_directory;
    support::ServerProcess m_server;
    std::unique_ptr<PaymentRequests> m_requests;
};

} // namespace payonce::bench
