#include "server_mock/hell/hell_server.h"

#include "support/bank_rows.h"
#include "support/shop_requests.h"

namespace payonce::tests {

bool HellServer::start()
{
    if (!m_dir.isValid() || !m_process.start())
        return false;
    m_sender.token = m_process.token(QStringLiteral("account"));
    const auto answer =
        ask(support::httpRequest("POST", "/v1/payment-methods", support::bearer(m_sender.token), support::cardBody()));
    m_sender.paymentMethod = answer ? text(*answer, "id").toLatin1() : QByteArray();
    return !m_sender.paymentMethod.isEmpty();
}

int HellServer::charges() const
{
    return support::chargesIn(m_dir.filePath(QStringLiteral("data")));
}

int HellServer::payOnce() const
{
    const auto answer = ask(payment(m_sender, keyLine() + "Connection: close\r\n", goodBody(m_sender)));
    return answer ? answer->status : 0;
}

std::optional<support::HttpAnswer> HellServer::ask(const QByteArray& request) const
{
    return support::ask(m_process.shopPort(), request);
}

} // namespace payonce::tests
