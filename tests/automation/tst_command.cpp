// The lines of the automation socket, right and wrong.
#include "automation/command.h"

#include <QtTest/QTest>

using namespace payonce::automation;

class CommandTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void wholeCommand_isRead()
    {
        const auto command =
            parseCommand(R"({"id":7,"do":"waitFor","window":"checkout","state":"Paid","after":17,"timeout_ms":250})");
        QVERIFY(command);
        QCOMPARE(command->id, QJsonValue(7));
        QCOMPARE(command->verb, Verb::WaitFor);
        QCOMPARE(command->window, QStringLiteral("checkout"));
        QCOMPARE(command->state, QStringLiteral("Paid"));
        QCOMPARE(command->after, 17);
        QCOMPARE(command->timeout, std::chrono::milliseconds(250));
    }

    void whatIsLeftOut_hasADefault()
    {
        const auto command = parseCommand(R"({"do":"waitFor","state":"Paid"})");
        QVERIFY(command);
        QVERIFY(command->id.isNull() && command->window.isEmpty());
        QCOMPARE(command->after, -1); // every revision is newer
        QCOMPARE(command->timeout, std::chrono::milliseconds(5000));
    }

    void everyVerb_isKnown_data()
    {
        QTest::addColumn<QByteArray>("line");
        for (const auto* line : {R"({"do":"list"})", R"({"do":"get","name":"a"})", R"({"do":"click","name":"a"})",
                                 R"({"do":"type","name":"a","text":""})", R"({"do":"waitFor","state":"Paid"})",
                                 R"({"do":"idle"})", R"({"do":"grab"})", R"({"do":"state"})", R"({"do":"quit"})"})
            QTest::newRow(line) << QByteArray(line);
    }
    void everyVerb_isKnown()
    {
        QFETCH(QByteArray, line);
        QVERIFY(parseCommand(line));
    }

    void badLine_isRefusedWithItsReason_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QString>("detail");
        const auto row = [](const char* name, const char* line, const char* detail) {
            QTest::newRow(name) << QByteArray(line) << QString::fromLatin1(detail);
        };
        row("no JSON", "click", "not a JSON object");
        row("nothing", "", "not a JSON object");
        row("a list", "[]", "not a JSON object");
        row("no verb", R"({"name":"x"})", "there is no \"\"");
        row("unknown verb", R"({"do":"dance"})", "there is no \"dance\"");
        row("missing member", R"({"do":"click"})", "click needs \"name\"");
        row("unknown member", R"({"do":"click","name":"x","speed":1})", "click has no \"speed\"");
        row("member of another verb", R"({"do":"state","state":"Paid"})", "state has no \"state\"");
        row("wrong type", R"({"do":"click","name":1})", "\"name\" is no text");
        row("id of a wrong type", R"({"id":"a","do":"state"})", "\"id\" is no whole number");
        row("id below zero", R"({"id":-1,"do":"state"})", "\"id\" is no whole number");
        row("after with a fraction", R"({"do":"waitFor","state":"Paid","after":1.5})", "\"after\" is no whole number");
        row("waits too long", R"({"do":"waitFor","state":"Paid","timeout_ms":600001})", "\"timeout_ms\" is no whole number");
    }
    void badLine_isRefusedWithItsReason()
    {
        QFETCH(QByteArray, line);
        QFETCH(QString, detail);
        const auto command = parseCommand(line);
        QVERIFY(!command);
        QVERIFY2(command.error().detail.contains(detail), qPrintable(command.error().detail));
    }

    void longText_isRefused()
    {
        const auto line = [](qsizetype size) {
            return "{\"do\":\"type\",\"name\":\"a\",\"text\":\"" + QByteArray(size, 'x') + "\"}";
        };
        QVERIFY(parseCommand(line(kLongestText)));
        QVERIFY(!parseCommand(line(kLongestText + 1)));
    }

    void badLine_keepsItsId()
    {
        const auto command = parseCommand(R"({"id":77,"do":"dance"})");
        QVERIFY(!command);
        QCOMPARE(command.error().id, QJsonValue(77));
    }
};

QTEST_APPLESS_MAIN(CommandTest)
#include "tst_command.moc"
