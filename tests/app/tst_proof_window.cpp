// The proof, with a person's hands: the real window and client against a real payonce-server, and the bank's rows counted.
#include "checkout/checkout_session.h"
#include "storage/presence.h"
#include "support/bank_rows.h"
#include "support/scenario_file.h"
#include "support/server_process.h"
#include "widgets/checkout_window.h"
#include "widgets/object_names.h"

#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QRegularExpression>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>
#include <QtWidgets/QAbstractButton>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>

namespace {

using payonce::support::chargesIn;
using payonce::support::ServerProcess;
namespace names = payonce::widgets::names;

constexpr int kPatience = 60'000;

/// As shipped, but a payment that finds nobody is Unresolved after two seconds, not sixty.
payonce::retry::Numbers impatient()
{
    payonce::retry::Numbers numbers;
    numbers.unresolvedAfter = std::chrono::seconds(2);
    return numbers;
}

/// The checkout as app/ puts it together, and a hand that presses what it shows.
class Checkout
{
public:
    Checkout(const QTemporaryDir& dir, const ServerProcess& server)
        : m_session({{QUrl(server.ready().value(QStringLiteral("shop")).toString()), server.token(QStringLiteral("account"))},
                     dir.filePath(QStringLiteral("client.sqlite")),
                     payonce::storage::Presence::take(dir.filePath(QStringLiteral("payonce.lock"))).value(),
                     {},
                     impatient()}),
          m_window(m_session.viewModel(), options())
    {
        QObject::connect(&m_window, &payonce::widgets::CheckoutWindow::stateJsonChanged, &m_window,
                         [this] { m_seen.insert(state()); });
        m_window.show();
        m_session.start();
    }

    [[nodiscard]] QJsonObject stateJson() const { return QJsonDocument::fromJson(m_window.stateJson().toUtf8()).object(); }
    [[nodiscard]] QString state() const { return stateJson().value(QStringLiteral("state")).toString(); }
    [[nodiscard]] QString actionId() const { return stateJson().value(QStringLiteral("action_id")).toString(); }
    /// Every state the window ever showed.
    [[nodiscard]] const QSet<QString>& seen() const { return m_seen; }
    [[nodiscard]] bool isShown(QLatin1String name) const { return widget(name)->isVisible() && widget(name)->isEnabled(); }

    /// Everything the window says.
    [[nodiscard]] QString words() const
    {
        QStringList words;
        for (const auto* label : m_window.findChildren<QLabel*>())
            if (label->isVisible())
                words.append(label->text());
        return words.join(QLatin1Char('\n'));
    }

    /// A press at the place of the widget: it reaches whatever lies there by then.
    void click(QLatin1String name) { QTest::mouseClick(m_window.windowHandle(), Qt::LeftButton, {}, placeOf(name)); }
    void clickAgainAt(const QPoint& place) { QTest::mouseClick(m_window.windowHandle(), Qt::LeftButton, {}, place); }
    void doubleClickAt(const QPoint& place) { QTest::mouseDClick(m_window.windowHandle(), Qt::LeftButton, {}, place); }
    [[nodiscard]] QPoint placeOf(QLatin1String name) const
    {
        return widget(name)->mapTo(&m_window, widget(name)->rect().center());
    }
    void type(QLatin1String name, const QString& text)
    {
        auto* field = m_window.findChild<QLineEdit*>(name);
        QVERIFY(field != nullptr);
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, text);
    }

private:
    [[nodiscard]] static payonce::widgets::CheckoutOptions options()
    {
        payonce::widgets::CheckoutOptions options;
        options.animations = payonce::widgets::Animations::Off;
        options.fields = {QStringLiteral("you@example.com"), QStringLiteral("4242424242424242"), QStringLiteral("12/31"),
                          QStringLiteral("123")};
        return options;
    }
    [[nodiscard]] const QWidget* widget(QLatin1String name) const
    {
        const auto* found = m_window.findChild<QWidget*>(name);
        return found != nullptr ? found : &m_window;
    }

    payonce::checkout::CheckoutSession m_session;
    payonce::widgets::CheckoutWindow m_window;
    QSet<QString> m_seen;
};

/// The server dies at this place, once.
QString crashFile(const QTemporaryDir& dir, const QByteArray& operation, const QByteArray& at)
{
    return payonce::support::scenarioFile(dir, payonce::support::oneRule(operation, at, R"({"crash":{}})"));
}

} // namespace

class WindowProofTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void doubleClick_isOneActionAndOneCharge();
    void declinedThenAnotherCard_isOneChargeUnderANewId();
    void serverThatStaysDown_isNeverCalledARefusal_data();
    void serverThatStaysDown_isNeverCalledARefusal();
    void serverBackAfterAll_isPaidOnce();
};

