// The rules of a scenario file: every action with its details, the points they fit, and random rules.
#include "protocol/scenario_json.h"
#include "values/check.h"

#include <QtTest/QTest>

using namespace payonce;
using namespace payonce::protocol;
using Kind = ScenarioErrorKind;

namespace {

QByteArray bytes(const std::string& text)
{
    return QByteArray::fromStdString(text);
}

/// A scenario with one rule, whose `at` and `do` are given.
QByteArray withRule(const QByteArray& at, const QByteArray& action)
{
    return "{\"schema\":1,\"name\":\"x\",\n\"rules\":[{\"id\":\"r1\",\"at\":\"" + at + R"(","do":)" + action + "}]}";
}

/// A scenario with one more top-level member.
QByteArray withMember(const QByteArray& member)
{
    return R"({"schema":1,"name":"x",)" + member + "}";
}

console::FaultAction action(const QByteArray& at, const QByteArray& json)
{
    const auto scenario = parseScenario(withRule(at, json).toStdString());
    CHECK(scenario.has_value());
    return scenario->rules.front().action;
}

/// One row: a bad file, its error's kind, and how the detail starts.
void add(const char* name, const QByteArray& text, Kind kind, const char* detail)
{
    QTest::newRow(name) << text << kind << QByteArray(detail);
}

void addActionRows()
{
    add("unknown point", withRule("bank.comitted", "{\"rst\":{}}"), Kind::UnknownPoint,
        "unknown point \"bank.comitted\" at line 2, column 21 (/rules/0/at)");
    add("offset where none is", withRule("bank.committed@3", "{\"rst\":{}}"), Kind::UnknownPoint,
        "unknown point \"bank.committed@3\"");
    add("reply part without offset", withRule("reply.body", "{\"rst\":{}}"), Kind::UnknownPoint,
        "\"reply.body\" needs a count of bytes");
    add("reply part with a word", withRule("reply.head@x", "{\"rst\":{}}"), Kind::UnknownPoint,
        R"(unknown point "reply.head@x": a part of the reply has a count of bytes, as in "reply.body@7" at line 2)");
    add("reply part before itself", withRule("reply.head@-1", "{\"rst\":{}}"), Kind::UnknownPoint,
        "unknown point \"reply.head@-1\"");
    add("reply part beyond every answer", withRule("reply.head@1000000001", "{\"rst\":{}}"), Kind::UnknownPoint,
        "\"reply.head@1000000001\" needs a count of bytes");
    add("unknown action", withRule("received", "{\"explode\":{}}"), Kind::UnknownAction,
        "unknown action \"explode\" at line 2, column 37 (/rules/0/do)");
    add("odd action", withRule("received", "{\"a/b\":{}}"), Kind::UnknownAction, "unknown action \"a/b\"");
    add("no action", withRule("received", "{}"), Kind::WrongType, "not an object with exactly one member");
    add("two actions", withRule("received", R"({"rst":{},"fin":{}})"), Kind::WrongType,
        "not an object with exactly one member");
    add("action as text", withRule("received", "\"rst\""), Kind::WrongType, "not an object with exactly one member");
    add("rst with details", withRule("received", R"({"rst":{"ms":1}})"), Kind::UnknownMember, "unknown member \"ms\"");
    add("rst as true", withRule("received", "{\"rst\":true}"), Kind::WrongType, "not an object");
    add("delay without time", withRule("received", "{\"delay\":{}}"), Kind::MissingMember, "no \"ms\"");
    add("delay below zero", withRule("received", R"({"delay":{"ms":-1}})"), Kind::OutOfRange, "not between 0 and 600000");
    add("delay for ever", withRule("received", R"({"delay":{"ms":600001}})"), Kind::OutOfRange, "not between 0 and 600000");
    add("cut of another end", withRule("reply.body@1", R"({"cut":{"end":"soft"}})"), Kind::OutOfRange,
        R"(neither "fin" nor "rst")");
    add("cut before the reply", withRule("bank.committed", "{\"cut\":{}}"), Kind::WrongPlace,
        "\"cut\" cannot be done at bank.committed at line 2, column 43 (/rules/0/do)");
    add("reply amid the head", withRule("reply.head@3", R"({"reply":{"status":500}})"), Kind::WrongPlace,
        "\"reply\" cannot be done at reply.head@3");
    add("reply without status", withRule("received", "{\"reply\":{}}"), Kind::MissingMember, "no \"status\"");
    add("reply with status 99", withRule("received", R"({"reply":{"status":99}})"), Kind::OutOfRange,
        "not between 200 and 599");
    add("reply with an object", withRule("received", R"({"reply":{"status":500,"body":{}}})"), Kind::WrongType, "not a string");
    add("header without value", withRule("received", R"({"reply":{"status":500,"headers":[["A"]]}})"), Kind::WrongType,
        "not a pair of name and value");
    add("header with a line end", withRule("received", R"({"reply":{"status":500,"headers":[["A","b\r\nC: d"]]}})"),
        Kind::OutOfRange, "not a header field");
    add("header without a name", withRule("received", R"({"reply":{"status":500,"headers":[["","b"]]}})"), Kind::OutOfRange,
        "not a header field");
}

