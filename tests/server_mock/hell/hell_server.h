// A real payonce-server for requests from hell, with one good customer, and the bank's rows.
#pragma once

#include "server_mock/hell/hell_request.h"
#include "support/http_call.h"
#include "support/server_process.h"

#include <QtCore/QTemporaryDir>

#include <optional>

namespace payonce::tests {

class HellServer
{
public:
    HellServer() : m_process(m_dir.filePath(QStringLiteral("data"))) {}

    /// Starts it and exchanges a card; false where either did not work.
    [[nodiscard]] bool start();

    [[nodiscard]] support::ServerProcess& process() { return m_process; }
    [[nodiscard]] const Sender& sender() const { return m_sender; }
    [[nodiscard]] quint16 port() const { return m_process.shopPort(); }
    /// Approved rows of the bank.
    [[nodiscard]] int charges() const;
    /// The status of one more good payment on a connection of its own; 0 where no answer came.
    [[nodiscard]] int payOnce() const;
    /// Empty: the connection ended without an answer.
    [[nodiscard]] std::optional<support::HttpAnswer> ask(const QByteArray& request) const;

private:
    QTemporaryDir m_dir;
    support::ServerProcess m_process;
    Sender m_sender;
};

} // namespace payonce::tests
