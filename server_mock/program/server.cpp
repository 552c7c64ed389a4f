#include "program/server.h"

#include "bank/random_name.h"
#include "program/json_log.h"
#include "program/judge_books.h"
#include "program/judge_scenario.h"
#include "program/sample_payment.h"
#include "shop/public_pages.h"
#include "shop/store_words.h"
#include "shop/support_arrivals.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QEventLoop>
#include <QtCore/QFile>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QTimer>

#include <utility>

namespace payonce::program {

namespace {

using idempotency::StoreError;

/// How long a stop waits for requests under way, and how often it looks.
constexpr std::chrono::milliseconds kFinishMost{1000};
constexpr std::chrono::milliseconds kFinishLook{10};

struct TokenOf
{
    const char* file;
    const char* account;
    shop::Scope scope;
};
/// Staff is named by its token in the audit.
constexpr TokenOf kTokens[] = {{"account", "acct_1", shop::Scope::Shop},
                               {"account2", "acct_2", shop::Scope::Shop},
                               {"support", "support", shop::Scope::Support},
                               {"support_act", "support_act", shop::Scope::SupportAct}};

/// Lets the events go on until what `begin` began is done.
void waitFor(const std::function<void(std::function<void()> done)>& begin)
{
    const auto loop = std::make_shared<QEventLoop>(); // whoever is done may come when this is over
    const auto isDone = std::make_shared<bool>(false);
    begin([loop, isDone] {
        *isDone = true;
        loop->quit();
    });
    if (!*isDone)
        loop->exec();
}

Ending storageEnding(const QString& file, StoreError error)
{
    return {ExitStatus::Storage, QStringLiteral("%1: %2").arg(file, QLatin1String(shop::wordsOf(error)))};
}

QString urlOf(quint16 port)
{
    return QStringLiteral("http://127.0.0.1:%1").arg(port);
}

} // namespace

Server::Server(Options options, QObject* parent) : QObject(parent), m_options(std::move(options)) {}

// The bank's thread may stand in its transaction until a pause there is over.
Server::~Server()
{
    if (m_engine)
        m_engine->dropWork();
}

std::optional<Ending> Server::start()
{
    for (const auto step : {&Server::openDataDir, &Server::openSimulator, &Server::openBank, &Server::openShop})
        if (auto failure = (this->*step)())
            return failure;
    compose();
    if (auto failure = listen())
        return failure;
    startWork();
    if (!m_dataDir->announce(readyLine()))
        return Ending{ExitStatus::Storage,
                      QStringLiteral("%1: cannot be written").arg(m_dataDir->file(QStringLiteral("server.json")))};
    return {};
}

Server::Failure Server::openDataDir()
{
    if (m_options.dataDir.isEmpty()) {
        m_ownDir = std::make_unique<QTemporaryDir>();
        m_options.dataDir = m_ownDir->path();
    }
    auto opened = DataDir::open(m_options.dataDir);
    if (const auto* ending = std::get_if<Ending>(&opened))
        return *ending;
    m_dataDir = std::get<std::unique_ptr<DataDir>>(std::move(opened));
    if (auto failure = takeBooks(*m_dataDir, m_options.judge ? Books::OfJudge : Books::OfShop))
        return failure;
    return openTokens();
}

Server::Failure Server::openTokens()
{
    for (const auto& [name, account, scope] : kTokens) {
        const auto token = m_dataDir->token(QString::fromLatin1(name));
        if (const auto* ending = std::get_if<Ending>(&token))
            return *ending;
        m_accounts.add(account, std::get<QByteArray>(token), scope);
    }
    const auto control = m_dataDir->token(QStringLiteral("control"));
    if (const auto* ending = std::get_if<Ending>(&control))
        return *ending;
    m_controlToken = std::get<QByteArray>(control);
    const auto webhook = m_dataDir->webhookSecret();
    if (const auto* ending = std::get_if<Ending>(&webhook))
        return *ending;
    m_webhookSecret = std::get<QByteArray>(webhook);
    const auto home = m_dataDir->home();
    if (const auto* ending = std::get_if<Ending>(&home))
        return *ending;
    m_instance = std::get<QByteArray>(home).toStdString() + '/' + bank::randomName("run_");
    return {};
}

Server::Failure Server::openSimulator()
{
    auto read = scenarioFor(m_options);
    if (const auto* ending = std::get_if<Ending>(&read))
        return *ending;
    const QString file = m_dataDir->file(QStringLiteral("arrivals.jsonl"));
    auto journal = faults::ArrivalJournal::open(file);
    if (!journal) {
        const bool isDamaged = journal.error().kind == faults::JournalError::Kind::Damaged;
        return Ending{ExitStatus::Storage, isDamaged
                                               ? QStringLiteral("%1: line %2 is damaged").arg(file).arg(journal.error().line)
                                               : QStringLiteral("%1: cannot be opened").arg(file)};
    }
    m_journal = *std::move(journal);
    m_engine = std::make_unique<faults::ScenarioEngine>(*m_journal);
    m_engine->actOn(surroundings());
    m_engine->load(std::get<std::optional<console::Scenario>>(std::move(read)));
    return {};
}

// Nothing of it is used before the server listens.
faults::Surroundings Server::surroundings()
{
    using std::chrono::milliseconds;
    return {.refuse = [this](milliseconds time) { m_listener->refuseFor(time); },
            .deliver = [this](std::shared_ptr<http::Exchange> exchange) { m_shop->handle(std::move(exchange)); },
            .forget = [this](const std::string& account, const std::string& actionId,
                             std::function<void()> done) { m_shop->forgetRecord(account, actionId, std::move(done)); },
            .wall = [this] { return m_time.wall(); },
            .stepClock = [this](milliseconds by) { m_time.step(by); },
            .uptime = [this] { return m_time.uptime(); },
            .after = [this](milliseconds time, QObject* context,
                            std::function<void()> then) { m_time.after(time, context, std::move(then)); }};
}

Server::Failure Server::openBank()
{
    const storage::Location place = bankPlace();
    m_bank = std::make_unique<bank::LedgerBank>(place, [this] { return m_time.wall(); });
    if (const auto failed = m_bank->start())
        return storageEnding(place.described(), *failed);
    return {};
}

storage::Location Server::bankPlace() const
{
    return m_options.bank.value_or(m_dataDir->file(QStringLiteral("bank.sqlite")));
}

Server::Failure Server::openShop()
{
    const storage::Location place = m_options.database.value_or(m_dataDir->file(QStringLiteral("shop.sqlite")));
    const shop::ShopIds fresh{bank::randomName("srv_"), m_bank->bankId()};
    // Written by the worker thread before start() returns, never after.
    m_ledger = std::make_unique<shop::LedgerWriter>(
        [this, place, fresh]() -> shop::Outcome<std::unique_ptr<shop::ShopStore>> {
            auto store = shop::ShopStore::open(place, m_numbers, fresh, &m_clock);
            if (store)
                m_ids = (*store)->ids();
            return store;
        },
        [this](std::size_t jobs, std::chrono::nanoseconds took) { m_metrics.committed(jobs, took); });
    if (const auto failed = m_ledger->start())
        return storageEnding(place.described(), *failed);
    if (m_ids.bankId != m_bank->bankId())
        return Ending{ExitStatus::Configuration, QStringLiteral("%1 belongs to bank %2, but %3 is bank %4")
                                                     .arg(place.described(), QString::fromStdString(m_ids.bankId),
                                                          bankPlace().described(), QString::fromStdString(m_bank->bankId()))};
    return {};
}

void Server::compose()
{
    shop::ShopSettings settings{.serverId = m_ids.serverId,
                                .instance = m_instance,
                                .accounts = m_accounts,
                                .clock = [this] { return m_time.wall(); },
                                .uptime = [this] { return m_time.uptime(); },
                                .after = [this](std::chrono::milliseconds time, QObject* context,
                                                std::function<void()> then) { m_time.after(time, context, std::move(then)); },
                                .warn = logWarning,
                                .numbers = m_numbers,
                                .webhookSecret = m_webhookSecret,
                                .support = {[journal = m_journal.get()](const auto& id, const std::string& account) {
                                                return shop::arrivalsOf(*journal, id, account);
                                            },
                                            m_bank.get()},
                                .replayBytes = m_options.database ? 0 : shop::kReplayBytesMost,
                                .rateLimit = m_options.rateLimit,
                                .keys = m_options.keys,
                                .metrics = &m_metrics,
                                .log = isLogged(LogLevel::Info) ? shop::RequestLog(logRequest) : shop::RequestLog(),
                                .metricsText = [this] { return m_metrics.text(); }};
    m_timedBank = std::make_unique<TimedBank>(*m_bank, m_metrics);
    m_shop = std::make_unique<shop::Shop>(std::move(settings), *m_ledger, *m_timedBank, *m_engine);
    m_source =
        std::make_unique<shop::ShopLedgerSource>(*m_bank, *m_shop, shop::ReadingBounds{}, [this](std::function<void()> done) {
            m_eventSender->whenQuiet(std::move(done));
        });
    m_control = std::make_unique<faults::ControlApi>(faults::ControlApi::Parts{*m_engine, *m_journal, *m_source, m_time},
                                                     m_controlToken);
    if (m_options.judge)
        m_judge =
            std::make_unique<judge::Judge>(*m_options.judge, judge::Judge::Parts{*m_source, *m_journal, *m_engine, m_accounts},
                                           judge::Notes::open(notesFile(*m_dataDir)));
    m_listener = std::make_unique<http::Listener>(
        [this](std::shared_ptr<http::Exchange> exchange) {
            m_shop->handle(m_judge ? m_judge->watched(std::move(exchange)) : std::move(exchange));
        },
        http::Limits{},
        [this](const http::Refusal& refusal, const http::Request& head) { return m_shop->refusal(refusal, head); });
    connect(&m_time, &faults::ServerClock::moved, this, [this] { m_shop->lookAtClocks(); });
    m_listener->setClock([this] { return m_time.wall(); });
    setGates();
    m_listener->serveAlways(shop::isForEverybody);
    watchGauges();
}

void Server::setGates()
{
    const auto watches = [this](console::Point point) { return [this, point] { return m_engine->watches(point); }; };
    m_listener->setGates({watches(console::Point::Accept),
                          [this](std::shared_ptr<http::Exchange> exchange) {
                              m_engine->accept(m_judge ? m_judge->watchedConnection(std::move(exchange)) : std::move(exchange));
                          }},
                         {watches(console::Point::Head), [this](std::shared_ptr<http::Exchange> exchange) {
                              m_shop->passHead(m_judge ? m_judge->watchedHead(std::move(exchange)) : std::move(exchange));
                          }});
}

void Server::startWork()
{
    m_shop->startReconciler();
    m_shop->startPurger();
    m_shop->startOutbox();
    m_shop->startWebhooks();
    // The bank tells this shop over HTTP, as a bank elsewhere would.
    m_eventPost = std::make_unique<bank::HttpEventPost>(QUrl(urlOf(m_listener->port()) + QStringLiteral("/v1/webhooks/bank")));
    m_eventSender = std::make_unique<bank::EventSender>(*m_bank, *m_eventPost, m_webhookSecret.toStdString(),
                                                        [this] { return m_time.wall(); });
    m_eventSender->start();
    if (m_judge)
        startJudge();
}

void Server::startJudge()
{
    connect(m_judge.get(), &judge::Judge::decided, this, &Server::verdictIs);
    // A judge that goes on has told its client the old one.
    if (const QString sample = m_dataDir->file(QStringLiteral("payment.json")); !QFile::exists(sample))
        waitFor([&](std::function<void()> done) { // whoever reads the ready line may read it
            writeSamplePayment(*m_bank, m_shop->records(), kTokens[0].account, sample, std::move(done));
        });
    m_judge->start();
}

void Server::verdictIs(const judge::Judgement& judgement)
{
    m_isJudged = true;
    Q_EMIT judged(judgement);
    stop();
}

void Server::watchGauges()
{
    m_metrics.watch(Gauge::Connections, [this] { return m_listener->connectionCount(); });
    m_metrics.watch(Gauge::RequestsHeld, [this] { return m_listener->heldCount(); });
    m_metrics.watch(Gauge::WaitsHeld, [this] { return static_cast<double>(m_shop->heldWaits()); });
    m_metrics.watch(Gauge::ClockSuspect, [this] { return m_shop->purger().isClockSuspect() ? 1 : 0; });
}

Server::Failure Server::listen()
{
    const auto inWords = [](quint16 port) {
        return Ending{ExitStatus::Configuration, QStringLiteral("port %1 of 127.0.0.1 is in use or not allowed").arg(port)};
    };
    if (!m_listener->listen(m_options.port))
        return inWords(m_options.port);
    if (!m_control->listen(m_options.controlPort))
        return inWords(m_options.controlPort);
    return {};
}

QByteArray Server::readyLine() const
{
    QJsonObject tokens;
    for (const TokenOf& token : kTokens)
        tokens.insert(QString::fromLatin1(token.file), m_dataDir->tokenFile(QString::fromLatin1(token.file)));
    for (const QString& name : {QStringLiteral("control"), QStringLiteral("webhook")})
        tokens.insert(name, m_dataDir->tokenFile(name));
    const QJsonObject line{{QStringLiteral("ready"), true},
                           {QStringLiteral("shop"), urlOf(m_listener->port())},
                           {QStringLiteral("control"), urlOf(m_control->port())},
                           {QStringLiteral("tokens"), tokens},
                           {QStringLiteral("data_dir"), m_dataDir->path()},
                           {QStringLiteral("pid"), QCoreApplication::applicationPid()}};
    return QJsonDocument(line).toJson(QJsonDocument::Compact) + '\n';
}

QString Server::greeting() const
{
    return m_judge ? greetingOf(*m_options.judge, m_engine->scenario(), urlOf(m_listener->port()), *m_dataDir) : QString();
}

void Server::stop()
{
    if (m_judge && !m_isJudged)
        return m_judge->conclude();
    if (m_finishUntil)
        return;
    m_finishUntil = QDeadlineTimer(kFinishMost);
    m_dataDir->withdraw();
    finishOrWait();
}

// What does not finish in time stays open in the ledger, and the next start finishes it.
void Server::finishOrWait()
{
    if (m_listener->heldCount() == 0 || m_finishUntil->hasExpired())
        Q_EMIT stopped();
    else
        QTimer::singleShot(kFinishLook, this, &Server::finishOrWait);
}

} // namespace payonce::program
