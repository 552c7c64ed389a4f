#include "server_mock/hell/hell_server.h"

#include "support/bank_rows.h"

#include <QtTest/QTest>

namespace payonce::tests {

namespace {

constexpr int kPatienceMs = 30'000;

} // namespace

bool HellServer::start()
{
    if (!m_dir.isValid() || !m_process.start())
        return false;
    m_sender.token = m_process.token(QStringLiteral("account"));
    const auto answer = ask(support::httpRequest(
        "POST", "/v1/payment-methods", {{"Authorization", "Bearer " + m_sender.token}, {"Content-Type", "application/json"}},
        R"({"card":{"number":"4242424242424242","exp_month":12,"exp_year":2031,"cvc":"123"}})"));
    m_sender.paymentMethod = answer ? answer->json().value(QStringLiteral("id")).toString().toLatin1() : QByteArray();
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
    const support::HttpCall call(m_process.shopPort(), request);
    const bool isFinished = QTest::qWaitFor([&call] { return call.isFinished(); }, kPatienceMs);
    return isFinished ? call.answer() : std::nullopt;
}

} // namespace payonce::tests
