#include "program/options.h"

#include <QtCore/QCommandLineParser>
#include <QtCore/QStandardPaths>

#include <optional>

namespace payonce::program {

namespace {

std::optional<quint16> portOf(const QString& text)
{
    bool isNumber = false;
    const auto port = text.toUShort(&isNumber);
    return isNumber ? std::optional(port) : std::nullopt;
}

std::optional<Ending> readRateLimit(const QString& text, Options& options)
{
    options.rateLimit = text.toInt();
    if (options.rateLimit >= 1)
        return {};
    return Ending{ExitStatus::Usage, QStringLiteral("--rate-limit: '%1' is no number from 1").arg(text)};
}

std::optional<Ending> readKeys(const QString& text, Options& options)
{
    options.keys = text == QLatin1String("any") ? protocol::KeyForm::Any : protocol::KeyForm::UuidV7;
    if (options.keys == protocol::KeyForm::Any || text == QLatin1String("uuidv7"))
        return {};
    return Ending{ExitStatus::Usage, QStringLiteral("--keys: '%1' is not uuidv7 or any").arg(text)};
}

QString defaultDataDir()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
}

std::optional<Ending> readLogLevel(const QString& text, Options& options)
{
    const auto level = logLevelOf(text);
    if (!level)
        return Ending{ExitStatus::Usage, QStringLiteral("--log-level: '%1' is none of error, warning, info, debug").arg(text)};
    options.logLevel = *level;
    return {};
}

/// Every flag, with what --help says of it.
struct Flags
{
    QCommandLineOption port{QStringLiteral("port"), QStringLiteral("Port of the shop on 127.0.0.1; 0: chosen by the system."),
                            QStringLiteral("N"), QStringLiteral("0")};
    QCommandLineOption controlPort{QStringLiteral("control-port"),
                                   QStringLiteral("Port of the simulator's control API, as --port."), QStringLiteral("N"),
                                   QStringLiteral("0")};
    QCommandLineOption dataDir{
        QStringLiteral("data-dir"),
        QStringLiteral("Keep the databases, tokens and server.json in DIR, made with mode 0700 if missing "
                       "(default: the user's application data; of --judge a fresh directory)."),
        QStringLiteral("DIR")};
    QCommandLineOption scenario{QStringLiteral("scenario"), QStringLiteral("Play the faults in FILE."), QStringLiteral("FILE")};
    QCommandLineOption rateLimit{QStringLiteral("rate-limit"),
                                 QStringLiteral("Let in at most N requests of one account in each second (default: no limit)."),
                                 QStringLiteral("N")};
    QCommandLineOption keys{
        QStringLiteral("keys"),
        QStringLiteral("Take keys of FORM: uuidv7 (default), or any string of up to 255 characters (default "
                       "of --judge)."),
        QStringLiteral("FORM")};
    QCommandLineOption logLevel{
        QStringLiteral("log-level"),
        QStringLiteral("How much is said on stderr, as JSON lines: error, warning, info (one line a request) or debug "
                       "(default: warning)."),
        QStringLiteral("LEVEL"), QStringLiteral("warning")};
    QCommandLineOption database{
        QStringLiteral("database"),
        QStringLiteral(
            "Keep the shop in PostgreSQL, where several servers may share it: postgresql://HOST/DATABASE or libpq's key "
            "words (default: shop.sqlite in the data directory). Better without the password: PGPASSFILE and "
            "PGPASSWORD are read."),
        QStringLiteral("URL")};
    QCommandLineOption bank{
        QStringLiteral("bank"),
        QStringLiteral(
            "The bank's database: a file, or as --database. All servers of a shop use one bank (default: bank.sqlite in "
            "the data directory)."),
        QStringLiteral("URL")};
    QCommandLineOption judge{
        QStringLiteral("judge"),
        QStringLiteral("Wait for a client in any language, and say how it paid: in words on stderr, as JSON in the "
                       "last line of stdout. 0: it holds, 1: it does not. Plays \"reply lost after the charge\" "
                       "without --scenario.")};
    QCommandLineOption judgeQuiet{QStringLiteral("judge-quiet"),
                                  QStringLiteral("The verdict comes S seconds after the client's last request (default: 10)."),
                                  QStringLiteral("S"), QStringLiteral("10")};
    QCommandLineOption judgeWait{QStringLiteral("judge-wait"),
                                 QStringLiteral("Wait S seconds for the client's first request (default: 300)."),
                                 QStringLiteral("S"), QStringLiteral("300")};
    QCommandLineOption naive{QStringLiteral("naive"),
                             QStringLiteral("With --judge: switch the key layer off, to see the double charge happen.")};
    QCommandLineOption help{{QStringLiteral("h"), QStringLiteral("help")}, QStringLiteral("Show this help and end.")};
    QCommandLineOption version{{QStringLiteral("v"), QStringLiteral("version")}, QStringLiteral("Show the version and end.")};
};

std::optional<Ending> readPorts(const QCommandLineParser& parser, const Flags& flags, Options& options)
{
    for (const auto& [flag, target] :
         {std::pair(&flags.port, &options.port), std::pair(&flags.controlPort, &options.controlPort)}) {
        const auto number = portOf(parser.value(*flag));
        if (!number)
            return Ending{
                ExitStatus::Usage,
                QStringLiteral("--%1: '%2' is no port from 0 to 65535").arg(flag->names().first(), parser.value(*flag))};
        *target = *number;
    }
    return {};
}

/// Never says the value: it may hold a password.
std::optional<Ending> readLocations(const QCommandLineParser& parser, const Flags& flags, Options& options)
{
    for (const auto& [flag, target] : {std::pair(&flags.database, &options.database), std::pair(&flags.bank, &options.bank)})
        if (parser.isSet(*flag))
            *target = storage::Location::parse(parser.value(*flag));
    if (parser.isSet(flags.database) && !(options.database && options.database->isPostgres()))
        return Ending{ExitStatus::Usage, QStringLiteral("--database: not a postgresql:// URL, nor libpq's key words")};
    if (parser.isSet(flags.bank) && !options.bank)
        return Ending{ExitStatus::Usage,
                      QStringLiteral("--bank: neither a file nor a postgresql:// URL nor libpq's key words")};
    return {};
}

/// A verdict is about one run, so a judge has books of its own; and a shop without its key layer is for nobody else.
std::optional<Ending> refuseMixing(const QCommandLineParser& parser, const Flags& flags)
{
    for (const auto* flag : {&flags.judgeQuiet, &flags.judgeWait, &flags.naive})
        if (parser.isSet(*flag) && !parser.isSet(flags.judge))
            return Ending{ExitStatus::Usage, QStringLiteral("--%1 needs --judge").arg(flag->names().first())};
    for (const auto* flag : {&flags.database, &flags.bank})
        if (parser.isSet(flags.judge) && parser.isSet(*flag))
            return Ending{ExitStatus::Usage,
                          QStringLiteral("--judge keeps books of its own, so it goes without --%1").arg(flag->names().first())};
    return {};
}

std::optional<Ending> readJudge(const QCommandLineParser& parser, const Flags& flags, Options& options)
{
    constexpr int kMostSeconds = 86'400;
    if (auto mistake = refuseMixing(parser, flags); mistake || !parser.isSet(flags.judge))
        return mistake;
    judge::JudgeSettings settings;
    for (const auto& [flag, target] :
         {std::pair(&flags.judgeQuiet, &settings.quiet), std::pair(&flags.judgeWait, &settings.patience)}) {
        const int seconds = parser.value(*flag).toInt();
        if (seconds < 1 || seconds > kMostSeconds)
            return Ending{ExitStatus::Usage,
                          QStringLiteral("--%1: '%2' is no number of seconds from 1 to %3")
                              .arg(flag->names().first(), parser.value(*flag), QString::number(kMostSeconds))};
        *target = std::chrono::seconds(seconds);
    }
    if (parser.isSet(flags.naive))
        settings.keys = judge::KeyLayer::Off;
    options.judge = settings;
    if (!parser.isSet(flags.keys)) // a client of somebody else has keys of its own form
        options.keys = protocol::KeyForm::Any;
    return {};
}

std::optional<Ending> refuseEmptyPaths(const QCommandLineParser& parser, const Flags& flags)
{
    for (const auto* flag : {&flags.dataDir, &flags.scenario, &flags.database, &flags.bank})
        if (parser.isSet(*flag) && parser.value(*flag).isEmpty())
            return Ending{ExitStatus::Usage, QStringLiteral("--%1: the path is empty").arg(flag->names().first())};
    return {};
}

/// An address of a database that lost its flag is shown without its password.
Ending unexpected(const QString& argument)
{
    const auto location = storage::Location::parse(argument);
    const QString shown = location ? location->described() : QStringLiteral("…");
    return {ExitStatus::Usage, QStringLiteral("unexpected argument '%1'").arg(shown)};
}

} // namespace

