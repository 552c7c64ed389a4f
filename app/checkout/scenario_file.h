// The scenario a run was asked for, read before anything starts.
#pragma once

#include "console/scenario.h"
#include "values/result.h"

#include <QtCore/QByteArray>
#include <QtCore/QString>

namespace payonce::checkout {

enum class ScenarioFileError { Unreadable, Wrong };

struct ScenarioRefusal
{
    ScenarioFileError error = ScenarioFileError::Unreadable;
    QString sentence; ///< names the file, and the place in it
};

struct ScenarioFile
{
    console::Scenario scenario;
    QByteArray text; ///< exact bytes
};

/// Only a file: nothing that may have no end or no writer.
[[nodiscard]] values::Result<ScenarioFile, ScenarioRefusal> readScenarioFile(const QString& path);

/// The card of the first `pay` step; empty if no step pays.
[[nodiscard]] QString cardOf(const console::Scenario& scenario);

} // namespace payonce::checkout
