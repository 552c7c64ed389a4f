// Several real `payonce` on one data directory: one owner for each payment, viewers for the rest, one server for all.
#include "automation/app_process.h"
#include "automation/commands.h"
#include "automation/shop_control.h"
#include "support/bank_rows.h"

#include <QtCore/QFile>
#include <QtCore/QJsonDocument>
#include <QtCore/QProcess>
#include <QtCore/QRegularExpression>
#include <QtCore/QSet>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <array>
#include <csignal>
#include <memory>

namespace {

using payonce::support::AppProcess;
using payonce::support::chargesIn;
using payonce::support::isOk;
using payonce::support::on;
using payonce::support::ShopControl;
using payonce::support::text;
using payonce::support::waitFor;

constexpr int kPatience = 60'000;

/// The bank charges, and nobody hears of it: not from a POST, and while the second rule stands not from a look-up.
constexpr auto kReplyLost = R"({"id":"lost","match":{"op":"pay"},"at":"reply.built","do":{"hang":{}}})";
constexpr auto kDeaf = R"({"id":"deaf","match":{"op":"status"},"at":"received","do":{"hang":{}}})";

} // namespace

class SeveralWindowsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void secondWindow_showsItLiveAndReadOnly();
    void killedOwner_isFollowedByTheViewer();
    void stoppedOwner_losesThePaymentAndFollows();
    void checkAgainInTheViewer_isTheOwnersStep();
    void payPressedInBothAtOnce_isOnePayment();
    void startedTwiceAtOnce_onePays_data();
    void startedTwiceAtOnce_onePays();
    void lastWindow_endsTheServer_data();
    void lastWindow_endsTheServer();

private:
    [[nodiscard]] std::unique_ptr<AppProcess> window(const char* name, const QStringList& more = {}) const;
    /// The first window's payment is charged and unconfirmed; the second one looks at it.
    void payAndWatch(const QStringList& more = {});
    [[nodiscard]] static bool isOwner(AppProcess& app) { return app.state().value(QLatin1String("owner")).toBool(); }
    [[nodiscard]] static QString actionOf(AppProcess& app) { return text(app.state(), "action_id"); }
    [[nodiscard]] QByteArray outputs() const { return m_first->output() + m_second->output(); }

    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<ShopControl> m_shop;
    std::unique_ptr<AppProcess> m_first;
    std::unique_ptr<AppProcess> m_second;
};

void SeveralWindowsTest::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_dir = std::make_unique<QTemporaryDir>();
    m_shop = std::make_unique<ShopControl>(m_dir->path());
    m_first = window("first");
    m_second = window("second");
}

void SeveralWindowsTest::cleanup()
{
    m_first.reset();
    m_second.reset();
    m_shop->endServer();
}

std::unique_ptr<AppProcess> SeveralWindowsTest::window(const char* name, const QStringList& more) const
{
    return std::make_unique<AppProcess>(m_dir->filePath(QLatin1String(name)),
                                        QStringList{QStringLiteral("--data-dir"), m_dir->path()} + more);
}

void SeveralWindowsTest::payAndWatch(const QStringList& more)
{
    m_first = window("first", more);
    m_second = window("second", more);
    QVERIFY2(m_first->start(), m_first->output());
    QVERIFY(isOk(m_first->ask(waitFor("Editing"))));
    QVERIFY(m_shop->addRule(kReplyLost) && m_shop->addRule(kDeaf));
    QVERIFY(isOk(m_first->askUntilDone(on("click", "checkout.pay"))));
    QTRY_COMPARE_WITH_TIMEOUT(chargesIn(m_dir->path()), 1, kPatience);
    QVERIFY2(m_second->start(), m_second->output());
    QTRY_VERIFY_WITH_TIMEOUT(!actionOf(*m_second).isEmpty(), kPatience);
    QCOMPARE(actionOf(*m_second), actionOf(*m_first));
    QVERIFY(isOwner(*m_first) && !isOwner(*m_second));
}

