// The automation socket against windows made for it.
#include "automation/automation_client.h"
#include "automation/commands.h"
#include "automation/stage.h"

#include <QtCore/QFile>
#include <QtCore/QJsonArray>
#include <QtCore/QRegularExpression>
#include <QtCore/QTemporaryDir>
#include <QtGui/QImage>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QDialog>
#include <QtWidgets/QLayout>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QScrollArea>

#include <sys/stat.h>
#include <unistd.h>

namespace {

using payonce::automation::AutomationServer;
using payonce::automation::Connection;
using payonce::support::AutomationClient;
using payonce::support::command;
using payonce::support::isOk;
using payonce::support::on;
using payonce::support::Stage;
using payonce::support::typed;
using payonce::support::waitFor;

QJsonObject waitForNewer(const char* state, int after, int timeoutMs = 20'000)
{
    auto waiting = waitFor(state, timeoutMs);
    waiting.insert(QStringLiteral("after"), after);
    return waiting;
}

QString errorOf(const QJsonObject& answer)
{
    return answer.value(QStringLiteral("ok")) == QJsonValue(false) ? answer.value(QStringLiteral("error")).toString()
                                                                   : QString();
}

} // namespace

class AutomationSocketTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_dir = std::make_unique<QTemporaryDir>();
        m_server = std::make_unique<AutomationServer>();
        QVERIFY(m_server->listen(path()));
        m_stage = std::make_unique<Stage>(*m_server);
        m_client = std::make_unique<AutomationClient>();
        QVERIFY(m_client->connectTo(path()));
    }
    void cleanup()
    {
        m_client.reset();
        m_stage.reset();
        m_server.reset();
    }

    void onlyThisUser_mayConnect()
    {
        struct stat facts = {};
        QCOMPARE(::stat(path().toLocal8Bit().constData(), &facts), 0);
        QCOMPARE(facts.st_mode & 077, mode_t(0));
    }

    void click_presses_andTellsTheRevisionAfterwards()
    {
        const QSignalSpy spy(&m_stage->button, &QPushButton::clicked);
        connect(&m_stage->button, &QPushButton::clicked, this, [this] { m_stage->setState(QStringLiteral("Saving")); });
        const auto answer = m_client->ask(on("click", "stage.button"));
        QVERIFY(isOk(answer));
        QCOMPARE(spy.size(), 1);
        QCOMPARE(answer.value(QStringLiteral("revision")).toInt(), 2);
    }

    void click_isRefusedWhereAPersonCouldNot_data()
    {
        QTest::addColumn<QString>("obstacle");
        QTest::addColumn<QString>("error");
        for (const auto* obstacle : {"hidden", "disabled", "covered", "ambiguous", "not_found"})
            QTest::newRow(obstacle) << QString::fromLatin1(obstacle) << QString::fromLatin1(obstacle);
        QTest::newRow("behind a dialog") << QStringLiteral("dialog") << QStringLiteral("covered");
        QTest::newRow("its box is disabled") << QStringLiteral("window disabled") << QStringLiteral("disabled");
        QTest::newRow("out of the window") << QStringLiteral("outside") << QStringLiteral("hidden");
    }
    void click_isRefusedWhereAPersonCouldNot()
    {
        QFETCH(QString, obstacle);
        QFETCH(QString, error);
        const QSignalSpy spy(&m_stage->button, &QPushButton::clicked);
        QWidget over(m_stage.get());
        QDialog dialog(m_stage.get());
        QPushButton twin(m_stage.get());
        if (obstacle == QStringLiteral("hidden"))
            m_stage->button.hide();
        if (obstacle == QStringLiteral("disabled"))
            m_stage->button.setEnabled(false);
        if (obstacle == QStringLiteral("window disabled"))
            m_stage->setEnabled(false);
        if (obstacle == QStringLiteral("not_found"))
            m_stage->button.setObjectName(QStringLiteral("another"));
        if (obstacle == QStringLiteral("outside")) {
            m_stage->layout()->removeWidget(&m_stage->button);
            m_stage->button.move(1000, 1000);
        }
        if (obstacle == QStringLiteral("covered")) {
            over.setGeometry(m_stage->rect());
            over.show();
        }
        if (obstacle == QStringLiteral("ambiguous")) {
            twin.setObjectName(m_stage->button.objectName());
            twin.show();
        }
        if (obstacle == QStringLiteral("dialog"))
            dialog.open();
        const auto answer = m_client->ask(on("click", "stage.button"));
        QCOMPARE(errorOf(answer), error);
        QVERIFY(!answer.value(QStringLiteral("detail")).toString().isEmpty());
        QCOMPARE(spy.size(), 0);
    }

    void hiddenTwin_isNoAmbiguity()
    {
        QPushButton twin(m_stage.get());
        twin.setObjectName(m_stage->button.objectName());
        const QSignalSpy spy(&m_stage->button, &QPushButton::clicked);
        QVERIFY(isOk(m_client->ask(on("click", "stage.button"))));
        QCOMPARE(spy.size(), 1);
    }

    void click_scrollsIntoSight()
    {
        QScrollArea area;
        area.setObjectName(QStringLiteral("area"));
        area.resize(200, 200);
        auto* page = new QWidget;
        page->resize(180, 3000);
        auto* deep = new QPushButton(page);
        deep->setObjectName(QStringLiteral("deep"));
        deep->move(10, 2900);
        area.setWidget(page);
        area.show();
        const QSignalSpy spy(deep, &QPushButton::clicked);
        QVERIFY(isOk(m_client->ask(on("click", "deep"))));
        QCOMPARE(spy.size(), 1);
    }

    void buttonThatDeletesItsWindow_isAnsweredAllTheSame()
    {
        auto* other = new QWidget;
        auto* button = new QPushButton(other);
        button->setObjectName(QStringLiteral("last"));
        other->show();
        connect(button, &QPushButton::pressed, other, [other] { other->deleteLater(); });
        QVERIFY(isOk(m_client->ask(on("click", "last"))));
    }

    void type_replacesWhatStoodThere()
    {
        m_stage->edit.setText(QStringLiteral("old"));
        const QSignalSpy spy(&m_stage->edit, &QLineEdit::textEdited);
        QVERIFY(isOk(m_client->ask(typed("stage.edit", QStringLiteral("Größe 4\U0001F600")))));
        QCOMPARE(m_stage->edit.text(), QStringLiteral("Größe 4\U0001F600"));
        QVERIFY(!spy.isEmpty()); // as by a person, not by setText
        QVERIFY(isOk(m_client->ask(typed("stage.edit", {}))));
        QVERIFY(m_stage->edit.text().isEmpty());
    }

    void type_isRefusedWhereNobodyCanType()
    {
        QCOMPARE(errorOf(m_client->ask(typed("stage.button", QStringLiteral("x")))), QStringLiteral("bad_request"));
        m_stage->edit.setReadOnly(true);
        QCOMPARE(errorOf(m_client->ask(typed("stage.edit", QStringLiteral("x")))), QStringLiteral("disabled"));
        m_stage->edit.hide();
        QCOMPARE(errorOf(m_client->ask(typed("stage.edit", QStringLiteral("x")))), QStringLiteral("hidden"));
    }

    void waitFor_isAnsweredWhenTheStateComes()
    {
        const int paid = m_client->send(waitFor("Paid"));
        const int saving = m_client->send(waitFor("Saving"));
        QVERIFY(isOk(m_client->ask(command("state")))); // both wait by now
        m_stage->setState(QStringLiteral("Saving"));
        QVERIFY(isOk(m_client->answerTo(saving)));
        m_stage->setState(QStringLiteral("Paid"));
        const auto answer = m_client->answerTo(paid);
        QVERIFY(isOk(answer));
        QCOMPARE(answer.value(QStringLiteral("revision")).toInt(), 3);
        QCOMPARE(answer.value(QStringLiteral("state")).toObject().value(QStringLiteral("state")).toString(),
                 QStringLiteral("Paid"));
    }

    void waitFor_ofTheStateThatIs_isAnsweredAtOnce_unlessItMustBeNewer()
    {
        QVERIFY(isOk(m_client->ask(waitFor("Editing"))));
        QVERIFY(isOk(m_client->ask(waitForNewer("Editing", 0))));
        const auto late = m_client->ask(waitForNewer("Editing", m_stage->revision(), 1));
        QCOMPARE(errorOf(late), QStringLiteral("timeout"));
        QVERIFY(late.value(QStringLiteral("detail")).toString().contains(QStringLiteral("Editing")));
        const int newer = m_client->send(waitForNewer("Editing", m_stage->revision()));
        QVERIFY(isOk(m_client->ask(command("state"))));
        m_stage->setState(QStringLiteral("Editing"));
        QVERIFY(isOk(m_client->answerTo(newer)));
    }

    void idle_waitsForTheLastPendingThing()
    {
        m_stage->setPending(1);
        const int idle = m_client->send(command("idle"));
        QVERIFY(isOk(m_client->ask(command("state"))));
        m_stage->setPending(0);
        QVERIFY(isOk(m_client->answerTo(idle)));
    }

    void tooManyWaits_areRefused()
    {
        for (std::size_t i = 0; i < Connection::kMostWaits; ++i)
            m_client->send(waitFor("Paid"));
        QCOMPARE(errorOf(m_client->ask(waitFor("Paid"))), QStringLiteral("bad_request"));
    }

    void state_isToldWhole_andOfAWindowThatIsNotThere_not()
    {
        const auto answer = m_client->ask(command("state"));
        QCOMPARE(answer.value(QStringLiteral("state")).toObject().value(QStringLiteral("window")).toString(),
                 QStringLiteral("stage"));
        QCOMPARE(errorOf(m_client->ask(command("state", {{QStringLiteral("window"), QStringLiteral("support")}}))),
                 QStringLiteral("not_found"));
        m_stage.reset();
        QCOMPARE(errorOf(m_client->ask(command("state"))), QStringLiteral("not_found"));
    }

    void listAndGet_tellOfEveryNamedWidget()
    {
        const auto widgets = m_client->ask(command("list")).value(QStringLiteral("widgets")).toArray();
        QStringList names;
        for (const auto& widget : widgets)
            names.append(widget.toObject().value(QStringLiteral("name")).toString());
        QCOMPARE(names, (QStringList{QStringLiteral("stage"), QStringLiteral("stage.button"), QStringLiteral("stage.edit")}));
        const auto facts = m_client->ask(on("get", "stage.button")).value(QStringLiteral("widget")).toObject();
        QCOMPARE(facts.value(QStringLiteral("text")).toString(), QStringLiteral("Press me"));
        QCOMPARE(facts.value(QStringLiteral("visible")), QJsonValue(true));
        QCOMPARE(facts.value(QStringLiteral("window")).toString(), QStringLiteral("stage"));
    }

    void passwordField_isNotToldInClear()
    {
        m_stage->edit.setEchoMode(QLineEdit::Password);
        m_stage->edit.setText(QStringLiteral("123"));
        const auto facts = m_client->ask(on("get", "stage.edit")).value(QStringLiteral("widget")).toObject();
        QVERIFY(!facts.value(QStringLiteral("text")).toString().contains(QStringLiteral("123")));
        QCOMPARE(facts.value(QStringLiteral("text")).toString().size(), 3);
    }

    void grab_isAPicture()
    {
        for (const auto& ask : {command("grab"), on("grab", "stage.button")}) {
            const auto png = m_client->ask(ask).value(QStringLiteral("png")).toString();
            QVERIFY(!QImage::fromData(QByteArray::fromBase64(png.toLatin1()), "PNG").isNull());
        }
    }

    void quit_isAnsweredFirst()
    {
        const QSignalSpy spy(m_server.get(), &AutomationServer::quitWanted);
        QVERIFY(isOk(m_client->ask(command("quit"))));
        QCOMPARE(spy.size(), 1);
    }

    void badLine_isRefused_andTheNextIsRead()
    {
        m_client->sendLine(R"({"do":"dance"})");
        QCOMPARE(errorOf(m_client->nextRefusal()), QStringLiteral("bad_request"));
        QVERIFY(isOk(m_client->ask(command("state"))));
    }

    void badLineWithAnId_isRefusedUnderIt()
    {
        m_client->sendLine(R"({"id":77,"do":"dance"})");
        QCOMPARE(errorOf(m_client->answerTo(77)), QStringLiteral("bad_request"));
    }

    void endlessLine_endsTheConnection()
    {
        m_client->sendLine(QByteArray(Connection::kLongestLine + 1, 'x'));
        QCOMPARE(errorOf(m_client->nextRefusal()), QStringLiteral("bad_request"));
        QVERIFY(m_client->waitForEnd());
        AutomationClient next;
        QVERIFY(next.connectTo(path()));
        QVERIFY(isOk(next.ask(command("state"))));
    }

    void oneClientTooMany_isLetGo_andPlaceIsMadeAgain()
    {
        std::vector<std::unique_ptr<AutomationClient>> others;
        for (int i = 1; i < AutomationServer::kMostClients; ++i) {
            others.push_back(std::make_unique<AutomationClient>());
            QVERIFY(others.back()->connectTo(path()));
            QVERIFY(isOk(others.back()->ask(command("state"))));
        }
        AutomationClient tooMany;
        QVERIFY(tooMany.connectTo(path()));
        QVERIFY(tooMany.waitForEnd());
        others.pop_back();
        QTRY_VERIFY(tooMany.connectTo(path()) && isOk(tooMany.ask(command("state"))));
    }

    void clientThatLeaves_takesItsWaitsAlong()
    {
        m_client->send(waitFor("Paid"));
        QVERIFY(isOk(m_client->ask(command("state"))));
        m_client.reset();
        m_client = std::make_unique<AutomationClient>();
        QVERIFY(m_client->connectTo(path()));
        m_stage->setState(QStringLiteral("Paid"));
        QVERIFY(isOk(m_client->ask(command("state"))));
    }

    void socketOfAKilledProcess_isTakenOver_andNothingElse()
    {
        AutomationServer second;
        const auto inUse = second.listen(path());
        QVERIFY(!inUse);
        QVERIFY(inUse.error().contains(path()));
        const auto stale = m_dir->filePath(QStringLiteral("stale"));
        {
            QLocalServer left;
            QVERIFY(left.listen(stale));
            QVERIFY(::link(stale.toLocal8Bit().constData(), (stale + QLatin1Char('2')).toLocal8Bit().constData()) == 0);
        }
        const auto file = m_dir->filePath(QStringLiteral("letter"));
        QFile letter(file);
        QVERIFY(letter.open(QIODevice::WriteOnly));
        QVERIFY(!second.listen(file)); // and it is still there
        QVERIFY(letter.exists());
        AutomationServer third;
        QVERIFY(third.listen(stale + QLatin1Char('2')));
    }

private:
    [[nodiscard]] QString path() const { return m_dir->filePath(QStringLiteral("socket")); }

    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<AutomationServer> m_server;
    std::unique_ptr<Stage> m_stage;
    std::unique_ptr<AutomationClient> m_client;
};

QTEST_MAIN(AutomationSocketTest)
#include "tst_automation_socket.moc"
