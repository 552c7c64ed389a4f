#include "bench/bench_payments.h"

#include "bench/bare_commits.h"
#include "bench/client_rig.h"
#include "protocol/card_request.h"
#include "protocol/payment_request.h"
#include "support/fresh_id.h"
#include "values/check.h"

#include <QtCore/QEventLoop>
#include <QtNetwork/QNetworkAccessManager>
#include <QtNetwork/QNetworkReply>

namespace payonce::bench {

namespace {

constexpr int kWarmUps = 5;
constexpr int kCleanRuns = 60;
constexpr int kLostRuns = 30;
constexpr int kHangRuns = 8;
constexpr std::chrono::minutes kValidFor(15);

/// The client of somebody who does not care: QNetworkAccessManager with all its defaults.
class BareClient
{
public:
    explicit BareClient(const transport::ShopAddress& address) : m_address(address) {}

    QByteArray post(const QString& path, const QByteArray& key, const std::string& body)
    {
        QNetworkRequest request(QUrl(m_address.base.toString() + path));
        request.setHeader(QNetworkRequest::ContentTypeHeader, QStringLiteral("application/json"));
        request.setRawHeader("Authorization", "Bearer " + m_address.token);
        if (!key.isEmpty())
            request.setRawHeader("Idempotency-Key", '"' + key + '"');
        const std::unique_ptr<QNetworkReply> reply(m_manager.post(request, QByteArray::fromStdString(body)));
        QEventLoop wait;
        QObject::connect(reply.get(), &QNetworkReply::finished, &wait, &QEventLoop::quit);
        wait.exec();
        CHECK(reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt() == 201);
        return reply->readAll();
    }

private:
    transport::ShopAddress m_address;
    QNetworkAccessManager m_manager;
};

Microseconds bareTurn(BareClient& client, BareCommits& commits, int number)
{
    const auto now = support::wallTime();
    const auto euro = values::Currency::fromCode("EUR");
    CHECK(euro);
    const auto start = BenchClock::now();
    static_cast<void>(commits.commitOne());
    const auto answer = client.post(QStringLiteral("/v1/payment-methods"), {},
                                    protocol::buildCardRequest({"4242424242424242", 12, 2031, "123"}));
    const auto token = protocol::parseCardToken(answer.toStdString());
    CHECK(token.has_value());
    static_cast<void>(commits.commitOne());
    const auto body =
        protocol::buildPayment({"bare_" + std::to_string(number), {4200, *euro}, "you@example.com"}, *token, now + kValidFor)
            .body;
    static_cast<void>(client.post(QStringLiteral("/v1/payments"), support::freshKey(now), body));
    return since(start);
}

QByteArray losing(const QByteArray& action, const QByteArray& point)
{
    return R"({"schema":1,"name":"bench","seed":1,"about":"Every first reply is lost.","steps":[],)"
           R"("rules":[{"id":"lost","match":{"op":"pay","nth":1},"at":")" +
           point + R"(","do":{")" + action + R"(":{}}}],"expect":{}})";
}

Samples lostReplies(const QByteArray& action, int runs, Microseconds PaymentTimes::*time)
{
    ClientRig rig(losing(action, "bank.committed"));
    Samples samples;
    for (int run = 0; run < runs; ++run)
        samples.add(rig.payOnce().*time);
    return samples;
}

} // namespace

std::vector<Figure> benchCleanPayment()
{
    ClientRig rig({});
    BareClient bareClient(rig.address());
    BareCommits commits(rig.directory());
    Samples ours;
    Samples bare;
    for (int run = 0; run < kWarmUps + kCleanRuns; ++run) {
        const auto own = rig.payOnce().clickToFinal;
        const auto other = bareTurn(bareClient, commits, run);
        if (run < kWarmUps)
            continue;
        ours.add(own);
        bare.add(other);
    }
    return {{"Clean payment, click to Paid, beside two bare POSTs and two durable commits (" + std::to_string(kCleanRuns) +
                 " runs)",
             "p50 " + inMilliseconds(ours.median()) + ", p99 " + inMilliseconds(ours.percentile(99)),
             "bare: p50 " + inMilliseconds(bare.median()) + " | ratio " + asRatio(ours.median(), bare.median()), "<= 1.2 x",
             static_cast<double>(ours.median().count()) <= 1.2 * static_cast<double>(bare.median().count())}};
}

std::vector<Figure> benchLostReplies()
{
    using std::chrono::milliseconds;
    return {heldAgainst("Reply lost by close: the close to Paid",
                        lostReplies("fin", kLostRuns, &PaymentTimes::firstPostEndToFinal), 99, milliseconds(100)),
            heldAgainst("Reply lost by reset: the reset to Paid",
                        lostReplies("rst", kLostRuns, &PaymentTimes::firstPostEndToFinal), 99, milliseconds(100)),
            heldAgainst("Reply lost and the connection hangs: click to Paid",
                        lostReplies("hang", kHangRuns, &PaymentTimes::clickToFinal), 99, milliseconds(1300))};
}

} // namespace payonce::bench
