#include "shop/request_log.h"

#include "server_mock/faults/fake_exchange.h"
#include "shop/press_tally.h"

#include <QtTest/QTest>

using namespace payonce;
using shop::Endpoint;
using shop::Leaving;
using shop::RequestEnd;
using tests::FakeExchange;

namespace {

// NOLINTBEGIN(modernize-raw-string-literal): moc of Qt 6.4 cannot read these as raw strings
constexpr const char* kDeclined =
    "{\"title\":\"\\\"code\\\":\\\"x\\\"\",\"code\":\"card-declined\",\"decline_code\":\"expired_card\"}";
constexpr const char* kBadKey = "{\"code\":\"key-invalid\"}";
// NOLINTEND(modernize-raw-string-literal)
constexpr const char* kId = "0198c0de-7a11-7c3e-9f00-6b1f0a2c4d5e";

class CountingMetrics final : public shop::Metrics
{
public:
    void ended(const shop::RequestFacts& request) override { requests.push_back(request); }
    std::vector<shop::RequestFacts> requests;
};

http::Request payment()
{
    http::Request request;
    request.method = "POST";
    request.path = "/v1/payments";
    request.headers = {{"Idempotency-Key", QByteArray("\"") + kId + '"'}, {"Action-Attempt", "2;prev=timeout"}};
    request.connection = 7;
    request.number = 19;
    return request;
}

http::Response created()
{
    return {201, "application/json", "{}", {{"Idempotent-Replayed", "true"}}};
}

} // namespace

