#include "checkout/scenario_file.h"

#include "protocol/scenario_json.h"

#include <QtCore/QFile>
#include <QtCore/QFileInfo>

namespace payonce::checkout {

values::Result<ScenarioFile, ScenarioRefusal> readScenarioFile(const QString& path)
{
    if (const QFileInfo info(path); info.exists() && !info.isFile())
        return values::Failure(
            ScenarioRefusal{ScenarioFileError::Unreadable, QStringLiteral("--scenario: %1: not a file").arg(path)});
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return values::Failure(
            ScenarioRefusal{ScenarioFileError::Unreadable, QStringLiteral("--scenario: %1: %2").arg(path, file.errorString())});
    // One byte more than the longest, so that the parser itself says "too long".
    const auto text = file.read(static_cast<qint64>(protocol::kLongestScenario) + 1);
    auto scenario = protocol::parseScenario(std::string_view(text.constData(), static_cast<std::size_t>(text.size())));
    if (!scenario)
        return values::Failure(
            ScenarioRefusal{ScenarioFileError::Wrong,
                            QStringLiteral("--scenario: %1: %2").arg(path, QString::fromStdString(scenario.error().detail))});
    return ScenarioFile{*std::move(scenario), text};
}

QString cardOf(const console::Scenario& scenario)
{
    for (const auto& step : scenario.steps)
        if (const auto* pay = std::get_if<console::PayStep>(&step))
            return QString::fromStdString(pay->card);
    return {};
}

} // namespace payonce::checkout
