// Options: what payonce was asked to do, checked before anything is touched.
#pragma once

#include "values/result.h"

#include <QtCore/QString>
#include <QtCore/QStringList>
#include <QtCore/QUrl>

#include <chrono>
#include <cstdint>
#include <optional>

namespace payonce::checkout {

struct Options
{
    enum class Mode { Window, Headless };
    enum class Motion { Moving, Still };

    Mode mode = Mode::Window;
    Motion motion = Motion::Moving;
    QString dataDir;            ///< empty: the user's application data
    std::optional<QUrl> server; ///< none: the bundled server
    QString tokenFile;          ///< empty only with the bundled server: its own account token
    QString authorityFile;      ///< of --ca-file; empty: whom the system trusts
    QString scenarioFile;       ///< empty: no faults
    QString screenshot;         ///< empty: DATA_DIR/payonce-final.png
    std::optional<std::uint64_t> seed;
    std::chrono::seconds headlessLimit{90};
    QString automation;     ///< name of the automation socket; empty: none
    double timeScale = 1.0; ///< of every waiting time of the client
};

/// Why there are no options to run with.
enum class OptionsError { HelpWanted, VersionWanted, PointsWanted, Usage };

struct OptionsRefusal
{
    OptionsError error = OptionsError::Usage;
    QString text; ///< the help, the version, the points, or a sentence that names the flag
};

/// `arguments` as QCoreApplication::arguments gives them: the program's name first.
[[nodiscard]] values::Result<Options, OptionsRefusal> parseOptions(const QStringList& arguments);

} // namespace payonce::checkout