void SeveralWindowsTest::secondWindow_showsItLiveAndReadOnly()
{
    payAndWatch();

    QVERIFY(isOk(m_second->ask(waitFor("Confirming"))));
    QVERIFY(!isOk(m_second->ask(on("click", "checkout.pay"))));
    QVERIFY(m_shop->removeRule("deaf"));
    QVERIFY(isOk(m_first->ask(waitFor("Paid"))));
    QVERIFY(isOk(m_second->ask(waitFor("Paid"))));

    QCOMPARE(actionOf(*m_second), actionOf(*m_first));
    QCOMPARE(text(m_second->ask(on("get", "checkout.order")).value(QLatin1String("widget")).toObject(), "text"),
             text(m_first->ask(on("get", "checkout.order")).value(QLatin1String("widget")).toObject(), "text"));
    QCOMPARE(m_second->state().value(QLatin1String("probes")).toInt(-1), 0); // it only looked
    QCOMPARE(chargesIn(m_dir->path()), 1);
}

void SeveralWindowsTest::killedOwner_isFollowedByTheViewer()
{
    payAndWatch();
    const auto action = actionOf(*m_second);

    m_first->killHard();
    QTRY_VERIFY_WITH_TIMEOUT(isOwner(*m_second), kPatience);
    QVERIFY(m_shop->removeRule("deaf"));

    QVERIFY2(isOk(m_second->ask(waitFor("Paid"))), outputs());
    QCOMPARE(actionOf(*m_second), action);
    QVERIFY(m_second->state().value(QLatin1String("probes")).toInt() > 0);
    QCOMPARE(chargesIn(m_dir->path()), 1);
}

void SeveralWindowsTest::stoppedOwner_losesThePaymentAndFollows()
{
    payAndWatch();

    QCOMPARE(::kill(static_cast<pid_t>(m_first->pid()), SIGSTOP), 0);
    QTRY_VERIFY_WITH_TIMEOUT(isOwner(*m_second), kPatience);
    QCOMPARE(::kill(static_cast<pid_t>(m_first->pid()), SIGCONT), 0);

    QTRY_VERIFY_WITH_TIMEOUT(!isOwner(*m_first), kPatience);
    QVERIFY(isOwner(*m_second));
    QVERIFY(m_shop->removeRule("deaf"));
    QVERIFY2(isOk(m_second->ask(waitFor("Paid"))), outputs());
    QVERIFY2(isOk(m_first->ask(waitFor("Paid"))), outputs());
    QCOMPARE(actionOf(*m_first), actionOf(*m_second));
    QCOMPARE(chargesIn(m_dir->path()), 1);
}

void SeveralWindowsTest::checkAgainInTheViewer_isTheOwnersStep()
{
    payAndWatch({QStringLiteral("--time-scale"), QStringLiteral("0.1")});
    QVERIFY2(isOk(m_second->ask(waitFor("Unresolved"))), outputs());
    const int probes = m_first->state().value(QLatin1String("probes")).toInt();
    QVERIFY(m_shop->removeRule("deaf"));

    QVERIFY(isOk(m_second->askUntilDone(on("click", "checkout.next"))));

    QVERIFY2(isOk(m_second->ask(waitFor("Paid"))), outputs());
    QVERIFY(m_first->state().value(QLatin1String("probes")).toInt() > probes);
    QCOMPARE(m_second->state().value(QLatin1String("probes")).toInt(-1), 0);
    QCOMPARE(chargesIn(m_dir->path()), 1);
}

