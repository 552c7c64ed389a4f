// Steps and expectations of a scenario file, right and wrong.
#include "protocol/scenario_json.h"
#include "values/check.h"

#include <QtTest/QTest>

using namespace payonce;
using namespace payonce::protocol;
using Kind = ScenarioErrorKind;

namespace {

QByteArray withSteps(const QByteArray& steps)
{
    return R"({"schema":1,"name":"x","steps":[)" + steps + "]}";
}

QByteArray withExpectation(const QByteArray& expect)
{
    return R"({"schema":1,"name":"x","expect":{)" + expect + "}}";
}

console::Scenario read(const QByteArray& text)
{
    auto scenario = parseScenario(text.toStdString());
    CHECK(scenario.has_value());
    return *std::move(scenario);
}

void add(const char* name, const QByteArray& text, Kind kind, const char* detail)
{
    QTest::newRow(name) << text << kind << QByteArray(detail);
}

void addStepRows()
{
    add("press nothing", withSteps(R"({"do":"press"})"), Kind::MissingMember, "no \"name\" at line 1");
    add("press an empty name", withSteps(R"({"do":"press","name":""})"), Kind::OutOfRange,
        "not the name of a widget at line 1, column 47 (/steps/0/name)");
    add("other card without one", withSteps(R"({"do":"other_card"})"), Kind::MissingMember, "no \"card\"");
    add("other card of letters", withSteps(R"({"do":"other_card","card":"abcdabcdabcd"})"), Kind::OutOfRange,
        "not a card number");
    add("kill with more", withSteps(R"({"do":"kill_app","now":true})"), Kind::UnknownMember,
        "unknown member \"now\" at line 1, column 50 (/steps/0/now)");
    add("cable to nowhere", withSteps(R"({"do":"cable"})"), Kind::MissingMember, "no \"to\"");
    add("cable up", withSteps(R"({"do":"cable","to":"up"})"), Kind::OutOfRange, R"(neither "out" nor "in")");
    add("clock back", withSteps(R"({"do":"clock","advance_ms":-1})"), Kind::OutOfRange, "not between 1 and");
    add("clock without time", withSteps(R"({"do":"clock"})"), Kind::MissingMember, "no \"advance_ms\"");
    add("post without a body", withSteps(R"({"do":"post"})"), Kind::MissingMember, "no \"body\"");
    add("post an object", withSteps(R"({"do":"post","body":{}})"), Kind::WrongType, "not a string");
    add("post for status 99", withSteps(R"({"do":"post","body":"","status":99})"), Kind::OutOfRange, "not between 200 and 599");
    add("post a novel", withSteps(R"({"do":"post","body":")" + QByteArray(20'000, 'x') + "\"}"), Kind::OutOfRange,
        "longer than 16384 bytes");
}

void addExpectationRows()
{
    add("unknown kind of row", withExpectation(R"("timeline":["post 1","payed"])"), Kind::OutOfRange,
        "unknown kind of row \"payed\" at line 1, column 55 (/expect/timeline/1)");
    add("timeline as text", withExpectation(R"("timeline":"post 1")"), Kind::WrongType, "not an array");
    add("sentence in words", withExpectation(R"("sentence":"You paid.")"), Kind::OutOfRange,
        "not the key of a sentence at line 1, column 34 (/expect/sentence)");
    add("empty sentence", withExpectation(R"("sentence":"")"), Kind::OutOfRange, "not the key of a sentence");
    add("unknown expectation", withExpectation(R"("chargez":1)"), Kind::UnknownMember, "unknown member \"chargez\"");
}

} // namespace

class ScenarioStepsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyStep_isRead_andWrittenAgain()
    {
        const auto scenario = read(withSteps(
            R"({"do":"pay","card":"4242424242424242"},{"do":"press","name":"checkout.next"},{"do":"cancel"},)"
            R"({"do":"other_card","card":"4000000000000002"},{"do":"wait","state":"Paid"},{"do":"kill_app"},{"do":"start_app"},)"
            R"({"do":"second_window"},{"do":"kill_server"},{"do":"start_server"},{"do":"cable","to":"out"},)"
            R"({"do":"cable","to":"in"},{"do":"clock","advance_ms":5000},{"do":"post","body":"{}","status":422})"));
        QCOMPARE(scenario.steps.size(), std::size_t(14));
        QCOMPARE(std::get<console::PressStep>(scenario.steps.at(1)).name, std::string("checkout.next"));
        QVERIFY(std::get<console::CableStep>(scenario.steps.at(10)).position == console::Cable::Out);
        QVERIFY(std::get<console::CableStep>(scenario.steps.at(11)).position == console::Cable::In);
        QCOMPARE(std::get<console::MoveClockStep>(scenario.steps.at(12)).by, std::chrono::milliseconds(5000));
        QCOMPARE(std::get<console::PostStep>(scenario.steps.at(13)).status.value_or(0), 422);
        const auto text = renderScenario(scenario);
        QCOMPARE(renderScenario(read(QByteArray::fromStdString(text))), text);
    }

    void everyStep_hasItsName()
    {
        QCOMPARE(console::nameOf(console::Step(console::MoveClockStep{})), std::string_view("clock"));
        QCOMPARE(console::nameOf(console::Step(console::PostStep{})), std::string_view("post"));
        QCOMPARE(console::nameOf(console::Step(console::PayStep{})), std::string_view("pay"));
    }

    void sentenceAndTimeline_areRead_andWrittenAgain()
    {
        const auto scenario = read(withExpectation(R"("sentence":"not_started.disk_refused","timeline":["post 1","charged"])"));
        QCOMPARE(scenario.expect.sentence.value_or(""), std::string("not_started.disk_refused"));
        QCOMPARE(scenario.expect.timeline, (std::vector<std::string>{"post 1", "charged"}));
        const auto text = renderScenario(scenario);
        QCOMPARE(renderScenario(read(QByteArray::fromStdString(text))), text);
    }

    void mistake_namesLineAndMember_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<Kind>("kind");
        QTest::addColumn<QByteArray>("detail");
        addStepRows();
        addExpectationRows();
    }
    void mistake_namesLineAndMember()
    {
        QFETCH(QByteArray, text);
        QFETCH(Kind, kind);
        QFETCH(QByteArray, detail);
        const auto scenario = parseScenario(text.toStdString());
        QVERIFY(!scenario);
        QCOMPARE(scenario.error().kind, kind);
        QVERIFY2(QByteArray::fromStdString(scenario.error().detail).startsWith(detail), scenario.error().detail.c_str());
    }
};

QTEST_APPLESS_MAIN(ScenarioStepsTest)
#include "tst_scenario_steps.moc"