void WindowProofTest::doubleClick_isOneActionAndOneCharge()
{
    const QTemporaryDir dir;
    const QTemporaryDir serverDir;
    ServerProcess server(serverDir.path());
    QVERIFY2(server.start(), server.errorText());
    Checkout checkout(dir, server);
    QTRY_VERIFY(checkout.isShown(names::kPay));
    const auto place = checkout.placeOf(names::kPay);
    checkout.doubleClickAt(place);
    const auto action = checkout.actionId();
    checkout.clickAgainAt(place);
    checkout.doubleClickAt(place);
    QTRY_COMPARE_WITH_TIMEOUT(checkout.state(), QStringLiteral("Paid"), kPatience);
    QCOMPARE(checkout.actionId(), action);
    QCOMPARE(checkout.stateJson().value(QStringLiteral("posts")).toInt(), 1);
    QCOMPARE(chargesIn(serverDir.path()), 1);
    QCOMPARE(payonce::support::actionsIn(serverDir.path()), QSet<QString>{action});
}

void WindowProofTest::declinedThenAnotherCard_isOneChargeUnderANewId()
{
    const QTemporaryDir dir;
    const QTemporaryDir serverDir;
    ServerProcess server(serverDir.path());
    QVERIFY2(server.start(), server.errorText());
    Checkout checkout(dir, server);
    QTRY_VERIFY(checkout.isShown(names::kPay));
    checkout.type(names::kCardNumber, QStringLiteral("4000000000009995"));
    checkout.click(names::kPay);
    QTRY_COMPARE_WITH_TIMEOUT(checkout.state(), QStringLiteral("Declined"), kPatience);
    const auto declined = checkout.actionId();
    QCOMPARE(chargesIn(serverDir.path()), 0);

    QTRY_VERIFY(checkout.isShown(names::kNext));
    checkout.click(names::kNext);
    QTRY_COMPARE(checkout.state(), QStringLiteral("Editing"));
    checkout.type(names::kCardNumber, QStringLiteral("4242424242424242"));
    checkout.type(names::kCardExpiry, QStringLiteral("1231"));
    checkout.type(names::kCardCode, QStringLiteral("123"));
    QTRY_VERIFY(checkout.isShown(names::kPay));
    checkout.click(names::kPay);
    QTRY_COMPARE_WITH_TIMEOUT(checkout.state(), QStringLiteral("Paid"), kPatience);
    QVERIFY(checkout.actionId() != declined);
    QCOMPARE(chargesIn(serverDir.path()), 1);
    QCOMPARE(payonce::support::actionsIn(serverDir.path()), (QSet<QString>{declined, checkout.actionId()}));
}

void WindowProofTest::serverThatStaysDown_isNeverCalledARefusal_data()
{
    QTest::addColumn<QByteArray>("operation");
    QTest::addColumn<QByteArray>("at");
    QTest::addColumn<QStringList>("states");
    // The token's answer leaves whole, then the server is gone: no byte of the payment was ever taken.
    QTest::newRow("before the payment left")
        << QByteArray("tokenise") << QByteArray("reply.body@100000") << QStringList{QStringLiteral("Offline")};
    QTest::newRow("after the payment left")
        << QByteArray("pay") << QByteArray("received") << QStringList{QStringLiteral("OfflineUnknown")};
}

void WindowProofTest::serverThatStaysDown_isNeverCalledARefusal()
{
    QFETCH(QByteArray, operation);
    QFETCH(QByteArray, at);
    QFETCH(QStringList, states);
    const QTemporaryDir dir;
    const QTemporaryDir serverDir;
    ServerProcess server(serverDir.path(), {QStringLiteral("--scenario"), crashFile(dir, operation, at)});
    QVERIFY2(server.start(), server.errorText());
    Checkout checkout(dir, server);
    QTRY_VERIFY(checkout.isShown(names::kPay));
    checkout.click(names::kPay);
    QTRY_VERIFY2_WITH_TIMEOUT(states.contains(checkout.state()), qPrintable(checkout.state()), kPatience);
    QVERIFY(server.waitForEnd());
    for (const auto* state : {"Declined", "NotCharged", "Paid", "Cancelled", "NotStarted"})
        QVERIFY2(!checkout.seen().contains(QLatin1String(state)), state);
    QVERIFY2(!checkout.words().contains(QStringLiteral("declined")) &&
                 !checkout.words().contains(QStringLiteral("not charged")),
             qPrintable(checkout.words()));
    QCOMPARE(chargesIn(serverDir.path()), 0);
}

void WindowProofTest::serverBackAfterAll_isPaidOnce()
{
    const QTemporaryDir dir;
    const QTemporaryDir serverDir;
    ServerProcess server(serverDir.path(), {QStringLiteral("--scenario"), crashFile(dir, "tokenise", "reply.body@100000")});
    QVERIFY2(server.start(), server.errorText());
    const auto port = QString::number(server.shopPort());
    Checkout checkout(dir, server);
    QTRY_VERIFY(checkout.isShown(names::kPay));
    checkout.click(names::kPay);
    QTRY_COMPARE_WITH_TIMEOUT(checkout.state(), QStringLiteral("Offline"), kPatience);
    QVERIFY(server.waitForEnd());
    const auto action = checkout.actionId();
    QVERIFY2(server.start({QStringLiteral("--port"), port}), server.errorText());
    QTRY_COMPARE_WITH_TIMEOUT(checkout.state(), QStringLiteral("Paid"), kPatience);
    QCOMPARE(checkout.actionId(), action);
    QCOMPARE(chargesIn(serverDir.path()), 1);
}

QTEST_MAIN(WindowProofTest)
#include "tst_proof_window.moc"
