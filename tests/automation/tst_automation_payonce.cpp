// The real `payonce`, used by a program instead of a person.
#include "automation/app_process.h"
#include "automation/commands.h"
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
using payonce::support::on;
using payonce::support::ShopControl;
using payonce::support::text;
using payonce::support::typed;
using payonce::support::waitFor;

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
        const auto pressed = app.askUntilDone(on("click", "checkout.pay"));
        QVERIFY2(isOk(pressed), qPrintable(text(pressed, "detail")));
        const auto paid = app.ask(waitFor("Paid"));
        QVERIFY2(isOk(paid), qPrintable(text(paid, "detail")));
        const auto state = paid.value(QLatin1String("state")).toObject();
        QCOMPARE(text(state, "outcome"), QStringLiteral("paid"));
        QVERIFY(paid.value(QLatin1String("revision")).toInt() > pressed.value(QLatin1String("revision")).toInt());
        // The button it was paid with is gone.
        QCOMPARE(text(app.ask(on("click", "checkout.pay")), "error"), QStringLiteral("hidden"));
        QVERIFY(app.quit());
        QVERIFY(!QFile::exists(dir.filePath(QStringLiteral("server.json")))); // its server has ended, too
    }

    void cardTypedByTheSocket_isGroupedAsByHand()
    {
        const QTemporaryDir dir;
        const auto cleanUp = qScopeGuard([&] { ShopControl(dir.path()).endServer(); }); // of a test that failed
        AppProcess app(dir.filePath(QStringLiteral("socket")), {QStringLiteral("--data-dir"), dir.path()});
        QVERIFY2(app.start(), app.output());
        QVERIFY(isOk(app.askUntilDone(typed("checkout.card.number", QStringLiteral("4000000000000002")))));
        const auto field = app.ask(on("get", "checkout.card.number")).value(QLatin1String("widget")).toObject();
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
