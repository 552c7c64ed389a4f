#include "core/transport/wire_bench.h"

#include <QtCore/QEventLoop>
#include <QtCore/QTimer>

#include <functional>
#include <memory>

namespace payonce::wiretest {

namespace {

using retry::WireResult;

/// An event loop of its own: QTest's waiting sleeps 10 ms a turn, and an answer takes several turns.
std::optional<WireResult> waitFor(const std::function<void(std::function<void(WireResult)>)>& start)
{
    struct Wait
    {
        QEventLoop loop;
        std::optional<WireResult> result;
    };
    const auto wait = std::make_shared<Wait>(); // what comes too late finds it still there
    QTimer::singleShot(kPatience, &wait->loop, &QEventLoop::quit);
    start([wait](const WireResult& ended) {
        wait->result = ended;
        wait->loop.quit();
    });
    wait->loop.exec();
    return wait->result;
}

} // namespace

retry::PostRequest aPost()
{
    return {.id = retry_tests::anId(), .body = R"({"cart_id":"cart_1","amount":{"value":4200,"currency":"EUR"}})", .note = {}};
}

QByteArray paidBody()
{
    return R"({"action_id":"0198c0de-7a11-7c3e-9f00-6b1f0a2c4d5e","state":"succeeded",)"
           R"("payment":{"id":"pay_1","status":"paid","charge_id":"ch_1","amount":{"value":4200,"currency":"EUR"}},)"
           R"("order":{"id":"ord_1","number":"1001","status":"paid"}})";
}

std::optional<WireResult> postOnce(transport::HttpTransport& transport)
{
    return waitFor([&transport](const auto& done) { transport.post(aPost(), done); });
}

std::optional<WireResult> probeOnce(transport::HttpTransport& transport)
{
    return waitFor([&transport](const auto& done) { transport.probe({.id = retry_tests::anId(), .note = {}}, done); });
}

} // namespace payonce::wiretest
