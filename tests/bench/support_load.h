// A running payonce-server with many actions behind it, and somebody of support who asks about them.
#pragma once

#include "bench/load_client.h"
#include "support/server_process.h"

#include <QtCore/QList>
#include <QtCore/QTemporaryDir>

namespace payonce::bench {

/// What a paid action is found by.
struct KnownAction
{
    QByteArray id;
    QByteArray order; ///< the number
    QByteArray charge;
    QByteArray email;
    QByteArray lastFour;
};

class SupportLoad
{
public:
    /// Writes `actions` paid actions of the last twenty days into the files of shop and bank, with their mails and events of
    /// the bank, then starts the server and fills its journal of arrivals.
    explicit SupportLoad(int actions);

    /// Some of them, by chance.
    [[nodiscard]] const QList<KnownAction>& known() const { return m_known; }
    /// Who made one in a hundred of all.
    [[nodiscard]] static QByteArray busyEmail();
    [[nodiscard]] QList<KnownAction> knownOf(const QByteArray& email) const;
    /// One search after the other, for each of `texts`; each must find something.
    [[nodiscard]] LoadResult search(const QList<QByteArray>& texts) const;
    /// The whole story of one after the other.
    [[nodiscard]] LoadResult look(const QList<KnownAction>& actions) const;

private:
    void fill(int actions) const;
    void fillJournal() const;
    [[nodiscard]] QList<KnownAction> readKnown(const QString& where) const;
    [[nodiscard]] QString shopFile() const { return m_directory.filePath(QStringLiteral("shop.sqlite")); }
    [[nodiscard]] LoadResult ask(const QList<QByteArray>& paths, int connections, const QString& token) const;

    QTemporaryDir m_directory;
    support::ServerProcess m_server;
    QList<KnownAction> m_known;
};

} // namespace payonce::bench
