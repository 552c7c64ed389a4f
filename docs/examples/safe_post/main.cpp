// safe_post URL JOURNAL <body.json: signs up at the shop once, whatever happens to the network, the shop or this program.
#include <runner/action_runner.h>
#include <runner/system_environment.h>
#include <storage/client_journal.h>
#include <transport/http_transport.h>

#include <QtCore/QCoreApplication>
#include <QtCore/QFile>

using namespace payonce;

int main(int argc, char** argv)
{
    const QCoreApplication application(argc, argv);
    const QString url = application.arguments().at(1);
    QFile input;
    if (!input.open(stdin, QIODevice::ReadOnly))
        return 74;
    const std::string body = input.readAll().toStdString();

    auto journal = std::make_unique<storage::ClientJournal>(storage::ClientJournal::fileAt(application.arguments().at(2)));
    transport::HttpTransport wire({.base = QUrl(url), .token = qgetenv("SHOP_TOKEN")}, {});
    runner::SystemEnvironment environment;
    runner::ActionRunner runner(std::move(journal), wire, environment, {});
    QObject::connect(&runner, &runner::ActionRunner::journalFailed, [] { QCoreApplication::exit(74); });
    QObject::connect(&runner, &runner::ActionRunner::ready, [&] {
        QObject::connect(&runner, &runner::ActionRunner::snapshotChanged, [&runner] {
            const retry::Snapshot& now = runner.snapshot();
            std::printf("%s %s %s\n", nameOf(now.state), nameOf(now.cause), now.answer.body.c_str());
            std::fflush(stdout);
            if (retry::isOver(now.state) || now.state == retry::State::NotStarted)
                QCoreApplication::exit(now.state == retry::State::Paid ? 0 : 1); // Paid: of an account, it is there
        });
        // Where the journal holds one that was interrupted, that one goes on, under its own ID and with its own bytes.
        runner.run({retry::Kind::Account, "/v1/accounts"}, "my sign-up", body);
    });
    runner.start({.account = "me", .serverId = url.toStdString()});
    return QCoreApplication::exec();
}
