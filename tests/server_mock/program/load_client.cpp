#include "server_mock/program/load_client.h"

#include "support/fresh_id.h"
#include "support/shop_requests.h"

#include <utility>

namespace payonce::tests {

namespace {

constexpr int kPauseMost = 200; // milliseconds, between two requests of one customer

} // namespace

values::ActionId newAction(std::mt19937& random)
{
    values::UuidRandom bits{};
    for (std::uint8_t& byte : bits)
        byte = static_cast<std::uint8_t>(random());
    return values::ActionId::mint(support::wallTime(), bits);
}

QByteArray paymentOf(const ServerAddress& server, const values::ActionId& action, const QByteArray& method, int waitSeconds)
{
    const auto id = QByteArray::fromStdString(action.toString());
    // The same bytes at every repeat: the time is the key's.
    const auto validUntil = QByteArray::fromStdString(values::toRfc3339(action.madeAt().value() + std::chrono::minutes(10)));
    auto headers = support::bearer(server.token, id);
    if (waitSeconds > 0)
        headers.append({"Prefer", "wait=" + QByteArray::number(waitSeconds)});
    return support::httpRequest("POST", "/v1/payments", headers,
                                support::paymentBody({.cart = "own-" + id, .paymentMethod = method, .validUntil = validUntil}));
}

LoadClient::LoadClient(Choose choose, QByteArray method, unsigned seed)
    : m_choose(std::move(choose)), m_method(std::move(method)), m_random(seed)
{
}

void LoadClient::start()
{
    pay();
}

void LoadClient::later(void (LoadClient::*step)())
{
    QTimer::singleShot(static_cast<int>(m_random() % kPauseMost), this, step);
}

void LoadClient::pay()
{
    m_isDone = m_isFinishing;
    if (m_isDone)
        return;
    m_action = newAction(m_random);
    send();
}

void LoadClient::send()
{
    const auto server = m_choose();
    if (!server)
        return later(&LoadClient::send);
    const int wait = m_random() % 2 == 0 ? 0 : 2;
    m_call = std::make_unique<support::HttpCall>(server->port, paymentOf(*server, *m_action, m_method, wait));
    // Not from within the call's own signal: heard() ends the call.
    connect(m_call.get(), &support::HttpCall::finished, this, &LoadClient::heard, Qt::QueuedConnection);
    if (m_random() % 10 == 0)
        QTimer::singleShot(5, m_call.get(), [this] { leave(); });
}

/// As a customer who lost patience: the answer is nobody's, and the same request goes out again.
void LoadClient::leave()
{
    if (m_call->isFinished())
        return;
    disconnect(m_call.get(), nullptr, this, nullptr);
    m_call->leave();
    ++m_repeats;
    later(&LoadClient::send);
}

void LoadClient::heard()
{
    const auto answer = m_call->answer();
    const int status = answer ? answer->status : 0;
    if (status == 201) {
        m_ended.insert(QString::fromStdString(m_action->toString()), status);
        return later(&LoadClient::pay);
    }
    ++m_repeats;
    if (answer && status != 409 && status != 503 && m_surprise.isEmpty())
        m_surprise = QByteArray::number(status) + ' ' + answer->body;
    later(&LoadClient::send);
}

} // namespace payonce::tests
