#include "checkout/options.h"

#include "points/point_rules.h"

#include <QtCore/QCommandLineParser>

namespace payonce::checkout {

namespace {

constexpr int kLongestHeadlessLimit = 3600;
constexpr double kSmallestScale = 0.01;
constexpr double kLargestScale = 100;

QString text(const char* utf8)
{
    return QString::fromUtf8(utf8);
}

QList<QCommandLineOption> knownFlags()
{
    return {
        {text("data-dir"),
         text("Keep the journal, and the bundled server's data, in DIR (default: the user's application data)."), text("DIR")},
        {text("server"), text("Pay at the shop at URL instead of the bundled server; needs --token-file."), text("URL")},
        {text("token-file"), text("Sign in with the bearer token in FILE (default: the bundled server's first account)."),
         text("FILE")},
        {text("ca-file"), text("At an https --server trust the certificates (PEM) in FILE instead of those the system trusts."),
         text("FILE")},
        {text("scenario"), text("Give the bundled server the faults in FILE when it is started."), text("FILE")},
        {text("headless"), text("Pay once without a display; the last line is the verdict as JSON.")},
        {text("headless-limit"), text("With --headless: wait for a final state at most SECONDS (default 90)."),
         text("SECONDS")},
        {text("screenshot"),
         text("With --headless: write the picture to FILE (default: payonce-final.png in the data directory)."), text("FILE")},
        {text("seed"), text("Draw the same random numbers every run; only for a fresh data directory."), text("N")},
        {text("automation"), text("Let programs of this user press and read the window through the socket NAME."),
         text("NAME")},
        {text("time-scale"), text("Multiply every waiting time of the client by FACTOR (0.01 to 100)."), text("FACTOR")},
        {text("no-animations"), text("Nothing in the window moves.")},
        {text("points"), text("List the points of the client that a fault can be put at, and end.")},
        {{text("h"), text("help")}, text("Show this help and end.")},
        {{text("v"), text("version")}, text("Show the version and end.")},
    };
}

using Checked = values::Result<void, OptionsRefusal>;

Checked refuse(const QString& sentence)
{
    return values::Failure(OptionsRefusal{OptionsError::Usage, sentence});
}

Checked readServer(const QString& value, Options& options)
{
    const QUrl url(value, QUrl::StrictMode);
    const bool web = url.scheme() == text("http") || url.scheme() == text("https");
    if (!url.isValid() || !web || url.host().isEmpty() || !url.userInfo().isEmpty())
        return refuse(text("--server: '%1' is no http or https address").arg(value));
    options.server = url;
    return {};
}

Checked readSeed(const QString& value, Options& options)
{
    bool ok = false;
    options.seed = value.toULongLong(&ok);
    return ok ? Checked{} : refuse(text("--seed: '%1' is no whole number from 0 to 18446744073709551615").arg(value));
}

Checked readLimit(const QString& value, Options& options)
{
    bool ok = false;
    const int seconds = value.toInt(&ok);
    if (!ok || seconds < 1 || seconds > kLongestHeadlessLimit)
        return refuse(
            text("--headless-limit: '%1' is no number of seconds from 1 to %2").arg(value).arg(kLongestHeadlessLimit));
    options.headlessLimit = std::chrono::seconds(seconds);
    return {};
}

Checked readScale(const QString& value, Options& options)
{
    bool ok = false;
    options.timeScale = value.toDouble(&ok);
    if (!ok || !(options.timeScale >= kSmallestScale && options.timeScale <= kLargestScale))
        return refuse(text("--time-scale: '%1' is no number from %2 to %3").arg(value).arg(kSmallestScale).arg(kLargestScale));
    return {};
}

Checked readPath(const QString& flag, const QString& value, QString& target)
{
    if (value.isEmpty())
        return refuse(text("--%1: an empty name").arg(flag));
    target = value;
    return {};
}

Checked readFlag(const QString& flag, const QString& value, Options& options)
{
    if (flag == text("server"))
        return readServer(value, options);
    if (flag == text("seed"))
        return readSeed(value, options);
    if (flag == text("headless-limit"))
        return readLimit(value, options);
    if (flag == text("time-scale"))
        return readScale(value, options);
    if (flag == text("automation"))
        return readPath(flag, value, options.automation);
    if (flag == text("data-dir"))
        return readPath(flag, value, options.dataDir);
    if (flag == text("token-file"))
        return readPath(flag, value, options.tokenFile);
    if (flag == text("ca-file"))
        return readPath(flag, value, options.authorityFile);
    if (flag == text("scenario"))
        return readPath(flag, value, options.scenarioFile);
    return readPath(flag, value, options.screenshot);
}

/// Flags that only make sense together.
Checked readTogether(const QCommandLineParser& parser, Options& options)
{
    if (options.server && options.tokenFile.isEmpty())
        return refuse(text("--server: needs --token-file, the account to sign in with"));
    if (!options.authorityFile.isEmpty() && !(options.server && options.server->scheme() == text("https")))
        return refuse(text("--ca-file: only with --server at an https address"));
    if (options.server && !options.scenarioFile.isEmpty())
        return refuse(text("--scenario: only the bundled server takes one, not --server"));
    if (options.mode == Options::Mode::Headless)
        return {};
    for (const auto& flag : {text("headless-limit"), text("screenshot")})
        if (parser.isSet(flag))
            return refuse(text("--%1: only with --headless").arg(flag));
    return {};
}

Checked readAll(const QCommandLineParser& parser, Options& options)
{
    if (!parser.positionalArguments().isEmpty())
        return refuse(text("'%1': payonce takes flags only").arg(parser.positionalArguments().constFirst()));
    if (parser.isSet(text("headless")))
        options.mode = Options::Mode::Headless;
    if (parser.isSet(text("no-animations")))
        options.motion = Options::Motion::Still;
    for (const auto& flag : knownFlags()) {
        const auto name = flag.names().constLast();
        if (flag.valueName().isEmpty() || !parser.isSet(name))
            continue;
        if (auto read = readFlag(name, parser.value(name), options); !read)
            return read;
    }
    return readTogether(parser, options);
}

} // namespace

values::Result<Options, OptionsRefusal> parseOptions(const QStringList& arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(text("A checkout that cannot charge twice."));
    parser.addOptions(knownFlags());
    if (!parser.parse(arguments))
        return values::Failure(OptionsRefusal{OptionsError::Usage, parser.errorText()});
    if (parser.isSet(text("help")))
        // The parser has no application to ask for the program's name: flags are read before there is one.
        return values::Failure(
            OptionsRefusal{OptionsError::HelpWanted, parser.helpText().replace(text("<executable_name>"), text("payonce"))});
    if (parser.isSet(text("version")))
        return values::Failure(OptionsRefusal{OptionsError::VersionWanted, text("payonce " PAYONCE_VERSION "\n")});
    if (parser.isSet(text("points")))
        return values::Failure(OptionsRefusal{OptionsError::PointsWanted, points::pointsText()});
    Options options;
    if (auto read = readAll(parser, options); !read)
        return values::Failure(std::move(read.error()));
    return options;
}

} // namespace payonce::checkout
