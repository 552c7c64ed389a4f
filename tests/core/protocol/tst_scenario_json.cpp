#include "protocol/scenario_json.h"

#include "fixtures/fixture.h"

#include <QtCore/QDir>
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

void addFileRows()
{
    add("nothing", "", Kind::NotJson, "not JSON at line 1, column 1");
    add("doubled member", "{\"schema\":1,\n\"schema\":1}", Kind::NotJson,
        "member name used twice at line 2, column 1 (/schema)");
    add("an array", "[]", Kind::WrongType, "not an object at line 1, column 1");
    add("no schema", R"({"name":"x"})", Kind::MissingMember, "no \"schema\" at line 1, column 1");
    add("later schema", "{\"name\":\"x\",\n \"schema\":2,\"news\":1}", Kind::NewerVersion,
        "written by a newer version at line 2, column 2 (/schema)");
    add("schema before the first", R"({"name":"x","schema":0})", Kind::OutOfRange, "not between 1 and");
    add("schema as text", R"({"name":"x","schema":"1"})", Kind::WrongType, "not an integer at line 1, column 13 (/schema)");
    add("no name", "{\"schema\":1}", Kind::MissingMember, "no \"name\" at line 1, column 1");
    for (const char* name : {"", "Reply", "a b", "-a", "a-", "a--b", "a_b", "\xC3\xA9"})
        QTest::addRow("name '%s'", name) << QByteArray(R"({"schema":1,"name":")" + QByteArray(name) + "\"}") << Kind::OutOfRange
                                         << QByteArray(
                                                "not a name of lower-case words joined by dashes at line 1, column 13 (/name)");
    add("unknown member", withMember("\n\n \"rulez\":[]"), Kind::UnknownMember,
        "unknown member \"rulez\" at line 3, column 2 (/rulez)");
    add("unknown member with odd name", withMember("\"a/b~\":1"), Kind::UnknownMember,
        "unknown member \"a/b~\" at line 1, column 24 (/a~1b~0)");
    add("unknown member without a name", withMember("\"\":1"), Kind::UnknownMember,
        "unknown member \"\" at line 1, column 24 (/)");
    add("about is a number", withMember("\"about\":1"), Kind::WrongType, "not a string at line 1, column 24 (/about)");
    add("seed below zero", withMember("\"seed\":-1"), Kind::OutOfRange, "not between 0 and 9007199254740992");
    add("seed with a fraction", withMember("\"seed\":1.5"), Kind::WrongType, "not an integer");
    add("steps as an object", withMember("\"steps\":{}"), Kind::WrongType, "not an array at line 1, column 24 (/steps)");
    add("unknown step", withMember(R"("steps":[{"do":"dance"}])"), Kind::UnknownStep,
        "unknown step \"dance\" at line 1, column 34 (/steps/0/do)");
    add("step without do", withMember(R"("steps":[{"card":"1"}])"), Kind::MissingMember, "no \"do\"");
    add("step is text", withMember(R"("steps":["pay"])"), Kind::MissingMember, "no \"do\" at line 1, column 33 (/steps/0)");
    add("pay without a card", withMember(R"("steps":[{"do":"pay"}])"), Kind::MissingMember, "no \"card\"");
    add("pay with words", withMember(R"("steps":[{"do":"pay","card":"my card number"}])"), Kind::OutOfRange,
        "not a card number");
    add("pay with too few digits", withMember(R"("steps":[{"do":"pay","card":"42"}])"), Kind::OutOfRange, "not a card number");
    add("pay with more", withMember(R"("steps":[{"do":"pay","card":"4242424242424242","state":"Paid"}])"), Kind::UnknownMember,
        "unknown member \"state\"");
    add("wait for nothing", withMember(R"("steps":[{"do":"wait"}])"), Kind::MissingMember, "no \"state\"");
    add("wait for an unknown state", withMember(R"("steps":[{"do":"wait","state":"Payed"}])"), Kind::OutOfRange,
        "unknown state \"Payed\" at line 1, column 46 (/steps/0/state)");
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
        "\"reply.head@x\" needs a count of bytes");
    add("reply part before itself", withRule("reply.head@-1", "{\"rst\":{}}"), Kind::UnknownPoint, "\"reply.head@-1\" needs");
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
        R"(at accept nobody knows yet what a request is for: leave out "op" at line 1)");
    add("look-up at the bank", withMatch("status", "bank.before"), Kind::WrongPlace,
        R"("status" never comes to bank.before at line 1, column 86 (/rules/0/do))");
    add("mail that is received", withMatch("mail", "received"), Kind::WrongPlace, R"("mail" never comes to received)");
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

