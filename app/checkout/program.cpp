#include "checkout/program.h"

#include "checkout/authority_file.h"
#include "points/point_rules.h"
#include "retry/time_scale.h"
#include "storage/plain_file.h"
#include "viewmodels/words.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QStandardPaths>
#include <QtGui/QScreen>

#include <chrono>
#include <cstdio>

namespace payonce::checkout {

namespace {

/// The books are asked this often: the server may be on its way up again.
constexpr int kMostBookTries = 10;
constexpr std::chrono::milliseconds kBookDelay{300};

/// What a window manager puts around a window.
constexpr QSize kAround(8, 32);

constexpr auto kTestCard = "4242424242424242";

void say(FILE* stream, const QString& line)
{
    std::fputs((line + QLatin1Char('\n')).toLocal8Bit().constData(), stream);
    std::fflush(stream);
}

} // namespace

Program::Program(Options options, QObject* parent) : QObject(parent), m_options(std::move(options)) {}

ExitStatus Program::run()
{
    const auto prepared = prepare();
    if (prepared != ExitStatus::Fine)
        return prepared;
    if (m_options.server) {
        const auto token = readToken(m_options.tokenFile);
        if (token.isEmpty()) {
            say(stderr, tr("payonce: --token-file: %1 holds no token").arg(m_options.tokenFile));
            return ExitStatus::Configuration;
        }
        open(*m_options.server, token);
    } else {
        startBundled();
    }
    return ExitStatus::Fine;
}

ExitStatus Program::prepare()
{
    if (!m_options.scenarioFile.isEmpty()) {
        auto scenario = readScenarioFile(m_options.scenarioFile);
        if (!scenario) {
            say(stderr, QStringLiteral("payonce: ") + scenario.error().sentence);
            return ExitStatus::Configuration;
        }
        m_scenario = std::move(*scenario);
    }
    if (m_options.dataDir.isEmpty())
        m_options.dataDir = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
    m_options.dataDir = QDir(m_options.dataDir).absolutePath();
    if (!canWriteScreenshot()) {
        say(stderr, tr("payonce: --screenshot: %1 cannot be written").arg(m_options.screenshot));
        return ExitStatus::Storage;
    }
    for (const auto step : {&Program::readAuthorities, &Program::enterDataDir, &Program::openFaults, &Program::openAutomation})
        if (const auto status = (this->*step)(); status != ExitStatus::Fine)
            return status;
    return ExitStatus::Fine;
}

// Before anything is paid. Tried, not asked: rights are not all that can be in the way.
bool Program::canWriteScreenshot() const
{
    if (m_options.screenshot.isEmpty())
        return true;
    if (!storage::isPlainOrAbsent(m_options.screenshot))
        return false; // a pipe would be waited for
    QFile file(m_options.screenshot);
    const bool isNew = !file.exists();
    const bool opened = file.open(QIODevice::WriteOnly | QIODevice::Append);
    if (opened && isNew)
        file.remove();
    return opened;
}

ExitStatus Program::readAuthorities()
{
    if (m_options.authorityFile.isEmpty())
        return ExitStatus::Fine;
    auto tls = trustOnly(m_options.authorityFile);
    if (!tls) {
        say(stderr, QStringLiteral("payonce: ") + tls.error());
        return ExitStatus::Configuration;
    }
    m_tls = *std::move(tls);
    return ExitStatus::Fine;
}

ExitStatus Program::enterDataDir()
{
    const QDir dir(m_options.dataDir);
    const bool isNew = !dir.exists();
    if (!dir.mkpath(QStringLiteral("."))) {
        say(stderr, tr("payonce: --data-dir: %1 cannot be made").arg(m_options.dataDir));
        return ExitStatus::Storage;
    }
    if (isNew)
        QFile::setPermissions(m_options.dataDir, QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
    auto presence = storage::Presence::take(dir.filePath(QStringLiteral("payonce.lock")));
    if (presence) {
        m_presence = *std::move(presence);
        return ExitStatus::Fine;
    }
    say(stderr, tr("payonce: --data-dir: %1 cannot be used: %2").arg(m_options.dataDir, presence.error().words));
    return ExitStatus::Storage;
}

ExitStatus Program::openFaults()
{
    auto rules = points::rulesIn(QString::fromLocal8Bit(qgetenv("PAYONCE_FAULT")));
    if (!rules) {
        say(stderr, QStringLiteral("payonce: PAYONCE_FAULT: ") + rules.error());
        return ExitStatus::Usage;
    }
    if (m_scenario)
        for (const auto* list : {&m_scenario->scenario.rules, &m_scenario->scenario.random})
            for (auto& rule : points::clientRules(*list))
                rules->push_back(std::move(rule));
    if (rules->empty())
        return ExitStatus::Fine;
    m_faults = std::make_shared<points::FaultPoints>(*std::move(rules), m_scenario ? m_scenario->scenario.seed : 0,
                                                     QDir(m_options.dataDir).filePath(QStringLiteral("client-hits.jsonl")));
    return ExitStatus::Fine;
}

ExitStatus Program::openAutomation()
{
    if (m_options.automation.isEmpty())
        return ExitStatus::Fine;
    m_automation = std::make_unique<automation::AutomationServer>();
    connect(m_automation.get(), &automation::AutomationServer::quitWanted, QCoreApplication::instance(),
            &QCoreApplication::quit, Qt::QueuedConnection);
    if (const auto listens = m_automation->listen(m_options.automation); !listens) {
        say(stderr, QStringLiteral("payonce: --automation: ") + listens.error());
        return ExitStatus::Configuration;
    }
    return ExitStatus::Fine;
}

void Program::startBundled()
{
    const auto server = QDir(QCoreApplication::applicationDirPath()).filePath(QStringLiteral("payonce-server"));
    m_supervisor = std::make_unique<ServerSupervisor>(SupervisorSetup{server, m_options.dataDir, m_options.scenarioFile});
    connect(m_supervisor.get(), &ServerSupervisor::serverReady, this, &Program::serverReady);
    connect(m_supervisor.get(), &ServerSupervisor::serverFailed, this, &Program::failed);
    m_supervisor->start();
}

void Program::serverReady(const ServerRecord& record)
{
    if (m_session)
        return m_session->shopCameBack();
    if (!m_scenario || !m_supervisor->isAdopted())
        return signIn(record);
    m_control.play(record, m_scenario->text, [this, record](bool played) {
        if (played)
            signIn(record);
        else
            failed(tr("--scenario: the server of this data directory runs already, and does not play it"),
                   ExitStatus::Configuration);
    });
}

void Program::signIn(const ServerRecord& record)
{
    const auto file = m_options.tokenFile.isEmpty() ? record.accountTokenFile : m_options.tokenFile;
    const auto token = readToken(file);
    if (token.isEmpty())
        return failed(tr("--token-file: %1 holds no token").arg(file), ExitStatus::Configuration);
    open(record.shop, token);
}

void Program::open(const QUrl& shop, const QByteArray& token)
{
    m_session = std::make_unique<CheckoutSession>(SessionSetup{
        {shop, token, m_tls}, journalFile(), m_presence, m_options.seed, retry::scaled({}, m_options.timeScale), m_faults});
    connect(m_session.get(), &CheckoutSession::journalFailed, this, &Program::journalFailed);
    m_window = std::make_unique<widgets::CheckoutWindow>(m_session->viewModel(), windowOptions());
    if (m_automation) {
        connect(m_window.get(), &widgets::CheckoutWindow::stateJsonChanged, &m_automation->screen(),
                &automation::Screen::changed);
        m_automation->screen().add(*m_window, [this] { return m_window->stateJson(); });
    }
    // A small screen, or one that is scaled much; the one of a headless run is nobody's.
    if (!isHeadless())
        m_window->resize(m_window->size().boundedTo(m_window->screen()->availableSize() - kAround));
    m_window->show();
    if (isHeadless())
        runHeadless();
    m_session->start();
}

QString Program::journalFile() const
{
    return QDir(m_options.dataDir).filePath(QStringLiteral("client.sqlite"));
}

widgets::CheckoutOptions Program::windowOptions() const
{
    widgets::CheckoutOptions options;
    if (isHeadless() || m_options.motion == Options::Motion::Still)
        options.animations = widgets::Animations::Off;
    if (m_options.server)
        return options;
    options.fields = {QStringLiteral("you@example.com"), QLatin1String(kTestCard), QStringLiteral("12/31"),
                      QStringLiteral("123")};
    if (!m_scenario)
        return options;
    options.note = tr("Simulator: %1").arg(QString::fromStdString(m_scenario->scenario.about));
    if (const auto card = cardOf(m_scenario->scenario); !card.isEmpty())
        options.fields.number = card;
    return options;
}

void Program::runHeadless()
{
    m_headless = std::make_unique<HeadlessRun>(*m_window, m_session->viewModel());
    connect(m_headless.get(), &HeadlessRun::ended, this, &Program::headlessEnded);
    const auto picture = QDir(m_options.dataDir).filePath(QStringLiteral("payonce-final.png"));
    m_headless->start(m_options.screenshot.isEmpty() ? picture : m_options.screenshot, m_options.headlessLimit);
}

void Program::headlessEnded(const HeadlessResult& result)
{
    if (const auto missing = m_session->viewModel().cartMessage(); !missing.isEmpty())
        say(stderr, QStringLiteral("payonce: ") + missing);
    if (result.screenshot.isEmpty())
        say(stderr, tr("payonce: --screenshot: the picture cannot be written"));
    else
        say(stdout, tr("screenshot: %1").arg(result.screenshot));
    if (m_supervisor) {
        askBooks(result, kMostBookTries);
    } else {
        say(stderr, tr("payonce: --server has no books to look into, so nothing is proven"));
        report(result, {});
    }
}

void Program::askBooks(const HeadlessResult& result, int triesLeft)
{
    const auto& record = m_supervisor->record();
    const auto again = [this, result, triesLeft](const std::optional<Books>& books) {
        if (books || triesLeft <= 1)
            return report(result, books);
        QTimer::singleShot(kBookDelay, this, [this, result, triesLeft] { askBooks(result, triesLeft - 1); });
    };
    if (record)
        m_control.ask(*record, again);
    else
        again({});
}

void Program::report(const HeadlessResult& result, std::optional<Books> books)
{
    // The server does not know of our own rules whether they fired.
    if (books && m_scenario && m_faults)
        for (const auto& rule : m_faults->unfired(m_scenario->scenario.expect.rulesFired))
            books->verdict.unmet.push_back("rule " + rule + " never fired");
    const auto expected = m_scenario && m_scenario->scenario.expect.state
                              ? QString::fromStdString(*m_scenario->scenario.expect.state)
                              : QString();
    const auto summary = summarise(result, books, expected);
    for (const auto& words : summary.unmet)
        say(stderr, QStringLiteral("payonce: does not hold: ") + words);
    say(stdout, QString::fromUtf8(summary.line));
    if (result.screenshot.isEmpty())
        end(ExitStatus::Storage);
    else
        end(summary.holds ? ExitStatus::Fine : ExitStatus::VerdictFailed);
}

void Program::journalFailed(retry::JournalError error)
{
    // The window says it and stays; a run without a person has nobody to wait for.
    if (isHeadless())
        failed(tr("--data-dir: %1: %2").arg(journalFile(), viewmodels::wordsFor(error).sentence),
               error == retry::JournalError::Locked ? ExitStatus::Locked : ExitStatus::Storage);
}

void Program::failed(const QString& sentence, ExitStatus status)
{
    say(stderr, QStringLiteral("payonce: ") + sentence);
    m_status = status;
    if (isHeadless())
        return end(status);
    m_failure = std::make_unique<QMessageBox>(QMessageBox::Critical, tr("PayOnce"), sentence, QMessageBox::Close);
    m_failure->setObjectName(QStringLiteral("checkout.failure"));
    m_failure->open();
}

void Program::end(ExitStatus status)
{
    m_status = status;
    QCoreApplication::exit(static_cast<int>(status));
}

} // namespace payonce::checkout
