// payonce: a checkout that cannot charge twice.
#include "checkout/exit_status.h"
#include "checkout/options.h"
#include "checkout/program.h"

#include <QtWidgets/QApplication>

#include <cstdio>

namespace {

using payonce::checkout::ExitStatus;
using payonce::checkout::Options;
using payonce::checkout::OptionsError;

int print(const payonce::checkout::OptionsRefusal& refusal)
{
    if (refusal.error == OptionsError::Usage) {
        std::fprintf(stderr, "payonce: %s (see payonce --help)\n", refusal.text.toLocal8Bit().constData());
        return static_cast<int>(ExitStatus::Usage);
    }
    std::fputs(refusal.text.toLocal8Bit().constData(), stdout);
    return static_cast<int>(ExitStatus::Fine);
}

/// Before the application is made: it looks for its display once.
bool chooseDisplay(const Options& options)
{
    if (qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        return true;
    if (options.mode == Options::Mode::Headless)
        return qputenv("QT_QPA_PLATFORM", "offscreen");
    return qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY");
}

} // namespace

int main(int argc, char** argv)
{
    QStringList arguments;
    for (int i = 0; i < argc; ++i)
        arguments << QString::fromLocal8Bit(argv[i]);
    const auto options = payonce::checkout::parseOptions(arguments);
    if (!options)
        return print(options.error());
    if (!chooseDisplay(*options)) {
        std::fputs("payonce: there is no display; --headless pays without one\n", stderr);
        return static_cast<int>(ExitStatus::Configuration);
    }
    int qtArguments = 1; // the flags are ours; Qt is not asked about them
    QApplication application(qtArguments, argv);
    QApplication::setApplicationName(QStringLiteral("payonce"));
    QApplication::setApplicationDisplayName(QStringLiteral("PayOnce"));
    QApplication::setDesktopFileName(QStringLiteral("payonce")); // a Wayland desktop finds name and icon by it
    QApplication::setApplicationVersion(QStringLiteral(PAYONCE_VERSION));
    payonce::checkout::Program program(*options);
    const auto started = program.run();
    if (started != ExitStatus::Fine)
        return static_cast<int>(started);
    const int status = QApplication::exec();
    return status != 0 ? status : static_cast<int>(program.exitStatus());
}