void addDetailRows()
{
    add("drip without a size", withRule("reply.built", R"({"drip":{"ms":5}})"), Kind::MissingMember, "no \"n\"");
    add("drip of nothing", withRule("reply.built", R"({"drip":{"n":0,"ms":5}})"), Kind::OutOfRange, "not between 1 and");
    add("drip without a pause", withRule("reply.built", R"({"drip":{"n":1,"ms":0}})"), Kind::OutOfRange, "not between 1 and");
    add("chunked cut of another end", withRule("reply.body@1", R"({"chunked_cut":{"end":"x"}})"), Kind::OutOfRange,
        R"(neither "fin" nor "rst")");
    add("chunked cut in the head", withRule("reply.head@1", R"({"chunked_cut":{}})"), Kind::WrongPlace,
        "\"chunked_cut\" cannot be done at reply.head@1");
    add("held with another end", withRule("received", R"({"hold_then_process":{"ms":1,"end":"soft"}})"), Kind::OutOfRange,
        R"(neither "hang" nor "fin" nor "rst" at line 2, column 71 (/rules/0/do/hold_then_process/end))");
    add("held without a time", withRule("received", R"({"hold_then_process":{}})"), Kind::MissingMember, "no \"ms\"");
    add("held later", withRule("bank.before", R"({"hold_then_process":{"ms":1}})"), Kind::WrongPlace,
        "\"hold_then_process\" cannot be done at bank.before");
    add("stale of none", withRule("reply.built", R"({"stale":{"k":0}})"), Kind::OutOfRange, "not between 1 and");
    add("stale of everything", withRule("reply.built", R"({"stale":{"k":1}})"), Kind::WrongPlace,
        R"("stale" needs "op": "status")");
    add("redirect with a success", withRule("reply.built", R"({"redirect":{"status":200}})"), Kind::OutOfRange,
        "not between 300 and 399");
    add("redirect to two lines", withRule("reply.built", R"({"redirect":{"location":"/a\r\nB: c"}})"), Kind::OutOfRange,
        "not a location");
    add("redirect to nowhere", withRule("reply.built", R"({"redirect":{"location":""}})"), Kind::OutOfRange, "not a location");
    add("refuse for ever", withRule("accept", R"({"refuse":{"ms":600001}})"), Kind::OutOfRange, "not between 0 and 600000");
    add("clock moved too far", withRule("received", R"({"clock_step":{"ms":-34560000001}})"), Kind::OutOfRange,
        "not between -34560000000 and 34560000000");
    add("nothing to save there", withRule("reply.built", R"({"store_fail":{}})"), Kind::WrongPlace,
        "\"store_fail\" cannot be done at reply.built");
    add("forgotten too early", withRule("key.claimed", R"({"forget":{}})"), Kind::WrongPlace,
        "\"forget\" cannot be done at key.claimed");
    add("client that resets", withRule("attempt.saved", R"({"rst":{}})"), Kind::WrongPlace,
        "\"rst\" cannot be done at attempt.saved");
    add("mail without a connection", withRule("outbox.sent", R"({"halfclose":{}})"), Kind::WrongPlace,
        "\"halfclose\" cannot be done at outbox.sent");
    add("swap after the bytes", withRule("reply.flushed", R"({"swap":{}})"), Kind::WrongPlace,
        "\"swap\" cannot be done at reply.flushed");
}

