#include "program/judge_scenario.h"

#include "protocol/scenario_json.h"
#include "storage/plain_file.h"
#include "values/check.h"

#include <QtCore/QFile>

#include <utility>

namespace payonce::program {

namespace {

using Read = std::variant<std::optional<console::Scenario>, Ending>;

Read parsed(const QByteArray& text, const QString& name)
{
    auto scenario = protocol::parseScenario(text.toStdString());
    if (!scenario)
        return Ending{ExitStatus::Configuration,
                      QStringLiteral("%1: %2").arg(name, QString::fromStdString(scenario.error().detail))};
    return std::optional(*std::move(scenario));
}

Read readFile(const QString& path)
{
    // One byte more than allowed, so that a longer file is refused and not cut.
    const auto text = storage::readPlainFile(path, static_cast<qint64>(protocol::kLongestScenario) + 1);
    if (!text)
        return Ending{ExitStatus::Configuration, QStringLiteral("%1: %2").arg(path, text.error().words)};
    return parsed(*text, path);
}

Read readBuiltIn()
{
    QFile file(QStringLiteral(":/scenarios/reply-lost-after-charge.json"));
    CHECK(file.open(QIODevice::ReadOnly));
    return parsed(file.readAll(), file.fileName());
}

const console::Rule* crashIn(const console::Scenario& scenario)
{
    for (const auto* rules : {&scenario.rules, &scenario.random})
        for (const auto& rule : *rules)
            if (std::holds_alternative<console::Crash>(rule.action) && !console::isClientPoint(rule.point))
                return &rule;
    return nullptr;
}

} // namespace

std::variant<std::optional<console::Scenario>, Ending> scenarioFor(const Options& options)
{
    if (options.scenarioFile.isEmpty())
        return options.judge ? readBuiltIn() : Read();
    Read read = readFile(options.scenarioFile);
    const auto* scenario = std::get_if<std::optional<console::Scenario>>(&read);
    if (!options.judge || scenario == nullptr)
        return read;
    const auto* crash = crashIn(**scenario);
    if (crash != nullptr && (options.port == 0 || options.dataDir.isEmpty()))
        return Ending{
            ExitStatus::Configuration,
            QStringLiteral("%1: rule \"%2\" ends the process; with --port and --data-dir the same command goes on after it")
                .arg(options.scenarioFile, QString::fromStdString(crash->id))};
    return read;
}

QString greetingOf(const judge::JudgeSettings& settings, const std::optional<console::Scenario>& scenario,
                   const QString& shopUrl, const DataDir& dir)
{
    QString text = QStringLiteral("payonce-server: judging the client of %1\n").arg(shopUrl);
    if (scenario)
        text += QStringLiteral("  scenario:  %1. %2\n")
                    .arg(QString::fromStdString(scenario->name), QString::fromStdString(scenario->about));
    text += QStringLiteral("  token:     %1\n  a payment: %2\n")
                .arg(dir.tokenFile(QStringLiteral("account")), dir.file(QStringLiteral("payment.json")));
    text += QStringLiteral("  The verdict comes %1 s after the client's last request, or with Ctrl-C.\n")
                .arg(settings.quiet.count());
    if (settings.keys == judge::KeyLayer::Off)
        text += QStringLiteral(
            "  NAIVE: the key layer is off. Every payment that comes is charged anew, whatever key it carries.\n");
    return text;
}

} // namespace payonce::program
