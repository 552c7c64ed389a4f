// ControlClient: asks the bundled server's control API what really happened (docs/faults.md, Control API).
#pragma once

#include "checkout/server_record.h"
#include "protocol/verdict_json.h"

#include <QtNetwork/QNetworkAccessManager>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace payonce::checkout {

/// What the books say: the verdict of the simulator, and rows counted in the bank's and the shop's databases.
struct Books
{
    protocol::VerdictReport verdict;
    int charges = 0; ///< approved rows of the bank
    int orders = 0;  ///< paid orders of the shop
};

/// One question at a time. `done` runs later than the call, and not at all once this object is gone.
class ControlClient
{
public:
    /// Empty: a server that does not answer, or not with books.
    using Done = std::function<void(std::optional<Books>)>;

    void ask(const ServerRecord& server, Done done);
    /// Plays a scenario on a server that runs already, in place of the one it has. False: it does not answer, or refuses it.
    void play(const ServerRecord& server, const QByteArray& scenario, std::function<void(bool)> done);

private:
    [[nodiscard]] static QNetworkRequest requestOf(const ServerRecord& server, const QString& path);
    void get(const ServerRecord& server, const QString& path, std::function<void(const QByteArray&)> done);

    QNetworkAccessManager m_network;
};

/// Empty if either is not what the control API answers.
[[nodiscard]] std::optional<Books> readBooks(const QByteArray& verdict, const QByteArray& ledger);

} // namespace payonce::checkout