void addMatchRows()
{
    const auto withMatch = [](const QByteArray& op, const QByteArray& at) {
        return withMember(R"("rules":[{"id":"a","match":{"op":")" + op + R"("},"at":")" + at + R"(","do":{"crash":{}}}])");
    };
    add("operation before there is one", withMatch("pay", "accept"), Kind::WrongPlace,
        R"(at accept nobody knows yet what a request is for: leave out "op" at line 1, column 52 (/rules/0/match/op))");
    add("no operation before there is one", withRule("accept", "{\"garbage\":{}}"), Kind::WrongPlace,
        "\"garbage\" cannot be done at accept at line 2, column 35 (/rules/0/do)");
    add("look-up at the bank", withMatch("status", "bank.before"), Kind::WrongPlace,
        R"("status" never comes to bank.before at line 1, column 52 (/rules/0/match/op))");
    add("mail that is received", withMatch("mail", "received"), Kind::WrongPlace, R"("mail" never comes to received)");
    add("stale of payments",
        withMember(R"("rules":[{"id":"a","match":{"op":"pay"},"at":"reply.built","do":{"stale":{"k":1}}}])"), Kind::WrongPlace,
        R"("stale" needs "op": "status" at line 1, column 52 (/rules/0/match/op))");
    add("payment on its way out", withMatch("pay", "outbox.before"), Kind::WrongPlace, R"("pay" never comes to outbox.before)");
    add("cart at the client", withMatch("cart", "sent"), Kind::WrongPlace, R"("cart" never comes to sent)");
}

void addRandomRows()
{
    const auto withRandom = [](const QByteArray& members) {
        return withMember(R"("random":[{"id":"z","at":"received","do":{"rst":{}})" + members + "}]");
    };
    add("random without p", withRandom(""), Kind::MissingMember, "no \"p\" at line 1, column 34 (/random/0)");
    add("p above one", withRandom(R"(,"p":1.01)"), Kind::OutOfRange, "not between 0.0 and 1.0 at line 1");
    add("p below zero", withRandom(R"(,"p":-0.1)"), Kind::OutOfRange, "not between 0.0 and 1.0");
    add("p as text", withRandom(R"(,"p":"0.5")"), Kind::WrongType, "not a number at line 1");
    add("max of none", withRandom(R"(,"p":0.5,"max":0)"), Kind::OutOfRange, "not between 1 and 1000000");
    add("random with times", withRandom(R"(,"p":0.5,"times":1)"), Kind::UnknownMember, "unknown member \"times\"");
    add("plain with p", withMember(R"("rules":[{"id":"a","at":"received","do":{"rst":{}},"p":0.5}])"), Kind::UnknownMember,
        "unknown member \"p\"");
    add("rule of no time", withRandom(R"(,"p":0.5,"for_ms":0)"), Kind::OutOfRange, "not between 1 and 34560000000");
    add("id of a plain rule",
        withMember(R"("rules":[{"id":"a","at":"received","do":{"rst":{}}}],)"
                   R"("random":[{"id":"a","at":"received","p":1,"do":{"fin":{}}}])"),
        Kind::DoubleId, "rule id \"a\" used twice");
    add("too long an id", withMember(R"("rules":[{"id":")" + QByteArray(65, 'a') + R"(","at":"received","do":{"rst":{}}}])"),
        Kind::OutOfRange, "id longer than 64 bytes");
}

} // namespace

class ScenarioRuleTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void writtenReply_keepsItsHeaders();
    void everyAction_isRead();
    void everyDetail_isRead();
    void everyAction_isWrittenAsItWasRead_data();
    void everyAction_isWrittenAsItWasRead();
    void randomRule_isReadAndWritten();
    void ruleByItself_isReadAndWritten();
    void badRuleByItself_isRefusedWithItsPlace();
    void badRule_isRefusedWithKindAndPlace_data();
    void badRule_isRefusedWithKindAndPlace();
};

void ScenarioRuleTest::writtenReply_keepsItsHeaders()
{
    const auto text = withRule("received", R"({"reply":{"status":503,"body":"no","headers":[["Retry-After","3"],["X","y"]]}})");
    const auto written = renderScenario(parseScenario(text.toStdString()).value());
    const auto again = parseScenario(written).value();
    const auto reply = std::get<console::Reply>(again.rules.front().action);
    QCOMPARE(reply.headers.size(), 2U);
    QCOMPARE(bytes(reply.headers.front().first), QByteArray("Retry-After"));
    QCOMPARE(bytes(reply.headers.back().second), QByteArray("y"));
}

