#include "automation/shop_control.h"

#include "support/http_call.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QJsonDocument>
#include <QtCore/QUrl>
#include <QtNetwork/QTcpSocket>
#include <QtTest/QTest>

#include <csignal>

namespace payonce::support {

namespace {

constexpr int kPatience = 20'000;
constexpr int kControlPatience = 5'000;

} // namespace

QJsonObject ShopControl::record() const
{
    QFile file(QDir(m_dataDir).filePath(QStringLiteral("server.json")));
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

qint64 ShopControl::pid() const
{
    return record().value(QLatin1String("pid")).toInteger();
}

void ShopControl::killServer() const
{
    if (const auto server = pid(); server > 0)
        static_cast<void>(::kill(static_cast<pid_t>(server), SIGKILL));
}

void ShopControl::endServer() const
{
    const auto server = pid();
    killServer();
    if (server > 0)
        static_cast<void>(QTest::qWaitFor([&] { return hasEnded(server); }, kPatience));
}

bool ShopControl::hasEnded(qint64 pid)
{
    // "PID (NAME) STATE ...": the name may hold anything.
    QFile stat(QStringLiteral("/proc/%1/stat").arg(pid));
    if (!stat.open(QIODevice::ReadOnly))
        return true;
    const auto facts = stat.readAll();
    return facts.mid(facts.lastIndexOf(')') + 2, 1) == "Z";
}

bool ShopControl::waitForServer(qint64 old) const
{
    return QTest::qWaitFor([&] { return pid() != old && !verdict().isEmpty(); }, kPatience);
}

quint16 ShopControl::portOf(const QString& member) const
{
    return static_cast<quint16>(QUrl(record().value(member).toString()).port(0));
}

QByteArray ShopControl::token(const QString& name) const
{
    QFile file(record().value(QLatin1String("tokens")).toObject().value(name).toString());
    return !file.fileName().isEmpty() && file.open(QIODevice::ReadOnly) ? file.readAll().trimmed() : QByteArray();
}

ShopControl::Answer ShopControl::ask(const QString& side, const QString& tokenName, const QByteArray& method,
                                     const QByteArray& path, const QByteArray& body, const QByteArray& key) const
{
    const auto port = portOf(side);
    if (port == 0)
        return {};
    QList<std::pair<QByteArray, QByteArray>> headers{{"Authorization", "Bearer " + token(tokenName)}};
    if (!body.isEmpty())
        headers.emplaceBack("Content-Type", "application/json");
    if (!key.isEmpty())
        headers.emplaceBack("Idempotency-Key", QByteArray(1, '"') + key + '"');
    const HttpCall call(port, httpRequest(method, path, headers, body));
    if (!QTest::qWaitFor([&] { return call.isFinished(); }, kControlPatience) || !call.answer())
        return {};
    return {call.answer()->status, call.answer()->json()};
}

QJsonObject ShopControl::verdict() const
{
    return ask(QStringLiteral("control"), QStringLiteral("control"), "GET", "/verdict").json;
}

QJsonObject ShopControl::ledger() const
{
    return ask(QStringLiteral("control"), QStringLiteral("control"), "GET", "/ledger").json;
}

QJsonObject ShopControl::arrivals() const
{
    return ask(QStringLiteral("control"), QStringLiteral("control"), "GET", "/journal").json;
}

QJsonObject ShopControl::supportView(const QString& actionId) const
{
    return ask(QStringLiteral("shop"), QStringLiteral("support"), "GET", "/v1/support/actions/" + actionId.toLatin1()).json;
}

bool ShopControl::advanceClock(qint64 milliseconds) const
{
    const QJsonObject by{{QStringLiteral("advance_ms"), milliseconds}};
    return ask(QStringLiteral("control"), QStringLiteral("control"), "POST", "/clock",
               QJsonDocument(by).toJson(QJsonDocument::Compact))
                   .status /
               100 ==
           2;
}

bool ShopControl::addRule(const QByteArray& rule) const
{
    return ask(QStringLiteral("control"), QStringLiteral("control"), "POST", "/rules", rule).status / 100 == 2;
}

bool ShopControl::removeRule(const QByteArray& id) const
{
    return ask(QStringLiteral("control"), QStringLiteral("control"), "DELETE", "/rules/" + id).status / 100 == 2;
}

bool ShopControl::knock() const
{
    QTcpSocket socket;
    socket.connectToHost(QStringLiteral("127.0.0.1"), portOf(QStringLiteral("shop")));
    return QTest::qWaitFor([&] { return socket.state() != QAbstractSocket::ConnectingState; }, kControlPatience) &&
           socket.state() == QAbstractSocket::ConnectedState;
}

int ShopControl::post(const QString& key, const QByteArray& body) const
{
    return ask(QStringLiteral("shop"), QStringLiteral("account"), "POST", "/v1/payments", body, key.toLatin1()).status;
}

} // namespace payonce::support
