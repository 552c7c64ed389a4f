// The real `payonce`, used by a program instead of a person.
#include "automation/app_process.h"
#include "automation/shop_control.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QRegularExpression>
#include <QtCore/QScopeGuard>
#include <QtCore/QTemporaryDir>
#include <QtNetwork/QLocalServer>
#include <QtTest/QTest>

namespace {

using payonce::support::AppProcess;
using payonce::support::isOk;
using payonce::support::ShopControl;

QJsonObject command(const char* verb, const char* name = nullptr)
{
    QJsonObject object{{QStringLiteral("do"), QLatin1String(verb)}};
    if (name != nullptr)
        object.insert(QLatin1String("name"), QLatin1String(name));
    return object;
}

QJsonObject waitFor(const char* state)
{
    auto object = command("waitFor");
    object.insert(QLatin1String("state"), QLatin1String(state));
    object.insert(QLatin1String("timeout_ms"), 19'000);
    return object;
}

QString text(const QJsonObject& object, const char* member)
{
    return object.value(QLatin1String(member)).toString();
}

} // namespace

class AutomationPayonceTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void paymentByTheSocket_isPaid_andQuitEndsInPeace()
    {
        const QTemporaryDir dir;
        const auto cleanUp = qScopeGuard([&] { ShopControl(dir.path()).endServer(); }); // of a test that failed
        AppProcess app(dir.filePath(QStringLiteral("socket")), {QStringLiteral("--data-dir"), dir.path()});
        QVERIFY2(app.start(), app.output());
        QVERIFY(isOk(app.ask(waitFor("Editing"))));
        const auto pressed = app.askUntilDone(command("click", "checkout.pay"));
        QVERIFY2(isOk(pressed), qPrintable(text(pressed, "detail")));
        const auto paid = app.ask(waitFor("Paid"));
        QVERIFY2(isOk(paid), qPrintable(text(paid, "detail")));
        const auto state = paid.value(QLatin1String("state")).toObject();
        QCOMPARE(text(state, "outcome"), QStringLiteral("paid"));
        QVERIFY(paid.value(QLatin1String("revision")).toInt() > pressed.value(QLatin1String("revision")).toInt());
        // The button it was paid with is gone.
        QCOMPARE(text(app.ask(command("click", "checkout.pay")), "error"), QStringLiteral("hidden"));
        QVERIFY(app.quit());
        QVERIFY(!QFile::exists(dir.filePath(QStringLiteral("server.json")))); // its server has ended, too
    }

    void cardTypedByTheSocket_isGroupedAsByHand()
    {
        const QTemporaryDir dir;
        const auto cleanUp = qScopeGuard([&] { ShopControl(dir.path()).endServer(); }); // of a test that failed
        AppProcess app(dir.filePath(QStringLiteral("socket")), {QStringLiteral("--data-dir"), dir.path()});
        QVERIFY2(app.start(), app.output());
        auto typing = command("type", "checkout.card.number");
        typing.insert(QLatin1String("text"), QStringLiteral("4000000000000002"));
        QVERIFY(isOk(app.askUntilDone(typing)));
        const auto field = app.ask(command("get", "checkout.card.number")).value(QLatin1String("widget")).toObject();
        QCOMPARE(text(field, "text"), QStringLiteral("4000 0000 0000 0002"));
        QVERIFY(app.quit()); // or its server would live on
    }

    void socketOfSomebodyElse_isNotTaken()
    {
        const QTemporaryDir dir;
        QLocalServer other;
        QVERIFY(other.listen(dir.filePath(QStringLiteral("socket"))));
        QProcess process;
        process.start(QStringLiteral(PAYONCE_PROGRAM),
                      {QStringLiteral("--headless"), QStringLiteral("--data-dir"), dir.path(), QStringLiteral("--automation"),
                       dir.filePath(QStringLiteral("socket"))});
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.exitCode(), 78);
        QVERIFY(process.readAllStandardError().contains("--automation"));
    }

    void withoutTheFlag_nobodyListens()
    {
        const QTemporaryDir dir;
        QProcess process;
        process.start(QStringLiteral(PAYONCE_PROGRAM),
                      {QStringLiteral("--headless"), QStringLiteral("--data-dir"), dir.path()});
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitCode(), 0);
        for (const auto& file : QDir(dir.path()).entryInfoList(QDir::Files | QDir::System))
            QVERIFY2(file.isFile(), qPrintable(file.filePath()));
    }
};

QTEST_GUILESS_MAIN(AutomationPayonceTest)
#include "tst_automation_payonce.moc"