void ScenarioRuleTest::everyAction_isRead()
{
    QCOMPARE(std::get<console::Delay>(action("bank.before", R"({"delay":{"ms":3000}})")).time, std::chrono::milliseconds(3000));
    QVERIFY(std::holds_alternative<console::Hang>(action("received", R"({"hang":{}})")));
    QVERIFY(std::holds_alternative<console::Fin>(action("key.claimed", R"({"fin":{}})")));
    QVERIFY(std::holds_alternative<console::Rst>(action("bank.committed", R"({"rst":{}})")));
    QVERIFY(std::holds_alternative<console::Crash>(action("result.saved", R"({"crash":{}})")));
    QCOMPARE(std::get<console::Cut>(action("reply.head@0", R"({"cut":{}})")).end, console::ConnectionEnd::Fin);
    QCOMPARE(std::get<console::Cut>(action("reply.body@5", R"({"cut":{"end":"rst"}})")).end, console::ConnectionEnd::Rst);
    const auto reply = std::get<console::Reply>(
        action("reply.built", R"({"reply":{"status":503,"body":"no","headers":[["Retry-After","3"],["X","y"]]}})"));
    QCOMPARE(reply.status, 503);
    QCOMPARE(bytes(reply.body), QByteArray("no"));
    QCOMPARE(reply.headers.size(), 2U);
    QCOMPARE(bytes(reply.headers.front().second), QByteArray("3"));
}

void ScenarioRuleTest::everyDetail_isRead()
{
    const auto drip = std::get<console::Drip>(action("reply.built", R"({"drip":{"n":3,"ms":40}})"));
    QCOMPARE(drip.bytes, 3);
    QCOMPARE(drip.every, std::chrono::milliseconds(40));
    const auto cut = std::get<console::ChunkedCut>(action("reply.body@5", R"({"chunked_cut":{"end":"rst"}})"));
    QCOMPARE(cut.end, console::ConnectionEnd::Rst);
    const auto hold = std::get<console::HoldThenProcess>(action("received", R"({"hold_then_process":{"ms":9,"end":"rst"}})"));
    QCOMPARE(hold.time, std::chrono::milliseconds(9));
    QCOMPARE(hold.meanwhile, console::Meanwhile::Rst);
    const auto hung = std::get<console::HoldThenProcess>(action("received", R"({"hold_then_process":{"ms":9}})"));
    QCOMPARE(hung.meanwhile, console::Meanwhile::Hang);
    QCOMPARE(std::get<console::ProcessTwice>(action("received", R"({"process_twice":{}})")).after,
             std::chrono::milliseconds(0));
    QCOMPARE(std::get<console::ProcessTwice>(action("received", R"({"process_twice":{"ms":7}})")).after,
             std::chrono::milliseconds(7));
    const auto redirect = std::get<console::Redirect>(action("received", R"({"redirect":{"status":302,"location":"/x"}})"));
    QCOMPARE(redirect.status, 302);
    QCOMPARE(bytes(redirect.location), QByteArray("/x"));
    QCOMPARE(std::get<console::Redirect>(action("received", R"({"redirect":{}})")).status, 307);
    QCOMPARE(std::get<console::Refuse>(action("accept", R"({"refuse":{"ms":50}})")).time, std::chrono::milliseconds(50));
    QCOMPARE(std::get<console::ClockStep>(action("sent", R"({"clock_step":{"ms":-86400000}})")).by, -std::chrono::hours(24));
}

