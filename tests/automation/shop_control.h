// The server behind a running payonce, asked from outside: its control API, the support API, and raw payments.
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QJsonObject>
#include <QtCore/QString>

#include <optional>

namespace payonce::support {

/// Reads DATA_DIR/server.json anew for every question, so that it finds a server that was started again.
class ShopControl
{
public:
    explicit ShopControl(QString dataDir) : m_dataDir(std::move(dataDir)) {}

    /// 0: there is no server.
    [[nodiscard]] qint64 pid() const;
    /// SIGKILL; nothing if there is none.
    void killServer() const;
    /// The same, and waits until its files are nobody's.
    void endServer() const;
    /// The process is gone, or is only still to be collected.
    [[nodiscard]] static bool hasEnded(qint64 pid);
    /// Until a server answers whose pid is not `old`.
    [[nodiscard]] bool waitForServer(qint64 old) const;

    /// Empty: no server answered with a JSON object.
    [[nodiscard]] QJsonObject verdict() const;
    [[nodiscard]] QJsonObject ledger() const;
    [[nodiscard]] QJsonObject arrivals() const;
    [[nodiscard]] QJsonObject supportView(const QString& actionId) const;
    [[nodiscard]] bool advanceClock(qint64 milliseconds) const;
    [[nodiscard]] bool addRule(const QByteArray& rule) const;
    [[nodiscard]] bool removeRule(const QByteArray& id) const;
    /// Opens a connection to the shop and says nothing. False: it is refused.
    [[nodiscard]] bool knock() const;
    /// The status of a payment POST with this key and body; 0: no answer.
    [[nodiscard]] int post(const QString& key, const QByteArray& body) const;

private:
    struct Answer
    {
        int status = 0;
        QJsonObject json;
    };

    [[nodiscard]] QJsonObject record() const;
    [[nodiscard]] quint16 portOf(const QString& member) const;
    [[nodiscard]] QByteArray token(const QString& name) const;
    /// `side`: shop or control.
    [[nodiscard]] Answer ask(const QString& side, const QString& tokenName, const QByteArray& method, const QByteArray& path,
                             const QByteArray& body = {}, const QByteArray& key = {}) const;

    QString m_dataDir;
};

} // namespace payonce::support