class TestRequestLog : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_lines.clear();
        m_metrics = std::make_unique<CountingMetrics>();
        m_watch = std::make_shared<shop::RequestWatch>(*m_metrics, [this](const RequestEnd& end) { m_lines.push_back(end); });
    }

    void answer_isPassedOnAndTold()
    {
        const auto inner = std::make_shared<FakeExchange>(payment());
        m_watch->watched(inner, Endpoint::Pay)->answer(created());

        QCOMPARE(inner->did, (QByteArrayList{"answer 201 {}"}));
        QCOMPARE(m_lines.size(), std::size_t{1});
        const RequestEnd& line = m_lines.front();
        QCOMPARE(line.operation, std::string_view("pay"));
        QCOMPARE(line.actionId, std::string(kId));
        QCOMPARE(line.attempt, std::string("2"));
        QCOMPARE(line.status, 201);
        QCOMPARE(line.leaving, Leaving::Whole);
        QVERIFY(line.isReplay && line.took);
        QCOMPARE(line.connection, quint64{7});
        QCOMPARE(line.request, quint64{19});
        QCOMPARE(m_metrics->requests.size(), std::size_t{1});
        QCOMPARE(m_metrics->requests.front().status, 201);
    }

    void problem_isToldByItsCode()
    {
        m_watch->watched(std::make_shared<FakeExchange>(payment()), Endpoint::Pay)
            ->answer({402, "application/problem+json", kDeclined, {}});
        QCOMPARE(m_lines.front().code, std::string("card-declined"));
    }

    void everyWayToLeave_isToldOnce_data()
    {
        QTest::addColumn<std::function<void(FakeExchange&, http::Exchange&)>>("act");
        QTest::addColumn<int>("leaving");
        QTest::addColumn<int>("status");

        using Act = std::function<void(FakeExchange&, http::Exchange&)>;
        const auto row = [](const char* name, Leaving leaving, int status, const Act& act) {
            QTest::newRow(name) << act << static_cast<int>(leaving) << status;
        };
        row("cut", Leaving::Cut, 201, [](auto&, auto& outer) { outer.answer(created(), http::ByteFault{}); });
        row("the client is gone", Leaving::Left, 201, [](auto& inner, auto& outer) {
            inner.leave();
            outer.answer(created());
        });
        row("closed", Leaving::Closed, 0, [](auto&, auto& outer) { outer.end(http::End::Fin); });
        row("reset", Leaving::Closed, 0, [](auto&, auto& outer) { outer.end(http::End::Rst); });
        row("silent, then closed", Leaving::Silent, 0, [](auto&, auto& outer) {
            outer.silence();
            outer.end(http::End::Fin);
        });
        row("answered, then answered", Leaving::Whole, 201, [](auto&, auto& outer) {
            outer.answer(created());
            outer.answer({500, "application/json", {}, {}});
        });
        row("dropped", Leaving::Closed, 0, [](auto&, auto&) {});
        row("dropped by both", Leaving::Left, 0, [](auto& inner, auto&) { inner.leave(); });
    }
    void everyWayToLeave_isToldOnce()
    {
        using Act = std::function<void(FakeExchange&, http::Exchange&)>;
        QFETCH(Act, act);
        QFETCH(int, leaving);
        QFETCH(int, status);
        const auto inner = std::make_shared<FakeExchange>(payment());

        auto outer = m_watch->watched(inner, Endpoint::Pay);
        act(*inner, *outer);
        outer.reset();

        QCOMPARE(m_lines.size(), std::size_t{1});
        QCOMPARE(static_cast<int>(m_lines.front().leaving), leaving);
        QCOMPARE(m_lines.front().status, status);
        QCOMPARE(m_lines.front().actionId, std::string(kId));
        QCOMPARE(m_metrics->requests.size(), std::size_t{1});
    }

    void whatIsNotWellFormed_isLeftOut()
    {
        http::Request request = payment();
        request.path = "/v1/orders/4242424242424242";
        request.headers = {{"Idempotency-Key", "4242424242424242"}, {"Action-Attempt", "4242424242424242;a"}};
        m_watch->refused(request, {400, "application/problem+json", kBadKey, {}});

        const RequestEnd& line = m_lines.front();
        QCOMPARE(line.operation, std::string_view("none"));
        QVERIFY(line.actionId.empty() && line.attempt.empty() && !line.took);
        QCOMPARE(line.code, std::string("key-invalid"));
    }

    void actionInThePath_isNamed()
    {
        http::Request request;
        request.method = "GET";
        request.path = QByteArray("/v1/actions/") + kId;
        m_watch->watched(std::make_shared<FakeExchange>(request), Endpoint::Status)->end(http::End::Fin);
        QCOMPARE(m_lines.front().actionId, std::string(kId));
        QCOMPARE(m_lines.front().operation, std::string_view("status"));
    }

    void exchangeThatOutlivesTheWatch_tellsNobody()
    {
        const auto inner = std::make_shared<FakeExchange>(payment());
        const auto outer = m_watch->watched(inner, Endpoint::Pay);
        m_watch.reset();
        m_metrics.reset();
        outer->answer(created());
        QCOMPARE(inner->did.size(), 1);
        QVERIFY(m_lines.empty());
    }

    void pressTally_givesOnlyTheIncrease()
    {
        shop::PressTally tally;
        QCOMPARE(tally.increase("a", 2), 2);
        QCOMPARE(tally.increase("a", 5), 3);
        QCOMPARE(tally.increase("a", 4), 0);
        QCOMPARE(tally.increase("a", 6), 1);
        QCOMPARE(tally.increase("b", 1), 1);
        for (std::size_t i = 0; i < shop::kTotalsMost; ++i)
            QCOMPARE(tally.increase(std::to_string(i), 1), 1);
        QCOMPARE(tally.increase("a", 6), 6); // forgotten: bounded
        QCOMPARE(tally.increase(std::to_string(shop::kTotalsMost - 1), 1), 0);
    }

private:
    std::vector<RequestEnd> m_lines;
    std::unique_ptr<CountingMetrics> m_metrics;
    std::shared_ptr<shop::RequestWatch> m_watch;
};

QTEST_GUILESS_MAIN(TestRequestLog)
#include "tst_request_log.moc"
