// The one runner: plays a scenario file once, with the real `payonce` and its real `payonce-server`.
#pragma once

#include "automation/app_process.h"
#include "automation/shop_control.h"
#include "console/scenario.h"

#include <QtCore/QJsonArray>
#include <QtCore/QMap>
#include <QtCore/QStringList>
#include <QtCore/QTemporaryDir>

#include <memory>
#include <string>
#include <vector>

namespace payonce::support {

/// What there was in the end. Nobody has judged it yet: scenario_checks.h does.
struct RunResult
{
    QString failure;                ///< the step that could not be done, and why; empty: all were done
    int charges = -1;               ///< approved rows in the bank's own file; -1: it cannot be read
    int ordersPaid = -1;            ///< paid orders of the shop
    int mails = -1;                 ///< mails that facts called for
    QString state;                  ///< of the window; empty: there is none any more
    QString sentence;               ///< its key
    QString verdict;                ///< the code
    QStringList unmet;              ///< what the server finds missing
    std::vector<std::string> marks; ///< the timeline of the newest action, as support sees it
    QMap<QString, int> hits;        ///< of the rules of both sides
    QByteArray log;                 ///< for whoever reads a failed test
};

/// Waits of the client are a fifth of those of life, so that a fault that hangs costs no real seconds.
inline constexpr double kTimeScale = 0.2;

class ScenarioRun
{
public:
    /// `file` is read by both programs; `scenario` is what it says.
    ScenarioRun(QString file, console::Scenario scenario);

    [[nodiscard]] RunResult play();

private:
    using Failure = QString; ///< empty: done

    [[nodiscard]] Failure startApp();
    [[nodiscard]] Failure carryOut(const console::Step& step);
    [[nodiscard]] Failure pay(const std::string& card);
    [[nodiscard]] Failure press(const QString& name);
    [[nodiscard]] Failure type(const QString& name, const QString& text);
    [[nodiscard]] Failure waitForState(const std::string& state);
    [[nodiscard]] Failure startAgain();
    [[nodiscard]] Failure pull(console::Cable position) const;
    [[nodiscard]] Failure post(const console::PostStep& step);
    void settle();
    void collect();
    void readTimeline();
    void countHits(const QJsonArray& rules);
    void endAll();
    [[nodiscard]] QString path(const char* name) const { return m_dir.filePath(QLatin1String(name)); }
    [[nodiscard]] QStringList arguments() const;

    QString m_file;
    console::Scenario m_scenario;
    QTemporaryDir m_dir;
    ShopControl m_shop;
    std::unique_ptr<AppProcess> m_app;
    std::unique_ptr<AppProcess> m_second;
    QString m_actionId; ///< newest seen
    qint64 m_killedServer = 0;
    int m_starts = 0;
    RunResult m_result;
};

} // namespace payonce::support