void ScenarioRuleTest::everyAction_isWrittenAsItWasRead_data()
{
    QTest::addColumn<QByteArray>("at");
    QTest::addColumn<QByteArray>("written");
    const std::vector<std::pair<QByteArray, QByteArray>> actions = {
        {"accept", R"({"delay":{"ms":1}})"},
        {"head", R"({"hang":{}})"},
        {"received", R"({"pause":{}})"},
        {"key.looked_up", R"({"fin":{}})"},
        {"key.claimed", R"({"rst":{}})"},
        {"bank.before", R"({"halfclose":{}})"},
        {"reply.head@0", R"({"cut":{"end":"fin"}})"},
        {"reply.body@12", R"({"chunked_cut":{"end":"rst"}})"},
        {"reply.built", R"({"drip":{"n":1,"ms":2}})"},
        {"bank.answered", R"({"reply":{"status":500,"body":"x"}})"},
        {"result.saved", R"({"garbage":{}})"},
        {"reply.flushed", R"({"double":{}})"},
        {"reply.built", R"({"swap":{}})"},
        {"received", R"({"hold_then_process":{"ms":3,"end":"hang"}})"},
        {"received", R"({"process_twice":{"ms":0}})"},
        {"bank.committed", R"({"redirect":{"status":307}})"},
        {"webhook.applied", R"({"redirect":{"status":302,"location":"http://127.0.0.1/"}})"},
        {"reply.flushed", R"({"refuse":{"ms":10}})"},
        {"bank.inside", R"({"store_fail":{}})"},
        {"outcome.saved", R"({"clock_step":{"ms":-5}})"},
        {"reply.parsed", R"({"crash":{}})"},
        {"received", R"({"forget":{}})"},
    };
    for (const auto& [at, written] : actions)
        QTest::addRow("%s at %s", written.constData(), at.constData()) << at << written;
    QTest::newRow("stale") << QByteArray() << QByteArray();
}

void ScenarioRuleTest::everyAction_isWrittenAsItWasRead()
{
    QFETCH(QByteArray, at);
    QFETCH(QByteArray, written);
    const QByteArray text = written.isEmpty()
                                ? R"({"id":"r1","match":{"op":"status"},"at":"reply.built","do":{"stale":{"k":2}}})"
                                : R"({"id":"r1","match":{},"at":")" + at + R"(","do":)" + written + "}";
    const auto rule = parseRule(text.toStdString());
    if (!rule)
        QFAIL(rule.error().detail.c_str());
    QCOMPARE(bytes(renderRule(*rule)), text);
}

void ScenarioRuleTest::randomRule_isReadAndWritten()
{
    const QByteArray text =
        R"({"schema":1,"name":"x","seed":7,"rules":[{"id":"a","at":"received","do":{"rst":{}},"for_ms":50}],)"
        R"("random":[{"id":"z","match":{"op":"pay"},"at":"reply.body@7","p":0.1,"max":3,)"
        R"("do":{"cut":{"end":"rst"}},"for_ms":900}],"expect":{"rules_fired":["a","z"]}})";
    const auto scenario = parseScenario(text.toStdString());
    if (!scenario)
        QFAIL(scenario.error().detail.c_str());
    QCOMPARE(scenario->random.size(), 1U);
    const auto& rule = scenario->random.front();
    QVERIFY(rule.probability == 0.1);
    QVERIFY(rule.times == 3);
    QVERIFY(rule.lasts == std::chrono::milliseconds(900));
    QVERIFY(scenario->rules.front().lasts == std::chrono::milliseconds(50));
    QVERIFY(!scenario->rules.front().probability);
    const auto again = parseScenario(renderScenario(*scenario)).value();
    QVERIFY(again.random.front().probability == 0.1);
    QCOMPARE(bytes(renderScenario(again)), bytes(renderScenario(*scenario)));
}

void ScenarioRuleTest::ruleByItself_isReadAndWritten()
{
    const QByteArray plain =
        R"({"id":"a","match":{"op":"pay","nth":2},"at":"reply.head@3","do":{"hang":{}},"times":4,"for_ms":5})";
    QCOMPARE(bytes(renderRule(parseRule(plain.toStdString()).value())), plain);
    const QByteArray random = R"({"id":"b","match":{},"at":"accept","p":0.25,"max":4,"do":{"rst":{}}})";
    QCOMPARE(bytes(renderRule(parseRule(random.toStdString()).value())), random);
    QVERIFY(parseRule(random.toStdString())->probability == 0.25);
}

void ScenarioRuleTest::badRuleByItself_isRefusedWithItsPlace()
{
    const auto rule = parseRule("{\"id\":\"a\",\n\"at\":\"nowhere\",\"do\":{\"rst\":{}}}");
    QVERIFY(!rule);
    QCOMPARE(bytes(rule.error().detail), QByteArray("unknown point \"nowhere\" at line 2, column 1 (/at)"));
    QVERIFY(!parseRule("[]") && !parseRule("") && !parseRule("{}"));
}

void ScenarioRuleTest::badRule_isRefusedWithKindAndPlace_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<QByteArray>("detail");
    addActionRows();
    addDetailRows();
    addMatchRows();
    addRandomRows();
}

void ScenarioRuleTest::badRule_isRefusedWithKindAndPlace()
{
    QFETCH(QByteArray, text);
    QFETCH(Kind, kind);
    QFETCH(QByteArray, detail);
    const auto scenario = parseScenario(text.toStdString());
    QVERIFY(!scenario);
    QVERIFY2(bytes(scenario.error().detail).startsWith(detail), scenario.error().detail.c_str());
    QVERIFY(bytes(scenario.error().detail).contains(" at line "));
    QCOMPARE(scenario.error().kind, kind);
}

QTEST_APPLESS_MAIN(ScenarioRuleTest)
#include "tst_scenario_rule.moc"
