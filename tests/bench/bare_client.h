// The client of somebody who does not care: QNetworkAccessManager with all its defaults.
#pragma once

#include "bench/figures.h"
#include "transport/shop_address.h"

#include <QtNetwork/QNetworkAccessManager>

#include <optional>

namespace payonce::bench {

/// What became of one POST.
struct BareEnd
{
    std::optional<int> status; ///< none: it broke, or there was no end in time
    QByteArray body;
    QString error; ///< Qt's words for how it broke; empty where there was no end in time
    Microseconds time{0};
};

class BareClient
{
public:
    explicit BareClient(transport::ShopAddress address) : m_address(std::move(address)) {}

    /// Waits for the end of it, `patience` at most. Without a key where `key` is empty.
    [[nodiscard]] BareEnd post(const QString& path, const QByteArray& key, const std::string& body,
                               std::chrono::milliseconds patience);
    /// The card's exchange and the payment of a fresh cart, which is the POST that is told about.
    [[nodiscard]] BareEnd pay(std::chrono::milliseconds patience);

private:
    transport::ShopAddress m_address;
    QNetworkAccessManager m_manager;
    int m_cart = 0;
};

/// `runs` payments in one sentence: how often it knew the end, how soon, and what it said otherwise.
[[nodiscard]] std::string bareEnds(BareClient& client, int runs, std::chrono::milliseconds patience);

} // namespace payonce::bench
