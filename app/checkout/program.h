// Program: payonce put together from its parts.
#pragma once

#include "automation/automation_server.h"
#include "checkout/checkout_session.h"
#include "checkout/exit_status.h"
#include "checkout/headless_run.h"
#include "checkout/options.h"
#include "checkout/run_summary.h"
#include "checkout/scenario_file.h"
#include "checkout/server_supervisor.h"
#include "storage/presence.h"
#include "widgets/checkout_window.h"

#include <QtCore/QObject>
#include <QtNetwork/QSslConfiguration>
#include <QtWidgets/QMessageBox>

#include <memory>
#include <optional>

namespace payonce::checkout {

/// Owns everything from the presence in the data directory to the window. run() returns at once; the application ends by the
/// last window closing, or by itself in a headless run, with the status that exitStatus() tells then.
class Program : public QObject
{
    Q_OBJECT

public:
    explicit Program(Options options, QObject* parent = nullptr);

    /// Checks and starts. What cannot be used is said on stderr, and nothing was started.
    [[nodiscard]] ExitStatus run();
    /// Why it ended in the middle; Fine otherwise.
    [[nodiscard]] ExitStatus exitStatus() const { return m_status; }

private:
    [[nodiscard]] ExitStatus prepare();
    [[nodiscard]] ExitStatus readAuthorities();
    [[nodiscard]] ExitStatus enterDataDir();
    [[nodiscard]] ExitStatus openAutomation();
    [[nodiscard]] ExitStatus openFaults();
    [[nodiscard]] bool isHeadless() const { return m_options.mode == Options::Mode::Headless; }
    void startBundled();
    void serverReady(const ServerRecord& record);
    void signIn(const ServerRecord& record);
    [[nodiscard]] bool canWriteScreenshot() const;
    void open(const QUrl& shop, const QByteArray& token);
    [[nodiscard]] QString journalFile() const;
    [[nodiscard]] widgets::CheckoutOptions windowOptions() const;
    void runHeadless();
    void headlessEnded(const HeadlessResult& result);
    void askBooks(const HeadlessResult& result, int triesLeft);
    void report(const HeadlessResult& result, std::optional<Books> books);
    void journalFailed(retry::JournalError error);
    /// Says it, and ends: at once without a person, when the box is closed with one.
    void failed(const QString& sentence, ExitStatus status);
    void end(ExitStatus status);

    Options m_options;
    QSslConfiguration m_tls; ///< unset: whom the system trusts
    ExitStatus m_status = ExitStatus::Fine;
    std::optional<ScenarioFile> m_scenario;
    std::shared_ptr<points::FaultPoints> m_faults; ///< none: nobody asked for any
    std::shared_ptr<storage::Presence> m_presence; ///< in the data directory
    std::unique_ptr<automation::AutomationServer> m_automation;
    std::unique_ptr<ServerSupervisor> m_supervisor;
    ControlClient m_control;
    std::unique_ptr<CheckoutSession> m_session;
    std::unique_ptr<widgets::CheckoutWindow> m_window; // goes before the session it shows
    std::unique_ptr<HeadlessRun> m_headless;
    std::unique_ptr<QMessageBox> m_failure;
};

} // namespace payonce::checkout
