// Sends what waits in the outbox: at least once to the mail system, which makes it once (docs/contract.md, Webhooks and mails).
#pragma once

#include "shop/mail_system.h"
#include "shop/shop_parts.h"

#include <QtCore/QObject>
#include <QtCore/QTimer>

#include <memory>

namespace payonce::shop {

struct OutboxNumbers
{
    using ms = std::chrono::milliseconds;
    ms every{250};
    ms lease{10'000}; ///< nobody else sends it for so long; one that is taken and then lost is sent after it
    int most = 50;    ///< mails of one round, so that payments never wait long behind mails
};

class OutboxSender : public QObject
{
    Q_OBJECT

public:
    OutboxSender(ShopParts& parts, MailSystem& mails, const OutboxNumbers& numbers = {}, QObject* parent = nullptr);

    /// The first round now (what an earlier run left), then one every OutboxNumbers::every.
    void start();

private:
    struct Sending;
    using Shared = std::shared_ptr<Sending>;

    void round();
    void send(const storage::OutboxMail& mail);
    void deliver(const Shared& sending);
    void delivered(const Shared& sending, Delivery delivery);
    void markSent(const Shared& sending);
    void tryLater(const Shared& sending);

    ShopParts& m_parts;
    MailSystem& m_mails;
    OutboxNumbers m_numbers;
    QTimer m_timer;
    std::optional<std::uint64_t> m_roundOfEpoch; // a round that has not come back yet
};

} // namespace payonce::shop
