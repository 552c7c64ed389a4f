// The walk before a release, as docs/walk.md tells it to a person: pay, lose the network, press what the window offers, and
// look at the records of both sides.
#include "automation/app_process.h"
#include "automation/commands.h"
#include "automation/shop_control.h"
#include "support/bank_rows.h"
#include "support/shop_rows.h"

#include <QtCore/QFile>
#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QRegularExpression>
#include <QtCore/QTemporaryDir>
#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlQuery>
#include <QtTest/QTest>

namespace {

using payonce::support::AppProcess;
using payonce::support::chargesIn;
using payonce::support::isOk;
using payonce::support::on;
using payonce::support::ShopControl;
using payonce::support::text;
using payonce::support::waitFor;

constexpr int kPatience = 60'000;

/// The bank has charged; now the network is out for a while, and the answer is lost with it.
constexpr auto kCableOut = R"({"id":"out","match":{"op":"pay"},"at":"bank.answered","do":{"refuse":{"ms":4000}},"times":1})";
constexpr auto kReplyLost = R"({"id":"lost","match":{"op":"pay"},"at":"reply.built","do":{"rst":{}},"times":1})";

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// One row of the client's journal, `attempts that left, how it ended, of all actions`.
QString journalRow(const QString& path, const QString& action)
{
    QString row;
    {
        auto database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("walk"));
        database.setDatabaseName(path);
        if (database.open()) {
            QSqlQuery query(database);
            query.prepare(QStringLiteral(
                "SELECT (SELECT count(*) FROM attempts WHERE action_id = id AND bytes_taken > 0) || ' ' || final_state, "
                "(SELECT count(*) FROM actions) FROM actions WHERE id = ?"));
            query.addBindValue(action);
            if (query.exec() && query.next())
                row = query.value(0).toString() + QStringLiteral(" of ") + query.value(1).toString();
        }
    }
    QSqlDatabase::removeDatabase(QStringLiteral("walk"));
    return row;
}

} // namespace

class WalkTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void lostNetwork_isOneChargeOneOrderOneMailAndOneChainUnderOneId();
};

void WalkTest::lostNetwork_isOneChargeOneOrderOneMailAndOneChainUnderOneId()
{
    const QTemporaryDir dir;
    const ShopControl shop(dir.path());
    {
        AppProcess app(dir.filePath(QStringLiteral("socket")),
                       {QStringLiteral("--data-dir"), dir.path(), QStringLiteral("--time-scale"), QStringLiteral("0.2")});
        QVERIFY2(app.start(), app.output());
        QVERIFY(isOk(app.ask(waitFor("Editing"))));
        QVERIFY(shop.addRule(kCableOut) && shop.addRule(kReplyLost));

        QVERIFY(isOk(app.askUntilDone(on("click", "checkout.pay"))));
        QVERIFY2(isOk(app.ask(waitFor("OfflineUnknown"))), app.output());
        const QString action = text(app.state(), "action_id");
        QVERIFY(isOk(app.askUntilDone(on("click", "checkout.next")))); // Check again
        QVERIFY2(isOk(app.ask(waitFor("Paid"))), app.output());

        QCOMPARE(text(app.state(), "action_id"), action);
        QCOMPARE(chargesIn(dir.path()), 1);
        QCOMPARE(shop.ledger().value(QLatin1String("orders")).toArray().size(), 1);
        QTRY_COMPARE_WITH_TIMEOUT(payonce::support::mailsAskedForIn(dir.filePath(QStringLiteral("shop.sqlite"))).size(), 1,
                                  kPatience);
        QCOMPARE(text(shop.verdict(), "code"), QStringLiteral("charged_once"));

        // One chain under one ID: what support sees, the server's log, and the client's journal.
        const auto timeline = shop.supportView(action).value(QLatin1String("timeline")).toArray();
        QVERIFY(timeline.size() >= 4);
        const QByteArray id = action.toUtf8();
        QTRY_VERIFY_WITH_TIMEOUT(contentOf(dir.filePath(QStringLiteral("arrivals.jsonl"))).contains(id), kPatience);
        QVERIFY(app.quit());
        QCOMPARE(journalRow(dir.filePath(QStringLiteral("client.sqlite")), action), QStringLiteral("1 Paid of 1"));
    }
    shop.endServer();
}

QTEST_GUILESS_MAIN(WalkTest)
#include "tst_walk.moc"
