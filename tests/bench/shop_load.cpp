#include "bench/shop_load.h"

#include "values/check.h"

#include <QtCore/QFile>

namespace payonce::bench {

ShopLoad::ShopLoad() : m_server(m_directory.path())
{
    CHECK(m_server.start());
    m_requests = std::make_unique<PaymentRequests>(m_server.shopPort(), m_server.token(QStringLiteral("account")));
}

LoadResult ShopLoad::pay(const std::vector<QByteArray>& keys, Waiting waiting)
{
    return runLoad({.port = m_server.shopPort(), .requests = m_requests->of(keys), .expectedStatus = 201, .waiting = waiting});
}

LoadResult ShopLoad::askHealth(int requests, Bytes bytes)
{
    const QByteArray payment = m_requests->of(mintKeys(1, KeyOrder::AsMade)).front();
    const auto alike = bytes == Bytes::Bare ? keptAlive("GET", "/healthz", m_requests->token())
                                            : "GET /healthz" + payment.sliced(QByteArrayView("POST /v1/payments").size());
    return runLoad({.port = m_server.shopPort(),
                    .requests = std::vector<QByteArray>(static_cast<std::size_t>(requests), alike),
                    .waiting = Waiting::Awake});
}

std::int64_t ShopLoad::residentKib() const
{
    QFile status(QStringLiteral("/proc/%1/status").arg(m_server.pid()));
    CHECK(status.open(QIODevice::ReadOnly));
    for (const auto& line : status.readAll().split('\n'))
        if (line.startsWith("VmRSS:"))
            return line.simplified().split(' ').at(1).toLongLong();
    return 0;
}

} // namespace payonce::bench
