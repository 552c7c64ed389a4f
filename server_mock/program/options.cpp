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

} // namespace

std::variant<Options, Ending> readOptions(const QStringList& arguments)
{
    const QCommandLineOption port(QStringLiteral("port"),
                                  QStringLiteral("Port of the shop on 127.0.0.1; 0: chosen by the system."),
                                  QStringLiteral("N"), QStringLiteral("0"));
    const QCommandLineOption controlPort(QStringLiteral("control-port"),
                                         QStringLiteral("Port of the simulator's control API, as --port."), QStringLiteral("N"),
                                         QStringLiteral("0"));
    const QCommandLineOption dataDir(
        QStringLiteral("data-dir"),
        QStringLiteral("Keep the databases, tokens and server.json in DIR, made with mode 0700 if missing "
                       "(default: the user's application data)."),
        QStringLiteral("DIR"), defaultDataDir());
    const QCommandLineOption scenario(QStringLiteral("scenario"), QStringLiteral("Play the faults in FILE."),
                                      QStringLiteral("FILE"));
    const QCommandLineOption rateLimit(
        QStringLiteral("rate-limit"),
        QStringLiteral("Let in at most N requests of one account in each second (default: no limit)."), QStringLiteral("N"));
    const QCommandLineOption keys(QStringLiteral("keys"),
                                  QStringLiteral("Take keys of FORM: uuidv7 (default), or any string of up to 255 characters."),
                                  QStringLiteral("FORM"), QStringLiteral("uuidv7"));
    const QCommandLineOption logLevel(
        QStringLiteral("log-level"),
        QStringLiteral("How much is said on stderr, as JSON lines: error, warning, info (one line a request) or debug "
                       "(default: warning)."),
        QStringLiteral("LEVEL"), QStringLiteral("warning"));
    const QCommandLineOption database(
        QStringLiteral("database"),
        QStringLiteral(
            "Keep the shop in PostgreSQL, where several servers may share it: postgresql://HOST/DATABASE or libpq's key "
            "words (default: shop.sqlite in the data directory). Better without the password: PGPASSFILE and "
            "PGPASSWORD are read."),
        QStringLiteral("URL"));
    const QCommandLineOption bank(
        QStringLiteral("bank"),
        QStringLiteral(
            "The bank's database: a file, or as --database. All servers of a shop use one bank (default: bank.sqlite in "
            "the data directory)."),
        QStringLiteral("URL"));
    const QCommandLineOption help({QStringLiteral("h"), QStringLiteral("help")}, QStringLiteral("Show this help and end."));
    const QCommandLineOption version({QStringLiteral("v"), QStringLiteral("version")},
                                     QStringLiteral("Show the version and end."));
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral(
        "A mock shop and its bank that cannot charge twice, and a simulator that tries to make them.\n"
        "The first line on stdout says where it listens, as JSON. Ends with 0 after SIGTERM or SIGINT, 2: usage, 74: storage,\n"
        "75: the data directory is in use, 78: configuration."));
    parser.addOptions({dataDir, database, bank, port, controlPort, scenario, rateLimit, keys, logLevel, help, version});
    if (!parser.parse(arguments))
        return Ending{ExitStatus::Usage, parser.errorText()};
    if (parser.isSet(help))
        return Ending{ExitStatus::Fine, parser.helpText()};
    if (parser.isSet(version))
        return Ending{ExitStatus::Fine, QStringLiteral("payonce-server " PAYONCE_VERSION "\n")};
    if (!parser.positionalArguments().isEmpty())
        return Ending{ExitStatus::Usage, QStringLiteral("unexpected argument '%1'").arg(parser.positionalArguments().first())};
    Options options{.dataDir = parser.value(dataDir), .scenarioFile = parser.value(scenario)};
    for (const auto& [option, target] : {std::pair(&port, &options.port), std::pair(&controlPort, &options.controlPort)}) {
        const auto number = portOf(parser.value(*option));
        if (!number)
            return Ending{
                ExitStatus::Usage,
                QStringLiteral("--%1: '%2' is no port from 0 to 65535").arg(option->names().first(), parser.value(*option))};
        *target = *number;
    }
    if (parser.isSet(rateLimit))
        if (auto mistake = readRateLimit(parser.value(rateLimit), options))
            return *mistake;
    if (auto mistake = readKeys(parser.value(keys), options))
        return *mistake;
    if (auto mistake = readLogLevel(parser.value(logLevel), options))
        return *mistake;
    for (const auto* option : {&dataDir, &scenario, &database, &bank})
        if (parser.isSet(*option) && parser.value(*option).isEmpty())
            return Ending{ExitStatus::Usage, QStringLiteral("--%1: the path is empty").arg(option->names().first())};
    for (const auto& [option, target] : {std::pair(&database, &options.database), std::pair(&bank, &options.bank)})
        if (parser.isSet(*option))
            *target = storage::Location::parse(parser.value(*option));
    // Never with the value: it may hold a password.
    if (parser.isSet(database) && !(options.database && options.database->isPostgres()))
        return Ending{ExitStatus::Usage, QStringLiteral("--database: not a postgresql:// URL, nor libpq's key words")};
    if (parser.isSet(bank) && !options.bank)
        return Ending{ExitStatus::Usage,
                      QStringLiteral("--bank: neither a file nor a postgresql:// URL nor libpq's key words")};
    return options;
}

} // namespace payonce::program
