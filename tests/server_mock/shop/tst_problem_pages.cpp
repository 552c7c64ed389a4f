#include "shop/problem_pages.h"

#include "idempotency/problem.h"
#include "shop_test.h"

#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtTest/QTest>

using namespace payonce;
using shop::ShopBench;
using support::HttpAnswer;

namespace {

QByteArray bytesOf(std::string_view text)
{
    return {text.data(), static_cast<qsizetype>(text.size())};
}

} // namespace

class TestProblemPages : public shop::ShopTest
{
    Q_OBJECT

private Q_SLOTS:
    void everyCode_hasAPageThatSaysAllThree_data()
    {
        QTest::addColumn<int>("index");
        int index = 0;
        for (const auto& rule : idempotency::problemRules())
            QTest::addRow("%d %s", rule.status, bytesOf(rule.name).constData()) << index++;
    }
    void everyCode_hasAPageThatSaysAllThree()
    {
        QFETCH(int, index);
        const auto& rule = idempotency::problemRules()[static_cast<std::size_t>(index)];

        const HttpAnswer html = get("/problems/" + bytesOf(rule.name), "text/html,*/*;q=0.8");
        const HttpAnswer json = get("/problems/" + bytesOf(rule.name), "application/json");

        QCOMPARE(html.status, 200);
        QCOMPARE(html.header("Content-Type"), QByteArray("text/html; charset=utf-8"));
        QVERIFY(html.body.contains("<code>" + bytesOf(rule.name) + "</code>"));
        QVERIFY(html.body.contains(QByteArray::number(rule.status)));
        QVERIFY2(!html.body.contains("{code}") && !html.body.contains("{retry}"), "a place of the form is not filled in");
        QCOMPARE(json.status, 200);
        QCOMPARE(json.header("Content-Type"), QByteArray("application/json"));
        const QJsonObject page = json.json();
        QVERIFY(page.value(QStringLiteral("statuses")).toArray().contains(rule.status));
        QCOMPARE(page.value(QStringLiteral("retry")).toString().toUtf8(), bytesOf(nameOf(rule.retry)));
        for (const QString& told : {QStringLiteral("meaning"), QStringLiteral("what_to_do"), QStringLiteral("safe_to_retry")}) {
            const QByteArray words = page.value(told).toString().toUtf8();
            QVERIFY2(words.endsWith('.'), qPrintable(told));
            QVERIFY2(html.body.contains(words), qPrintable(told));
        }
    }

    void theTypeOfAProblem_resolves()
    {
        const HttpAnswer refused = ShopBench::answerOf(m_bench->send("GET", "/v1/nothing"));
        QCOMPARE(refused.status, 404);
        QCOMPARE(get(refused.json().value(QStringLiteral("type")).toString().toUtf8(), {}).status, 200);
    }

    void accept_choosesTheForm_data()
    {
        QTest::addColumn<QByteArray>("accept");
        QTest::addColumn<QByteArray>("type");

        QTest::newRow("none") << QByteArray() << QByteArray("text/html; charset=utf-8");
        QTest::newRow("anything") << QByteArray("*/*") << QByteArray("text/html; charset=utf-8");
        QTest::newRow("text") << QByteArray("text/plain") << QByteArray("text/plain; charset=utf-8");
        QTest::newRow("json") << QByteArray("Application/JSON") << QByteArray("application/json");
        QTest::newRow("weights") << QByteArray("text/html;q=0.2, application/json;q=0.9") << QByteArray("application/json");
        QTest::newRow("the closer range counts")
            << QByteArray("text/*;q=0.1, text/plain") << QByteArray("text/plain; charset=utf-8");
        QTest::newRow("none of ours") << QByteArray("image/png") << QByteArray("text/html; charset=utf-8");
        QTest::newRow("nonsense") << QByteArray(";;q=,/") << QByteArray("text/html; charset=utf-8");
    }
    void accept_choosesTheForm()
    {
        QFETCH(QByteArray, accept);
        QFETCH(QByteArray, type);
        const HttpAnswer page = get("/problems/card-declined", accept);
        QCOMPARE(page.header("Content-Type"), type);
        QCOMPARE(page.header("Vary"), QByteArray("Accept"));
        QVERIFY(page.body.contains("decline_code"));
    }

    void head_saysTheSameWithoutTheBody()
    {
        const HttpAnswer whole = get("/problems/in-progress", {});
        support::HttpCall call(m_bench->port(), support::httpRequest("HEAD", "/problems/in-progress"));
        QTRY_VERIFY(call.isFinished());
        QVERIFY(call.received().startsWith("HTTP/1.1 200 OK\r\n"));
        QVERIFY(call.received().contains("Content-Length: " + QByteArray::number(whole.body.size()) + "\r\n"));
        QVERIFY(call.received().endsWith("\r\n\r\n"));
    }

    void whatIsNoCode_isNotFound_data()
    {
        QTest::addColumn<QByteArray>("path");
        for (const char* path : {"/problems/", "/problems", "/problems/no-such", "/problems/IN-PROGRESS",
                                 "/problems/in-progress/", "/problems/<script>"})
            QTest::newRow(path) << QByteArray(path);
    }
    void whatIsNoCode_isNotFound()
    {
        QFETCH(QByteArray, path);
        const HttpAnswer answer = get(path, "text/html");
        QCOMPARE(answer.status, 404);
        QCOMPARE(answer.header("Content-Type"), QByteArray("application/problem+json"));
        QCOMPARE(answer.json().value(QStringLiteral("code")).toString(), QStringLiteral("not-found"));
    }

    void otherMethods_areRefused()
    {
        const HttpAnswer answer = ShopBench::answerOf(m_bench->send("POST", "/problems/timeout"));
        QCOMPARE(answer.status, 405);
        QCOMPARE(answer.header("Allow"), QByteArray("GET, HEAD"));
    }

    void theContract_isServedAsOpenApi()
    {
        const HttpAnswer answer = get("/openapi.yaml", {});
        QCOMPARE(answer.status, 200);
        QCOMPARE(answer.header("Content-Type"), QByteArray("application/yaml"));
        QVERIFY(answer.body.startsWith("openapi: 3.1.0\n"));
    }

private:
    /// Without a token.
    [[nodiscard]] HttpAnswer get(const QByteArray& path, const QByteArray& accept) const
    {
        http::Headers headers;
        if (!accept.isEmpty())
            headers.emplaceBack("Accept", accept);
        return ShopBench::answerOf(
            std::make_unique<support::HttpCall>(m_bench->port(), support::httpRequest("GET", path, headers)));
    }
};

QTEST_GUILESS_MAIN(TestProblemPages)
#include "tst_problem_pages.moc"
