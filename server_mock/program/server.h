// One running payonce-server: shop, bank, simulator and their two ports.
#pragma once

#include "bank/event_sender.h"
#include "bank/http_event_post.h"
#include "bank/ledger_bank.h"
#include "faults/control_api.h"
#include "http/listener.h"
#include "judge/judge.h"
#include "program/data_dir.h"
#include "program/options.h"
#include "program/prometheus_metrics.h"
#include "program/timed_bank.h"
#include "shop/shop.h"
#include "shop/shop_ledger_source.h"

#include <QtCore/QDeadlineTimer>
#include <QtCore/QObject>
#include <QtCore/QTemporaryDir>

#include <memory>
#include <optional>

namespace payonce::program {

/// Lives on the main thread.
class Server : public QObject
{
    Q_OBJECT

public:
    explicit Server(Options options, QObject* parent = nullptr);
    ~Server() override;
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    Server(Server&&) = delete;
    Server& operator=(Server&&) = delete;

    /// Opens everything, listens and begins to bring open records to their end. Not empty: why it could not; nothing runs then.
    [[nodiscard]] std::optional<Ending> start();
    /// The JSON of the ready line (docs/contract.md, Bodies). After start().
    [[nodiscard]] QByteArray readyLine() const;
    /// What a person should know who started a judge; empty of a plain server. After start().
    [[nodiscard]] QString greeting() const;
    /// Lets the requests under way finish, for at most a second, then emits stopped(). A judge says its verdict first.
    void stop();

Q_SIGNALS:
    /// Of a judge, once, before stopped().
    void judged(const payonce::judge::Judgement& judgement);
    void stopped();

private:
    using Failure = std::optional<Ending>;

    [[nodiscard]] Failure openDataDir();
    [[nodiscard]] Failure openTokens();
    [[nodiscard]] Failure openBank();
    [[nodiscard]] Failure openShop();
    [[nodiscard]] storage::Location bankPlace() const;
    [[nodiscard]] Failure openSimulator();
    [[nodiscard]] Failure listen();
    [[nodiscard]] faults::Surroundings surroundings();
    void compose();
    void setGates();
    void startWork();
    void startJudge();
    void verdictIs(const judge::Judgement& judgement);
    void watchGauges();
    void finishOrWait();

    Options m_options;
    std::unique_ptr<QTemporaryDir> m_ownDir; // where no directory is named
    std::unique_ptr<DataDir> m_dataDir;
    shop::Accounts m_accounts;
    QByteArray m_controlToken;
    QByteArray m_webhookSecret;
    storage::DatabaseClock m_clock; // outlives who reads it
    faults::ServerClock m_time{{[this] { return m_clock.now(); }, storage::uptime}};
    std::string m_instance;
    shop::ShopIds m_ids;
    idempotency::LedgerNumbers m_numbers;
    PrometheusMetrics m_metrics;
    std::unique_ptr<faults::ArrivalJournal> m_journal;
    std::unique_ptr<faults::ScenarioEngine> m_engine;
    std::unique_ptr<bank::LedgerBank> m_bank;
    std::unique_ptr<TimedBank> m_timedBank;
    std::unique_ptr<shop::LedgerWriter> m_ledger;
    std::unique_ptr<shop::Shop> m_shop;
    std::unique_ptr<shop::ShopLedgerSource> m_source;
    std::unique_ptr<judge::Judge> m_judge;
    std::unique_ptr<faults::ControlApi> m_control;
    std::unique_ptr<http::Listener> m_listener;
    std::unique_ptr<bank::HttpEventPost> m_eventPost;
    std::unique_ptr<bank::EventSender> m_eventSender;
    std::optional<QDeadlineTimer> m_finishUntil;
    bool m_isJudged = false;
};

} // namespace payonce::program