void SeveralWindowsTest::payPressedInBothAtOnce_isOnePayment()
{
    QVERIFY2(m_first->start(), m_first->output());
    QVERIFY2(m_second->start(), m_second->output());
    const auto mayPay = [](AppProcess& app) {
        return app.state().value(QLatin1String("primary")).toObject().value(QLatin1String("enabled")).toBool();
    };
    QTRY_VERIFY_WITH_TIMEOUT(mayPay(*m_first) && mayPay(*m_second), kPatience);

    const int first = m_first->begin(on("click", "checkout.pay"));
    const int second = m_second->begin(on("click", "checkout.pay"));

    QVERIFY(isOk(m_first->answerTo(first)));
    const auto pressed = m_second->answerTo(second);
    QVERIFY(isOk(pressed) || text(pressed, "error") == QLatin1String("hidden"));
    QVERIFY2(isOk(m_first->ask(waitFor("Paid"))), outputs());
    QVERIFY2(isOk(m_second->ask(waitFor("Paid"))), outputs());
    QCOMPARE(actionOf(*m_first), actionOf(*m_second));
    QCOMPARE(chargesIn(m_dir->path()), 1);
}

void SeveralWindowsTest::startedTwiceAtOnce_onePays_data()
{
    QTest::addColumn<bool>("isOld");

    QTest::newRow("a fresh directory") << false;
    QTest::newRow("a directory that was used before") << true;
}

/// Whichever of them starts the server and makes the journal: the other one uses what is there.
void SeveralWindowsTest::startedTwiceAtOnce_onePays()
{
    QFETCH(const bool, isOld);
    const QStringList flags{QStringLiteral("--headless"), QStringLiteral("--data-dir"), m_dir->path()};
    if (isOld) {
        QCOMPARE(QProcess::execute(QStringLiteral(PAYONCE_PROGRAM), flags), 0);
    }
    const int before = isOld ? 1 : 0;
    std::array<QProcess, 3> processes;

    for (auto& process : processes)
        process.start(QStringLiteral(PAYONCE_PROGRAM), flags);

    QSet<QString> references;
    for (auto& process : processes) {
        QVERIFY(process.waitForFinished(kPatience));
        const auto lines = process.readAllStandardOutput().trimmed().split('\n');
        const auto last = QJsonDocument::fromJson(lines.constLast()).object();
        QVERIFY2(text(last, "state") == QLatin1String("Paid"), process.readAllStandardError() + lines.constLast());
        references.insert(text(last, "reference"));
    }
    // A window that opens when the cart is paid gets a new one: never one cart twice.
    QCOMPARE(chargesIn(m_dir->path()), before + static_cast<int>(references.size()));
    QTRY_VERIFY_WITH_TIMEOUT(m_shop->pid() == 0 || ShopControl::hasEnded(m_shop->pid()), kPatience);
}

void SeveralWindowsTest::lastWindow_endsTheServer_data()
{
    QTest::addColumn<bool>("starterFirst");

    QTest::newRow("who started it goes first") << true;
    QTest::newRow("who started it goes last") << false;
}

void SeveralWindowsTest::lastWindow_endsTheServer()
{
    QFETCH(const bool, starterFirst);
    QVERIFY2(m_first->start(), m_first->output());
    QVERIFY(isOk(m_first->ask(waitFor("Editing"))));
    QVERIFY2(m_second->start(), m_second->output());
    QVERIFY(isOk(m_second->askUntilDone(on("get", "checkout.pay"))));
    const auto server = m_shop->pid();
    QVERIFY(server > 0);
    auto& leaves = starterFirst ? *m_first : *m_second;
    auto& stays = starterFirst ? *m_second : *m_first;

    QVERIFY(leaves.quit());

    QVERIFY(isOk(stays.askUntilDone(on("click", "checkout.pay"))));
    QVERIFY2(isOk(stays.ask(waitFor("Paid"))), outputs());
    QCOMPARE(m_shop->pid(), server);
    QVERIFY(stays.quit());
    QTRY_VERIFY_WITH_TIMEOUT(ShopControl::hasEnded(server), kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(!QFile::exists(m_dir->filePath(QStringLiteral("server.json"))), kPatience);
}

QTEST_GUILESS_MAIN(SeveralWindowsTest)
#include "tst_several_windows.moc"
