// payonce-server: reads the command line, starts one server, and ends it on SIGTERM or SIGINT, or with its verdict.
#include "program/json_log.h"
#include "program/options.h"
#include "program/server.h"
#include "program/standard_streams.h"
#include "program/stop_signal.h"

#include <QtCore/QCoreApplication>

#include <cstdio>

namespace {

using payonce::judge::Judgement;
using payonce::program::Ending;
using payonce::program::ExitStatus;

int end(const Ending& ending)
{
    if (ending.status == ExitStatus::Fine)
        std::fputs(qPrintable(ending.words), stdout);
    else
        std::fprintf(stderr, "payonce-server: %s%s\n", qPrintable(ending.words), // NOLINT(*-vararg): the C library's only way
                     ending.status == ExitStatus::Usage ? " (see payonce-server --help)" : "");
    return static_cast<int>(ending.status);
}

/// Words for people on stderr, so that stdout has two lines: ready, and the verdict.
ExitStatus tell(const Judgement& judgement)
{
    std::fputs(judgement.words.c_str(), stderr);
    std::fprintf(stdout, "%s\n", judgement.json.c_str()); // NOLINT(*-vararg): the C library's only way
    std::fflush(stdout);
    switch (judgement.outcome) {
    case Judgement::Outcome::Holds: return ExitStatus::Fine;
    case Judgement::Outcome::DoesNotHold: return ExitStatus::DoesNotHold;
    case Judgement::Outcome::Unreadable: return ExitStatus::Storage;
    }
    return ExitStatus::Storage;
}

} // namespace

int main(int argc, char* argv[])
{
    if (!payonce::program::openStandardStreams())
        return static_cast<int>(ExitStatus::Storage); // there is nobody to tell why
    const QCoreApplication application(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("payonce-server"));
    QCoreApplication::setApplicationVersion(QStringLiteral(PAYONCE_VERSION));
    const auto options = payonce::program::readOptions(QCoreApplication::arguments());
    if (const auto* ending = std::get_if<Ending>(&options))
        return end(*ending);
    const payonce::program::JsonLog log(std::get<payonce::program::Options>(options).logLevel);
    const payonce::program::StopSignal stopSignal;
    payonce::program::Server server(std::get<payonce::program::Options>(options));
    if (const auto failure = server.start())
        return end(*failure);
    QObject::connect(&stopSignal, &payonce::program::StopSignal::stopRequested, &server, &payonce::program::Server::stop);
    QObject::connect(&server, &payonce::program::Server::stopped, &application, &QCoreApplication::quit);
    auto status = ExitStatus::Fine;
    QObject::connect(&server, &payonce::program::Server::judged, &application,
                     [&status](const Judgement& judgement) { status = tell(judgement); });
    const QByteArray ready = server.readyLine();
    std::fwrite(ready.constData(), 1, static_cast<std::size_t>(ready.size()), stdout);
    std::fflush(stdout);
    std::fputs(qPrintable(server.greeting()), stderr);
    const int ended = QCoreApplication::exec();
    return ended == 0 ? static_cast<int>(status) : ended;
}
