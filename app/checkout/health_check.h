// HealthCheck: does a server that left its address behind still answer?
#pragma once

#include <QtCore/QUrl>
#include <QtNetwork/QNetworkAccessManager>

#include <functional>

namespace payonce::checkout {

/// One question at a time; `done` runs later than the call, and not at all once this object is gone.
class HealthCheck
{
public:
    enum class Health { Answers, Silent };

    /// GET /healthz at `shop`, given up after two seconds.
    void ask(const QUrl& shop, std::function<void(Health)> done);

private:
    QNetworkAccessManager m_network;
};

} // namespace payonce::checkout
