// A real payonce-server in its own process and the real client without its windows.
#pragma once

#include "bench/figures.h"
#include "bench/timed_transport.h"
#include "runner/action_runner.h"
#include "runner/system_environment.h"
#include "support/server_process.h"
#include "transport/http_transport.h"

#include <QtCore/QTemporaryDir>

namespace payonce::bench {

/// How long one payment took, seen from the client.
struct PaymentTimes
{
    Microseconds clickToFinal{0};
    Microseconds firstPostEndToFinal{0}; ///< zero or less where the POST's own answer was the final one
};

class ClientRig
{
public:
    /// `scenario`: the text of a scenario file; empty for none.
    explicit ClientRig(const QByteArray& scenario);

    /// One payment from the press to Paid, by a client that has just started; its own cart each time.
    [[nodiscard]] PaymentTimes payOnce();
    [[nodiscard]] const transport::ShopAddress& address() const { return m_address; }
    /// For files beside the server's, on the same disk.
    [[nodiscard]] QString directory() const { return m_directory.path(); }

private:
    [[nodiscard]] std::unique_ptr<runner::ActionRunner> startedRunner();

    QTemporaryDir m_directory;
    support::ServerProcess m_server;
    transport::ShopAddress m_address;
    runner::SystemEnvironment m_environment;
    std::unique_ptr<transport::HttpTransport> m_wire;
    std::unique_ptr<TimedTransport> m_transport;
    retry::Scope m_scope;
    int m_cart = 0;
};

} // namespace payonce::bench
