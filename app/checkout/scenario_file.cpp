#include "checkout/scenario_file.h"

#include "protocol/scenario_json.h"
#include "storage/plain_file.h"

namespace payonce::checkout {

values::Result<ScenarioFile, ScenarioRefusal> readScenarioFile(const QString& path)
{
    // One byte more than the longest, so that the parser itself says "too long".
    const auto text = storage::readPlainFile(path, static_cast<qint64>(protocol::kLongestScenario) + 1);
    if (!text)
        return values::Failure(
            ScenarioRefusal{ScenarioFileError::Unreadable, QStringLiteral("--scenario: %1: %2").arg(path, text.error().words)});
    auto scenario = protocol::parseScenario(text->toStdString());
    if (!scenario)
        return values::Failure(
            ScenarioRefusal{ScenarioFileError::Wrong,
                            QStringLiteral("--scenario: %1: %2").arg(path, QString::fromStdString(scenario.error().detail))});
    return ScenarioFile{*std::move(scenario), *text};
}

QString cardOf(const console::Scenario& scenario)
{
    for (const auto& step : scenario.steps)
        if (const auto* pay = std::get_if<console::PayStep>(&step))
            return QString::fromStdString(pay->card);
    return {};
}

} // namespace payonce::checkout
