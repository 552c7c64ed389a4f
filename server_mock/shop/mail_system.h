// Port: the mail system, which is the outside world. It knows a delivery id it has had, and sends no second mail for it.
#pragma once

#include "storage/outbox_table.h"

#include <functional>

namespace payonce::shop {

/// Unknown: it may have the mail or not. Then the same delivery id is tried again.
enum class Delivery { Done, Unknown };

class MailSystem
{
public:
    MailSystem() = default;
    MailSystem(const MailSystem&) = delete;
    MailSystem& operator=(const MailSystem&) = delete;
    MailSystem(MailSystem&&) = delete;
    MailSystem& operator=(MailSystem&&) = delete;
    virtual ~MailSystem() = default;

    /// `done` comes later than the call, on the caller's thread, at most once.
    virtual void deliver(const storage::OutboxMail& mail, std::function<void(Delivery)> done) = 0;
};

} // namespace payonce::shop
