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
    void everyMember_isRead();
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
