// The last line of a headless run, and what it takes to hold.
#include "checkout/run_summary.h"

#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QRegularExpression>
#include <QtTest/QTest>

using namespace payonce::checkout;
using payonce::console::ActionVerdict;
using payonce::console::VerdictCode;

namespace {

const auto kId = QStringLiteral("0198c0de-7a11-7c3e-9f00-6b1f0a2c4d5e");

HeadlessResult paid()
{
    return {QStringLiteral("Paid"), kId, QStringLiteral("0A2C-4D5E"), 118, QStringLiteral("/tmp/p.png")};
}

Books goodBooks()
{
    ActionVerdict action;
    action.facts.actionId = kId.toStdString();
    action.facts.charges = 1;
    action.facts.posts = 2;
    action.facts.attempts = 2;
    action.facts.probes = 3;
    action.code = VerdictCode::ChargedOnce;
    return {{VerdictCode::ChargedOnce, {}, {action}, {}}, 1, 1};
}

QJsonObject json(const RunSummary& summary)
{
    return QJsonDocument::fromJson(summary.line).object();
}

} // namespace

class TestRunSummary : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void goodRun_tellsEverything()
    {
        const auto summary = summarise(paid(), goodBooks(), QStringLiteral("Paid"));
        QVERIFY(summary.holds);
        QVERIFY(!summary.line.contains('\n'));
        const QJsonObject expected{{QStringLiteral("verdict"), QStringLiteral("charged once")},
                                   {QStringLiteral("code"), QStringLiteral("charged_once")},
                                   {QStringLiteral("holds"), true},
                                   {QStringLiteral("state"), QStringLiteral("Paid")},
                                   {QStringLiteral("reference"), QStringLiteral("0A2C-4D5E")},
                                   {QStringLiteral("charges"), 1},
                                   {QStringLiteral("orders"), 1},
                                   {QStringLiteral("posts"), 2},
                                   {QStringLiteral("attempts"), 2},
                                   {QStringLiteral("probes"), 3},
                                   {QStringLiteral("confirm_ms"), 118},
                                   {QStringLiteral("screenshot"), QStringLiteral("/tmp/p.png")}};
        QCOMPARE(json(summary), expected);
    }

    void anotherStateThanExpected_doesNotHold()
    {
        const auto summary = summarise(paid(), goodBooks(), QStringLiteral("Declined"));
        QVERIFY(!summary.holds);
        QCOMPARE(summary.unmet, QStringList{QStringLiteral("state: Paid, expected Declined")});
    }

    void noExpectedState_wantsAFinalOne()
    {
        QVERIFY(summarise(paid(), goodBooks(), {}).holds);
        auto result = paid();
        result.state = QStringLiteral("Unresolved");
        QVERIFY(!summarise(result, goodBooks(), {}).holds);
        QVERIFY(summarise(result, goodBooks(), QStringLiteral("Unresolved")).holds);
    }

    void verdictThatDoesNotHold_decides()
    {
        auto books = goodBooks();
        books.verdict.unmet = {"charges: 2, expected 1"};
        const auto summary = summarise(paid(), books, QStringLiteral("Paid"));
        QVERIFY(!summary.holds);
        QCOMPARE(json(summary).value(QStringLiteral("holds")), QJsonValue(false));
        QCOMPARE(summary.unmet, QStringList{QStringLiteral("charges: 2, expected 1")});
    }

    void noBooks_proveNothing()
    {
        const auto summary = summarise(paid(), {}, QStringLiteral("Paid"));
        QVERIFY(!summary.holds);
        for (const auto* member : {"verdict", "code", "holds", "charges", "orders", "posts", "attempts", "probes"})
            QVERIFY2(json(summary).value(QLatin1String(member)).isNull(), member);
        QCOMPARE(json(summary).value(QStringLiteral("state")), QJsonValue(QStringLiteral("Paid")));
    }

    void nothingStarted_isTold()
    {
        const HeadlessResult nothing{QStringLiteral("Editing"), {}, {}, {}, {}};
        const auto object = json(summarise(nothing, goodBooks(), {}));
        for (const auto* member : {"reference", "confirm_ms", "screenshot"})
            QVERIFY2(object.value(QLatin1String(member)).isNull(), member);
        QCOMPARE(object.value(QStringLiteral("posts")), QJsonValue(0));
    }

    void books_countRows()
    {
        const QByteArray verdict =
            R"({"verdict":"charged once","code":"charged_once","holds":true,"unmet":[],"actions":[],"rules":[]})";
        const auto books =
            readBooks(verdict, R"({"charges":[{"status":"approved"},{"status":"declined"}],"orders":[{"status":"paid"}]})");
        QVERIFY(books);
        QCOMPARE(books->charges, 1);
        QCOMPARE(books->orders, 1);
        QVERIFY(!readBooks({}, R"({"charges":[],"orders":[]})"));
        QVERIFY(!readBooks(verdict, {}));
        QVERIFY(!readBooks(verdict, R"({"charges":[]})"));
    }
};

QTEST_GUILESS_MAIN(TestRunSummary)
#include "tst_run_summary.moc"
