// Delivers the bank's events: signed, at least once, beside the payments and never in their way (docs/contract.md, Webhooks).
#pragma once

#include "bank/event_post.h"
#include "bank/ledger_bank.h"

#include <QtCore/QObject>
#include <QtCore/QTimer>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace payonce::bank {

struct EventNumbers
{
    using ms = std::chrono::milliseconds;
    ms every{500};
    ms lease{30'000}; ///< longer than a post can take; an event that is taken and then lost is delivered after it
    int most = 25;    ///< on their way at once, so that payments never wait long behind events
};

/// Lives on the bank's caller's thread; bank and post outlive it.
class EventSender
{
public:
    /// `secret`: shared with the shop (protocol::signWebhook), never empty. `clock`: the bank's.
    EventSender(LedgerBank& bank, EventPost& post, std::string secret, Clock clock, const EventNumbers& numbers = {});

    /// The first round now (what an earlier run left), then one every EventNumbers::every.
    void start();
    /// Takes no more events; `done` when none is on its way, and then goes on.
    void whenQuiet(std::function<void()> done);

private:
    void rest();
    void round();
    void send(const WaitingEvent& event);

    LedgerBank& m_bank;
    EventPost& m_post;
    std::string m_secret;
    Clock m_clock;
    EventNumbers m_numbers;
    bool m_isTaking = false;                                       // a round that has not come back yet
    std::vector<std::function<void()>> m_quiet;                    // who waits for whenQuiet()
    int m_underWay = 0;                                            // posts without an end yet
    std::unique_ptr<QObject> m_home = std::make_unique<QObject>(); // what comes after it is not heard
    QTimer m_timer;
};

} // namespace payonce::bank