void addRuleRows()
{
    add("unknown operation", withMember(R"("rules":[{"id":"a","match":{"op":"refund"},"at":"received","do":{"rst":{}}}])"),
        Kind::UnknownOperation, "unknown operation \"refund\" at line 1, column 52 (/rules/0/match/op)");
    add("nth from zero", withMember(R"("rules":[{"id":"a","match":{"nth":0},"at":"received","do":{"rst":{}}}])"),
        Kind::OutOfRange, "not between 1 and 1000000");
    add("times of zero", withMember(R"("rules":[{"id":"a","at":"received","do":{"rst":{}},"times":0}])"), Kind::OutOfRange,
        "not between 1 and 1000000");
    add("rule without an id", withMember(R"("rules":[{"at":"received","do":{"rst":{}}}])"), Kind::MissingMember, "no \"id\"");
    add("rule with an empty id", withMember(R"("rules":[{"id":"","at":"received","do":{"rst":{}}}])"), Kind::OutOfRange,
        "empty id");
    add("rule without a point", withMember(R"("rules":[{"id":"a","do":{"rst":{}}}])"), Kind::MissingMember, "no \"at\"");
    add("rule without an action", withMember(R"("rules":[{"id":"a","at":"received"}])"), Kind::MissingMember, "no \"do\"");
    add("doubled id",
        withMember(R"("rules":[{"id":"a","at":"received","do":{"rst":{}}},{"id":"a","at":"received","do":{"fin":{}}}])"),
        Kind::DoubleId, "rule id \"a\" used twice");
    add("expected rule that is not there", withMember(R"("expect":{"rules_fired":["r9"]})"), Kind::OutOfRange,
        "no rule has the id \"r9\" at line 1, column 49 (/expect/rules_fired/0)");
    add("charges below zero", withMember(R"("expect":{"charges":-1})"), Kind::OutOfRange, "not between 0");
    add("charges as text", withMember(R"("expect":{"charges":"1"})"), Kind::WrongType, "not an integer");
    add("charges of none", withMember(R"("expect":{"charges":[]})"), Kind::OutOfRange, "no count at all");
    add("unknown verdict", withMember(R"("expect":{"verdict":"fine"})"), Kind::OutOfRange, "unknown verdict \"fine\"");
    add("unknown expected state", withMember(R"("expect":{"state":"paid"})"), Kind::OutOfRange, "unknown state \"paid\"");
    add("expect as an array", withMember("\"expect\":[]"), Kind::WrongType, "not an object");
}

} // namespace

class ScenarioJsonTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyShippedFile_isGood_data();
    void everyShippedFile_isGood();
    void writtenScenario_isTheSameAgain_data();
    void writtenScenario_isTheSameAgain();
    void writtenReply_keepsItsHeaders();
    void everyMember_isRead();
    void everyAction_isRead();
    void everyDetail_isRead();
    void everyAction_isWrittenAsItWasRead_data();
    void everyAction_isWrittenAsItWasRead();
    void randomRule_isReadAndWritten();
    void ruleByItself_isReadAndWritten();
    void badRuleByItself_isRefusedWithItsPlace();
    void absentMembers_keepTheirDefaults();
    void badFile_isRefusedWithKindAndPlace_data();
    void badFile_isRefusedWithKindAndPlace();
    void tooManyRules_areRefused();
    void tooLongFile_isRefusedUnread();
    void firstErrorWins();
};

void ScenarioJsonTest::everyShippedFile_isGood_data()
{
    QTest::addColumn<QString>("name");
    const QDir folder(QStringLiteral(PAYONCE_SCENARIOS));
    for (const auto& file : folder.entryInfoList({QStringLiteral("*.json")}, QDir::Files))
        QTest::newRow(qPrintable(file.completeBaseName())) << file.completeBaseName();
}

