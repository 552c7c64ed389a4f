#include "storage/location.h"

#include <QtCore/QRegularExpression>
#include <QtCore/QStringList>
#include <QtCore/QUrl>

#include <utility>

namespace payonce::storage {

namespace {

/// In a value that Qt hands to libpq among others a semicolon would become a space; these few go another way.
bool isHandedOverAlone(const QString& name)
{
    return name == QLatin1String("host") || name == QLatin1String("dbname") || name == QLatin1String("user") ||
           name == QLatin1String("password");
}

bool add(PostgresParameters& parameters, const QString& name, const QString& value)
{
    static const QRegularExpression kName(QStringLiteral("^[a-z][a-z0-9_]*$"));
    const bool isClean = !value.contains(QChar(0)) && (isHandedOverAlone(name) || !value.contains(QLatin1Char(';')));
    if (!kName.match(name).hasMatch() || !isClean)
        return false;
    if (!value.isEmpty())
        parameters.insert(name, value);
    return true;
}

QString decoded(const QString& text)
{
    return QUrl::fromPercentEncoding(text.toUtf8());
}

/// `[::1]:5433`, `host`, `:5433`.
std::pair<QString, QString> hostAndPort(const QString& text)
{
    const auto end = text.startsWith(QLatin1Char('[')) ? text.indexOf(QLatin1Char(']')) + 1 : 0;
    const auto colon = text.indexOf(QLatin1Char(':'), end);
    QString host = colon < 0 ? text : text.left(colon);
    if (end > 0)
        host = host.mid(1, end - 2);
    return {decoded(host), colon < 0 ? QString() : text.mid(colon + 1)};
}

bool addHosts(PostgresParameters& parameters, const QString& authority)
{
    QStringList hosts;
    QStringList ports;
    for (const QString& one : authority.split(QLatin1Char(','))) {
        const auto [host, port] = hostAndPort(one);
        hosts.append(host);
        ports.append(port);
    }
    const auto joined = [](const QStringList& list) {
        return list.count(QString()) == list.size() ? QString() : list.join(QLatin1Char(','));
    };
    return add(parameters, QStringLiteral("host"), joined(hosts)) && add(parameters, QStringLiteral("port"), joined(ports));
}

bool addUser(PostgresParameters& parameters, const QString& userInfo)
{
    const auto colon = userInfo.indexOf(QLatin1Char(':'));
    const QString password = colon < 0 ? QString() : userInfo.mid(colon + 1);
    return add(parameters, QStringLiteral("user"), decoded(userInfo.left(colon < 0 ? userInfo.size() : colon))) &&
           add(parameters, QStringLiteral("password"), decoded(password));
}

bool addQuery(PostgresParameters& parameters, const QString& query)
{
    for (const QString& pair : query.split(QLatin1Char('&'), Qt::SkipEmptyParts)) {
        const auto equals = pair.indexOf(QLatin1Char('='));
        if (equals < 0 || !add(parameters, decoded(pair.left(equals)), decoded(pair.mid(equals + 1))))
            return false;
    }
    return true;
}

/// `USER:PASSWORD@HOST:PORT,…/DATABASE?NAME=VALUE&…`, the part after `://`.
std::optional<PostgresParameters> readUrl(const QString& text)
{
    const auto question = text.indexOf(QLatin1Char('?'));
    const QString main = text.left(question < 0 ? text.size() : question);
    const auto slash = main.indexOf(QLatin1Char('/'));
    QString authority = main.left(slash < 0 ? main.size() : slash);
    PostgresParameters parameters;
    const auto at = authority.lastIndexOf(QLatin1Char('@'));
    if (at >= 0 && !addUser(parameters, authority.left(at)))
        return {};
    if (!addHosts(parameters, authority.mid(at + 1)))
        return {};
    if (slash >= 0 && !add(parameters, QStringLiteral("dbname"), decoded(main.mid(slash + 1))))
        return {};
    if (question >= 0 && !addQuery(parameters, text.mid(question + 1)))
        return {};
    return parameters;
}

/// `name = value`, `name='it''s not doubled but \' escaped'`.
std::optional<PostgresParameters> readKeyWords(const QString& text)
{
    static const QRegularExpression kPair(
        QStringLiteral(R"(\G\s*([a-z][a-z0-9_]*)\s*=\s*(?:'((?:[^'\\]|\\.)*)'|((?:[^\s'\\]|\\.)*))(?:\s+|$))"));
    static const QRegularExpression kEscaped(QStringLiteral(R"(\\(.))"));
    PostgresParameters parameters;
    qsizetype read = 0;
    for (auto all = kPair.globalMatch(text); all.hasNext();) {
        const auto pair = all.next();
        QString value = pair.captured(2) + pair.captured(3);
        if (!add(parameters, pair.captured(1), value.replace(kEscaped, QStringLiteral("\\1"))))
            return {};
        read = pair.capturedEnd();
    }
    return read == text.size() ? std::optional(parameters) : std::nullopt;
}

} // namespace

Location::Location(const QString& file) : m_file(file.isNull() ? QStringLiteral("") : file) {}

Location Location::postgres(PostgresParameters parameters)
{
    Location location;
    location.m_parameters = std::move(parameters);
    return location;
}

std::optional<Location> Location::parse(const QString& text)
{
    static const QRegularExpression kUrl(QStringLiteral("^postgres(ql)?://"));
    static const QRegularExpression kKeyWords(QStringLiteral(R"(^\s*[a-z][a-z0-9_]*\s*=)"));
    const auto url = kUrl.match(text);
    if (!url.hasMatch() && !kKeyWords.match(text).hasMatch())
        return Location(text);
    auto parameters = url.hasMatch() ? readUrl(text.mid(url.capturedLength())) : readKeyWords(text);
    return parameters ? std::optional(postgres(*std::move(parameters))) : std::nullopt;
}

QString Location::described() const
{
    if (!isPostgres())
        return m_file;
    const QString port = m_parameters.value(QStringLiteral("port"));
    return QStringLiteral("postgresql://%1%2/%3")
        .arg(m_parameters.value(QStringLiteral("host")), port.isEmpty() ? port : QLatin1Char(':') + port,
             m_parameters.value(QStringLiteral("dbname")));
}

} // namespace payonce::storage
