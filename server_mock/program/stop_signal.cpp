#include "program/stop_signal.h"

#include "values/check.h"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <csignal>

namespace payonce::program {

namespace {

// A signal handler may do next to nothing; a byte through a socket wakes the event loop (signal-safety(7)).
std::array<int, 2> sockets{-1, -1};

extern "C" void onSignal(int)
{
    const char byte = 1;
    [[maybe_unused]] const auto written = ::write(sockets[0], &byte, 1);
}

} // namespace

StopSignal::StopSignal(QObject* parent) : QObject(parent)
{
    CHECK(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, sockets.data()) == 0);
    m_notifier = std::make_unique<QSocketNotifier>(sockets[1], QSocketNotifier::Read);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, [this] {
        char byte = 0;
        [[maybe_unused]] const auto taken = ::read(sockets[1], &byte, 1);
        Q_EMIT stopRequested();
    });
    struct sigaction action = {};
    action.sa_handler = onSignal;
    action.sa_flags = SA_RESTART;
    CHECK(::sigaction(SIGTERM, &action, nullptr) == 0 && ::sigaction(SIGINT, &action, nullptr) == 0);
}

} // namespace payonce::program
