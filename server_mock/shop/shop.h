// The shop: takes each request through the order of work of docs/contract.md, "Requests", to its endpoint.
#pragma once

#include "shop/abandonment.h"
#include "shop/accounts.h"
#include "shop/card_exchange.h"
#include "shop/mail_box.h"
#include "shop/order_book.h"
#include "shop/outbox_sender.h"
#include "shop/payments.h"
#include "shop/press_tally.h"
#include "shop/purger.h"
#include "shop/rate_limit.h"
#include "shop/reconciler.h"
#include "shop/report_desk.h"
#include "shop/request_log.h"
#include "shop/shop_front.h"
#include "shop/shop_parts.h"
#include "shop/sign_up.h"
#include "shop/status_query.h"
#include "shop/support_deeds.h"
#include "shop/support_desk.h"
#include "shop/webhook_desk.h"

#include <functional>
#include <memory>
#include <string>

namespace payonce::shop {

struct ShopSettings
{
    std::string serverId;
    std::string instance; ///< `HOME/RUN`: the data directory, and this run of the program (idempotency::homeOf())
    Accounts accounts;
    Clock clock;
    Uptime uptime;                                      ///< besides `clock`, to notice that somebody moved it
    faults::After after = faults::afterOnThisMachine(); ///< timers by `uptime`
    Warn warn;
    idempotency::LedgerNumbers numbers;
    OutboxNumbers outbox{};
    QByteArray webhookSecret{}; ///< shared with the bank; without one its events are refused
    SupportSources support{};
    std::size_t replayBytes = 0; ///< kReplayBytesMost where no other server writes the database; 0: nothing is remembered
    int rateLimit = 0;           ///< requests an account and second; 0: no limit
    protocol::KeyForm keys = protocol::KeyForm::UuidV7;
    Metrics* metrics = nullptr;                 ///< null: nothing is counted; otherwise it outlives the shop
    RequestLog log{};                           ///< empty: no line a request
    std::function<std::string()> metricsText{}; ///< of GET /metrics; empty: nothing is counted
};

/// Lives on the main thread. Ledger, bank and fault points outlive it.
class Shop
{
public:
    Shop(ShopSettings settings, LedgerWriter& ledger, bank::Bank& bank, faults::FaultPoints& faults);

    /// A handler for http::Listener.
    void handle(std::shared_ptr<http::Exchange> exchange);
    /// For http::Gate: a request whose head was read comes to its point there.
    void passHead(std::shared_ptr<http::Exchange> exchange);
    /// An http::ProblemRenderer, for requests that never reach handle().
    [[nodiscard]] http::Response refusal(const http::Refusal& refusal, const http::Request& head) const;
    /// Begins to bring open records to their end, those of an earlier run first.
    void startReconciler() { m_reconciler.start(); }
    /// Begins to purge what is older than the retention.
    void startPurger() { m_purger.start(); }
    /// Begins to send the mails that wait, those of an earlier run first.
    void startOutbox() { m_outbox.start(); }
    /// Begins to apply events of the bank that came before their order.
    void startWebhooks() { m_webhooks.start(); }
    /// Work under way is dropped where it stands, and nobody who waits is answered. For an empty ledger.
    void forgetWork();
    /// The ledger was emptied.
    void forgetReplays() { m_replays.forgetAll(); }
    /// Somebody moved the clocks: what goes by them is looked at now.
    void lookAtClocks();
    /// Drops the settled record of a payment and raises the watermark above it; then `done`, whatever came of it.
    void forgetRecord(const std::string& account, const std::string& actionId, std::function<void()> done);

    [[nodiscard]] Records& records() { return m_records; }
    [[nodiscard]] std::size_t heldWaits() const { return m_waiting.heldCount(); }
    [[nodiscard]] Purger& purger() { return m_purger; }

private:
    void admit(const std::shared_ptr<Incoming>& incoming);
    void dispatch(const std::shared_ptr<Incoming>& incoming);
    void listenTo(const Incoming& incoming);
    void refuseAudited(const std::shared_ptr<Incoming>& incoming, const protocol::Problem& problem);
    void refuse(const std::shared_ptr<Incoming>& incoming, const protocol::Problem& problem);
    void answerEverybody(http::Exchange& exchange, const Route& route) const;
    [[nodiscard]] http::Response health() const;
    void goesNowhere(http::Exchange& exchange, const NoRoute& noRoute) const;
    [[nodiscard]] KeyRules keyRules() const { return {m_parts.keys, m_parts.numbers.keyAheadMost}; }
    [[nodiscard]] std::optional<protocol::Problem> whyRefused(const Incoming& incoming);

    Metrics m_uncounted; // where nobody counts
    Metrics& m_metrics;
    std::function<std::string()> m_metricsText;
    std::shared_ptr<const RequestWatch> m_watch;
    PressTally m_presses;
    Replays m_replays;
    Accounts m_accounts;
    WaitingRoom m_waiting;
    BankDesk m_bankDesk;
    Records m_records;
    ShopParts m_parts;
    ShopFront m_front;
    CardExchange m_cards;
    Payments m_payments;
    SignUp m_signUp;
    StatusQuery m_status;
    Abandonment m_abandonment;
    OrderBook m_orders;
    ReportDesk m_reports;
    RateLimit m_rateLimit;
    MailBox m_mailBox;
    OutboxSender m_outbox;
    WebhookDesk m_webhooks;
    Reconciler m_reconciler;
    SupportDesk m_supportDesk;
    SupportDeeds m_supportDeeds;
    Purger m_purger;
};

} // namespace payonce::shop
