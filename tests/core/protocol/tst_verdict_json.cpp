#include "fixtures/fixture.h"
#include "protocol/verdict_json.h"

#include <QtTest/QTest>

using namespace payonce;
using namespace payonce::protocol;
using console::VerdictCode;

namespace {

QByteArray bytes(const std::string& text)
{
    return QByteArray::fromStdString(text);
}

VerdictReport contractsReport()
{
    console::ActionFacts facts;
    facts.actionId = "0198c0de-7a11-7c3e-9f00-6b1f0a2c4d5e";
    facts.charges = 1;
    facts.orderPaid = true;
    facts.posts = 1;
    facts.attempts = 1;
    facts.probes = 1;
    facts.evidence = {"ch_81ff", "ord_33aa"};
    return {VerdictCode::ChargedOnce, {}, {{facts, console::judge(facts)}}, {{"r1", 1}}};
}

} // namespace

class VerdictJsonTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void verdict_isTheContracts();
    void contractsVerdict_isRead();
    void everyCode_survivesTheWire();
    void badVerdict_isRefused_data();
    void badVerdict_isRefused();
};

void VerdictJsonTest::verdict_isTheContracts()
{
    QCOMPARE(bytes(renderVerdict(contractsReport())), bytes(fixtures::read("verdict.json")));
}

void VerdictJsonTest::contractsVerdict_isRead()
{
    const auto report = parseVerdict(fixtures::read("verdict.json"));
    QVERIFY(report.has_value());
    QCOMPARE(report->code, VerdictCode::ChargedOnce);
    QVERIFY(report->holds());
    QCOMPARE(report->actions.size(), 1U);
    QCOMPARE(report->actions.front().facts.charges, 1);
    QVERIFY(report->rules == contractsReport().rules);
    QCOMPARE(bytes(renderVerdict(*report)), bytes(fixtures::read("verdict.json")));
}

void VerdictJsonTest::everyCode_survivesTheWire()
{
    for (const auto code : {VerdictCode::NotCharged, VerdictCode::ChargedOnce, VerdictCode::UnknownBeingChecked,
                            VerdictCode::ChargedOrderOpen, VerdictCode::ChargedOrderCancelled, VerdictCode::ChargedTwice}) {
        auto report = contractsReport();
        report.code = code;
        report.unmet = {"charges: 2, expected 1"};
        report.actions.front().code = code;
        const auto read = parseVerdict(renderVerdict(report));
        QVERIFY(read.has_value());
        QCOMPARE(read->code, code);
        QCOMPARE(read->actions.front().code, code);
        QVERIFY(!read->holds());
        QVERIFY(read->unmet == report.unmet);
    }
}

void VerdictJsonTest::badVerdict_isRefused_data()
{
    QTest::addColumn<QByteArray>("piece");
    QTest::addColumn<QByteArray>("other");
    const auto add = [](const char* piece, const char* other) {
        QTest::addRow("%s -> %s", piece, other) << QByteArray(piece) << QByteArray(other);
    };
    add("\"charged_once\"", "\"charged_a_bit\"");
    add("\"charged_once\"", "1");
    add("\"holds\":true", R"("holds":"yes")");
    add("\"holds\":true", "\"holds\":false"); // although nothing is unmet
    add("\"unmet\":[]", "\"unmet\":[1]");
    add("\"actions\":[", "\"acts\":[");
    add("\"actions\":[", R"("actions":{},"x":[)");
    add(R"("action_id":")", R"("action":")");
    add("\"charges\":1", "\"charges\":1.0");
    add("\"posts\":1", "\"posts\":null");
    add("\"attempts\":1", "\"attempts\":99999999999");
    add("\"probes\":1,", "");
    add("\"evidence\":[", "\"evidence\":[1,");
    add(R"("evidence":["ch_81ff","ord_33aa"])", R"("evidence":"ch_81ff")");
    add("\"rules\"", "\"rule\"");
    add("\"hits\":1", R"("hits":"1")");
    add(R"("id":"r1")", "\"id\":1");
    add("]}", "");
}

void VerdictJsonTest::badVerdict_isRefused()
{
    QFETCH(QByteArray, piece);
    QFETCH(QByteArray, other);
    auto body = bytes(fixtures::read("verdict.json"));
    QVERIFY(body.contains(piece));
    QVERIFY(!parseVerdict(body.replace(piece, other).toStdString()));
}

QTEST_APPLESS_MAIN(VerdictJsonTest)
#include "tst_verdict_json.moc"
