// Reports and limits over HTTP: evidence is kept, and what is refused for being too much is not remembered.
#include "shop_bench.h"

#include "shop/report_desk.h"

#include <QtTest/QTest>

using namespace payonce;
using shop::ShopBench;
using support::HttpAnswer;

namespace {

const QByteArray kReport = R"({"clock_offset_ms":-120,"attempts":[{"n":1,"at":"2026-11-30T10:00:00Z","bytes_taken":312,)"
                           R"("status":null,"outcome":"unknown","reason":"soft_deadline"}],"presses":{"confirming":3},)"
                           R"("openings":{"checkout":2},"last_state":"Paid"})";

} // namespace

class TestReport : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        start({});
    }
    void cleanup() { m_bench.reset(); }

    void report_isKeptAndDecidesNothing()
    {
        const auto call = report(kReport);
        QTRY_VERIFY(call->isFinished());
        QVERIFY2(call->received().startsWith("HTTP/1.1 204 "), call->received());
        QVERIFY(call->received().contains("Action-Id: \"" + QByteArray::fromStdString(m_id.toString())));
        QCOMPARE(reports(), (std::vector<std::string>{kReport.toStdString()}));
        QCOMPARE(ShopBench::answerOf(m_bench->look(m_id)).status, 404); // the action is as unknown as before
        QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, m_bench->newPayment())).status, 201);
    }

    void manyReports_keepTheNewest()
    {
        for (int i = 0; i < storage::kReportsMost + 3; ++i) {
            const auto call = report(R"({"n":)" + QByteArray::number(i) + '}');
            QTRY_VERIFY(call->isFinished());
        }
        const auto kept = reports();
        QCOMPARE(kept.size(), std::size_t{storage::kReportsMost});
        QCOMPARE(kept.front(), std::string(R"({"n":3})"));
    }

    void refusedReport_isNotKept_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<int>("status");
        QTest::newRow("too large") << QByteArray("{\"a\":\"" + QByteArray(shop::kReportMost, 'x') + "\"}") << 413;
        QTest::newRow("no JSON") << QByteArray("{") << 400;
        QTest::newRow("no object") << QByteArray("[]") << 422;
        QTest::newRow("a member twice") << QByteArray(R"({"a":1,"a":2})") << 400;
    }
    void refusedReport_isNotKept()
    {
        QFETCH(QByteArray, body);
        QFETCH(int, status);
        QCOMPARE(ShopBench::answerOf(report(body)).status, status);
        QVERIFY(reports().empty());
    }

    // 16 KiB for each of ever new IDs: beyond the hour's bytes nothing is stored.
    void tooManyReports_areRefusedAndNotKept()
    {
        constexpr int kFit = 4;
        idempotency::LedgerNumbers numbers;
        numbers.reportBytesMost = kFit * shop::kReportMost;
        start(numbers);
        const QByteArray large = "{\"a\":\"" + QByteArray(shop::kReportMost - 8, 'x') + "\"}";
        for (int i = 0; i < kFit; ++i) {
            m_id = ShopBench::newAction();
            const auto call = report(large);
            QTRY_VERIFY(call->isFinished());
            QVERIFY2(call->received().startsWith("HTTP/1.1 204 "), call->received());
        }
        m_id = ShopBench::newAction();
        const HttpAnswer refused = ShopBench::answerOf(report(large));
        QCOMPARE(refused.status, 429);
        QCOMPARE(text(refused, "code"), QStringLiteral("rate-limited"));
        const int seconds = refused.header("Retry-After").toInt();
        QVERIFY2(seconds > 3000 && seconds <= 3600, refused.header("Retry-After"));
        QVERIFY(reports().empty());
        QCOMPARE(ShopBench::answerOf(m_bench->pay(m_id, m_bench->newPayment())).status, 201); // decides nothing

        m_bench->letTimePass(std::chrono::seconds(seconds));
        const auto call = report(large);
        QTRY_VERIFY(call->isFinished());
        QVERIFY2(call->received().startsWith("HTTP/1.1 204 "), call->received());
    }

    // The store cannot be filled with tombstones; a 429 is never remembered.
    void tooManyTombstones_areRefusedAndNotRemembered()
    {
        idempotency::LedgerNumbers numbers;
        numbers.tombstonesMost = 3;
        start(numbers);
        std::vector<values::ActionId> ids;
        for (int i = 0; i < 3; ++i) {
            ids.push_back(ShopBench::newAction());
            QCOMPARE(ShopBench::answerOf(m_bench->abandon(ids.back())).status, 200);
        }
        const HttpAnswer refused = ShopBench::answerOf(m_bench->abandon(m_id));
        QCOMPARE(refused.status, 429);
        QCOMPARE(text(refused, "code"), QStringLiteral("rate-limited"));
        QCOMPARE(text(refused, "retry"), QStringLiteral("same-key"));
        const int seconds = refused.header("Retry-After").toInt(); // until the first of them is an hour old
        QVERIFY2(seconds > 3500 && seconds <= 3600, refused.header("Retry-After"));
        QCOMPARE(ShopBench::answerOf(m_bench->look(m_id)).status, 404);
        QCOMPARE(ShopBench::answerOf(m_bench->abandon(ids.front())).status, 200); // of an existing record: never refused

        m_bench->letTimePass(std::chrono::seconds(seconds));
        QCOMPARE(ShopBench::answerOf(m_bench->abandon(m_id)).status, 200);
    }

    void tooManyRequests_areRefusedAndNotRemembered()
    {
        const auto payment = m_bench->newPayment();
        start({}, 2);
        QCOMPARE(ShopBench::answerOf(m_bench->look(m_id)).status, 404);
        QCOMPARE(ShopBench::answerOf(m_bench->look(m_id)).status, 404);
        const HttpAnswer refused = ShopBench::answerOf(m_bench->abandon(m_id));
        QCOMPARE(refused.status, 429);
        QCOMPARE(text(refused, "code"), QStringLiteral("rate-limited"));
        QCOMPARE(refused.header("Retry-After"), QByteArray("1"));
        QCOMPARE(text(refused, "action_id").toStdString(), m_id.toString());
        QCOMPARE(ShopBench::answerOf(m_bench->look(m_id, {}, shop::kOtherToken)).status, 404); // another account's second
        m_bench->letTimePass(std::chrono::seconds(1));
        QCOMPARE(ShopBench::answerOf(m_bench->look(m_id)).status, 404);
    }

private:
    void start(const idempotency::LedgerNumbers& numbers, int rateLimit = 0)
    {
        m_bench = std::make_unique<ShopBench>(numbers, rateLimit);
        QVERIFY(m_bench->start());
        m_id = ShopBench::newAction();
    }
    [[nodiscard]] std::unique_ptr<support::HttpCall> report(const QByteArray& body)
    {
        return m_bench->send("POST", "/v1/actions/" + QByteArray::fromStdString(m_id.toString()) + "/report", {}, body);
    }
    [[nodiscard]] std::vector<std::string> reports()
    {
        std::optional<std::vector<std::string>> bodies;
        m_bench->shop().records().work<std::vector<std::string>>(
            [id = m_id](shop::ShopStore& store) { return store.tables().reportsOf("acct_1", id); },
            [&bodies](const shop::Outcome<std::vector<std::string>>& read) { bodies = read.value(); });
        if (!QTest::qWaitFor([&bodies] { return bodies.has_value(); }))
            qFatal("the reports cannot be read");
        return *bodies;
    }

    std::unique_ptr<ShopBench> m_bench;
    values::ActionId m_id = ShopBench::newAction();
};

QTEST_GUILESS_MAIN(TestReport)
#include "tst_report.moc"
