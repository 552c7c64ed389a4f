// What the endpoints of the shop work with. All of it outlives them, on the main thread.
#pragma once

#include "faults/fault_points.h"
#include "faults/held_work.h"
#include "protocol/fields.h"
#include "shop/bank_desk.h"
#include "shop/metrics.h"
#include "shop/records.h"
#include "shop/replays.h"
#include "shop/waiting_room.h"

#include <functional>
#include <string>
#include <string_view>

namespace payonce::shop {

/// Something an operator should know. Never a body, a card or a token.
struct LogEvent
{
    std::string_view words;
    std::string actionId; ///< empty if it is about none
    std::string attempt;
};
using Warn = std::function<void(const LogEvent&)>;

struct ShopParts
{
    Records& records;
    BankDesk& bankDesk;
    bank::Bank& bank; ///< for the exchange of cards
    faults::FaultPoints& faults;
    WaitingRoom& waiting;
    idempotency::LedgerNumbers numbers;
    Clock clock;
    Warn warn;
    std::string serverId;
    protocol::KeyForm keys = protocol::KeyForm::UuidV7;
    Metrics& metrics;
    Replays& replays;
    Uptime uptime;
    faults::After after; ///< timers by `uptime`
};

} // namespace payonce::shop