void ScenarioJsonTest::everyShippedFile_isGood()
{
    QFETCH(QString, name);
    QFile file(QStringLiteral(PAYONCE_SCENARIOS "/") + name + QStringLiteral(".json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto scenario = parseScenario(file.readAll().toStdString());
    if (!scenario)
        QFAIL(scenario.error().detail.c_str());
    QCOMPARE(QString::fromStdString(scenario->name), name);
    QVERIFY(bytes(scenario->about).endsWith('.'));
    QVERIFY(!scenario->steps.empty());
    QVERIFY(!scenario->expect.charges.empty());
    QVERIFY(scenario->expect.ordersPaid && scenario->expect.verdict);
    QCOMPARE(scenario->expect.rulesFired.size(), scenario->rules.size());
}

void ScenarioJsonTest::writtenScenario_isTheSameAgain_data()
{
    everyShippedFile_isGood_data();
}

void ScenarioJsonTest::writtenScenario_isTheSameAgain()
{
    QFETCH(QString, name);
    QFile file(QStringLiteral(PAYONCE_SCENARIOS "/") + name + QStringLiteral(".json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto text = file.readAll().toStdString();
    const auto written = renderScenario(parseScenario(text).value());
    const auto again = parseScenario(written);
    QVERIFY(again.has_value());
    QCOMPARE(bytes(renderScenario(*again)), bytes(written));
    QVERIFY(Json::parse(written) == Json::parse(text));
}

void ScenarioJsonTest::writtenReply_keepsItsHeaders()
{
    const auto text = withRule("received", R"({"reply":{"status":503,"body":"no","headers":[["Retry-After","3"],["X","y"]]}})");
    const auto written = renderScenario(parseScenario(text.toStdString()).value());
    const auto again = parseScenario(written).value();
    const auto reply = std::get<console::Reply>(again.rules.front().action);
    QCOMPARE(reply.headers.size(), 2U);
    QCOMPARE(bytes(reply.headers.front().first), QByteArray("Retry-After"));
    QCOMPARE(bytes(reply.headers.back().second), QByteArray("y"));
}

void ScenarioJsonTest::everyMember_isRead()
{
    const auto scenario = parseScenario(R"({"schema":1,"name":"a-b-2","about":"One.","seed":9007199254740992,
        "steps":[{"do":"pay","card":"4000000000000002"},{"do":"wait","state":"Declined"}],
        "rules":[{"id":"z","match":{"op":"status","nth":3},"at":"reply.body@7","do":{"cut":{"end":"rst"}},"times":2}],
        "expect":{"rules_fired":["z"],"charges":[0,1],"orders_paid":1,"mails":1,"posts_per_attempt":1,"state":"Paid","verdict":"charged_once"}})");
    QVERIFY(scenario.has_value());
    QCOMPARE(bytes(scenario->about), QByteArray("One."));
    QCOMPARE(scenario->seed, 9'007'199'254'740'992ULL);
    QCOMPARE(bytes(std::get<console::PayStep>(scenario->steps.at(0)).card), QByteArray("4000000000000002"));
    QCOMPARE(bytes(std::get<console::WaitStep>(scenario->steps.at(1)).state), QByteArray("Declined"));
    const auto& rule = scenario->rules.at(0);
    QCOMPARE(bytes(rule.id), QByteArray("z"));
    QVERIFY(rule.match.operation == console::Operation::Status);
    QVERIFY(rule.match.nth == 3);
    QVERIFY(rule.times == 2);
    QCOMPARE(rule.point, console::Point::ReplyBody);
    QCOMPARE(rule.offset, 7);
    QVERIFY(scenario->expect.rulesFired == std::vector<std::string>{"z"});
    QVERIFY(scenario->expect.charges == (std::vector<int>{0, 1}));
    QVERIFY(scenario->expect.ordersPaid == 1);
    QVERIFY(scenario->expect.mails == 1);
    QVERIFY(scenario->expect.postsPerAttempt == 1);
    QVERIFY(scenario->expect.state == "Paid");
    QVERIFY(scenario->expect.verdict == "charged_once");
}

void ScenarioJsonTest::everyAction_isRead()
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

void ScenarioJsonTest::everyDetail_isRead()
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

void ScenarioJsonTest::everyAction_isWrittenAsItWasRead_data()
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

void ScenarioJsonTest::everyAction_isWrittenAsItWasRead()
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

void ScenarioJsonTest::randomRule_isReadAndWritten()
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

void ScenarioJsonTest::ruleByItself_isReadAndWritten()
{
    const QByteArray plain =
        R"({"id":"a","match":{"op":"pay","nth":2},"at":"reply.head@3","do":{"hang":{}},"times":4,"for_ms":5})";
    QCOMPARE(bytes(renderRule(parseRule(plain.toStdString()).value())), plain);
    const QByteArray random = R"({"id":"b","match":{},"at":"accept","p":0.25,"max":4,"do":{"rst":{}}})";
    QCOMPARE(bytes(renderRule(parseRule(random.toStdString()).value())), random);
    QVERIFY(parseRule(random.toStdString())->probability == 0.25);
}

void ScenarioJsonTest::badRuleByItself_isRefusedWithItsPlace()
{
    const auto rule = parseRule("{\"id\":\"a\",\n\"at\":\"nowhere\",\"do\":{\"rst\":{}}}");
    QVERIFY(!rule);
    QCOMPARE(bytes(rule.error().detail), QByteArray("unknown point \"nowhere\" at line 2, column 1 (/at)"));
    QVERIFY(!parseRule("[]") && !parseRule("") && !parseRule("{}"));
}

void ScenarioJsonTest::absentMembers_keepTheirDefaults()
{
    const auto scenario = parseScenario(R"({"schema":1,"name":"x"})");
    QVERIFY(scenario.has_value());
    QVERIFY(scenario->about.empty() && scenario->steps.empty() && scenario->rules.empty());
    QCOMPARE(scenario->seed, 0U);
    QVERIFY(scenario->expect.charges.empty() && !scenario->expect.state && !scenario->expect.verdict);
    const auto ruled = parseScenario(withRule("received", "{\"rst\":{}}").toStdString());
    QVERIFY(ruled.has_value());
    QVERIFY(!ruled->rules.front().match.operation && !ruled->rules.front().match.nth && !ruled->rules.front().times);
}

void ScenarioJsonTest::badFile_isRefusedWithKindAndPlace_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<QByteArray>("detail");
    addFileRows();
    addActionRows();
    addDetailRows();
    addMatchRows();
    addRandomRows();
    addRuleRows();
}

void ScenarioJsonTest::badFile_isRefusedWithKindAndPlace()
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

void ScenarioJsonTest::tooManyRules_areRefused()
{
    QByteArray rules;
    for (std::size_t i = 0; i <= kMostRules; ++i)
        rules += (i == 0 ? "" : ",") + QByteArray(R"({"id":")") + QByteArray::number(qulonglong(i)) +
                 R"(","at":"received","do":{"rst":{}}})";
    const auto scenario = parseScenario(withMember("\"rules\":[" + rules + "]").toStdString());
    QVERIFY(!scenario);
    QCOMPARE(scenario.error().kind, Kind::OutOfRange);
    QVERIFY(bytes(scenario.error().detail).startsWith("more than 100 elements at line 1, column 24 (/rules)"));
}

void ScenarioJsonTest::tooLongFile_isRefusedUnread()
{
    const auto scenario = parseScenario(std::string(kLongestScenario + 1, ' '));
    QVERIFY(!scenario);
    QCOMPARE(scenario.error().kind, Kind::TooLong);
}

void ScenarioJsonTest::firstErrorWins()
{
    const auto scenario = parseScenario(withMember(R"("steps":[{"do":"dance"},{"do":"sing"}])").toStdString());
    QVERIFY(!scenario);
    QVERIFY(bytes(scenario.error().detail).contains("dance"));
}

QTEST_APPLESS_MAIN(ScenarioJsonTest)
#include "tst_scenario_json.moc"
