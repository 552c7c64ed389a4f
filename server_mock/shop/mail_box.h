// The mail system of this program: a table that tests read.
#pragma once

#include "shop/mail_system.h"
#include "shop/records.h"

namespace payonce::shop {

class MailBox final : public MailSystem
{
public:
    MailBox(Records& records, Clock clock) : m_records(records), m_clock(std::move(clock)) {}

    void deliver(const storage::OutboxMail& mail, std::function<void(Delivery)> done) override;

private:
    Records& m_records;
    Clock m_clock;
};

} // namespace payonce::shop