std::variant<Options, Ending> readOptions(const QStringList& arguments)
{
    const Flags flags;
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("A mock shop and its bank that cannot charge twice, and a simulator that tries to make them.\n"
                       "The first line on stdout says where it listens, as JSON. Ends with 0 after SIGTERM or SIGINT, 1: the "
                       "verdict of --judge\n"
                       "does not hold, 2: usage, 74: storage, 75: the data directory is in use, 78: configuration."));
    parser.addOptions({flags.dataDir, flags.database, flags.bank, flags.port, flags.controlPort, flags.scenario,
                       flags.rateLimit, flags.keys, flags.logLevel, flags.judge, flags.judgeQuiet, flags.judgeWait, flags.naive,
                       flags.help, flags.version});
    if (!parser.parse(arguments))
        return Ending{ExitStatus::Usage, parser.errorText()};
    if (parser.isSet(flags.help))
        return Ending{ExitStatus::Fine, parser.helpText()};
    if (parser.isSet(flags.version))
        return Ending{ExitStatus::Fine, QStringLiteral("payonce-server " PAYONCE_VERSION "\n")};
    if (!parser.positionalArguments().isEmpty())
        return unexpected(parser.positionalArguments().first());
    Options options{.dataDir = parser.value(flags.dataDir), .scenarioFile = parser.value(flags.scenario)};
    if (auto mistake = readPorts(parser, flags, options))
        return *mistake;
    if (parser.isSet(flags.rateLimit))
        if (auto mistake = readRateLimit(parser.value(flags.rateLimit), options))
            return *mistake;
    if (parser.isSet(flags.keys))
        if (auto mistake = readKeys(parser.value(flags.keys), options))
            return *mistake;
    if (auto mistake = readJudge(parser, flags, options))
        return *mistake;
    if (!options.judge && !parser.isSet(flags.dataDir))
        options.dataDir = defaultDataDir();
    if (auto mistake = readLogLevel(parser.value(flags.logLevel), options))
        return *mistake;
    if (auto mistake = refuseEmptyPaths(parser, flags))
        return *mistake;
    if (auto mistake = readLocations(parser, flags, options))
        return *mistake;
    return options;
}

} // namespace payonce::program
