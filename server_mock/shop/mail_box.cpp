#include "shop/mail_box.h"

#include <utility>

namespace payonce::shop {

void MailBox::deliver(const storage::OutboxMail& mail, std::function<void(Delivery)> done)
{
    m_records.work<void>(
        [mail, now = m_clock()](ShopStore& store) { return store.mails().deliver(mail, now); },
        [done = std::move(done)](const Outcome<void>& kept) { done(kept ? Delivery::Done : Delivery::Unknown); });
}

} // namespace payonce::shop
