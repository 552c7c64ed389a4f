// Port: how a signed event reaches the shop.
#pragma once

#include "protocol/webhook_signature.h"

#include <functional>
#include <string>

namespace payonce::bank {

struct SignedEvent
{
    protocol::WebhookHead head;
    std::string body;
};

/// NotTaken: refused, or nobody knows. It is sent again later.
enum class Posted { Taken, NotTaken };

class EventPost
{
public:
    EventPost() = default;
    EventPost(const EventPost&) = delete;
    EventPost& operator=(const EventPost&) = delete;
    EventPost(EventPost&&) = delete;
    EventPost& operator=(EventPost&&) = delete;
    virtual ~EventPost() = default;

    /// `done` comes later than the call, on the caller's thread, at most once.
    virtual void post(const SignedEvent& event, std::function<void(Posted)> done) = 0;
};

} // namespace payonce::bank
