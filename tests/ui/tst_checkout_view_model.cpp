#include "ui/fake_payment_control.h"
#include "ui/samples.h"
#include "viewmodels/checkout_view_model.h"

#include <QtCore/QJsonDocument>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

using namespace payonce;
using retry::Cause;
using retry::State;
using viewmodels::CheckoutViewModel;

namespace {

QJsonObject json(const CheckoutViewModel& viewModel)
{
    return QJsonDocument::fromJson(viewModel.stateJson().toUtf8()).object();
}

struct Screen
{
    tests::FakePaymentControl control;
    CheckoutViewModel viewModel{control};

    void becomePayable()
    {
        Q_EMIT control.ready();
        viewModel.showCart(tests::sampleCart());
        viewModel.form().setFields(tests::goodFields());
    }
};

} // namespace

class TestCheckoutViewModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void pay_isOfferedOnlyWithJournalCartAndCard()
    {
        Screen screen;
        QVERIFY(!screen.viewModel.isPayEnabled());
        QCOMPARE(screen.viewModel.payText(), QStringLiteral("Pay"));
        screen.viewModel.form().setFields(tests::goodFields());
        screen.viewModel.showCart(tests::sampleCart());
        QVERIFY(!screen.viewModel.isPayEnabled());
        Q_EMIT screen.control.ready();
        QVERIFY(screen.viewModel.isPayEnabled());
        QCOMPARE(screen.viewModel.payText(), QStringLiteral("Pay 42.00 €"));
        screen.viewModel.form().setSecurityCode(QStringLiteral("1"));
        QVERIFY(!screen.viewModel.isPayEnabled());
        screen.viewModel.form().setSecurityCode(QStringLiteral("123"));
        screen.viewModel.showCartLoading();
        QVERIFY(!screen.viewModel.isPayEnabled());
    }

    void pay_isOneActionHoweverOftenItIsPressed()
    {
        Screen screen;
        screen.becomePayable();

        screen.viewModel.pay();
        screen.viewModel.pay();
        screen.viewModel.form().setFields(tests::goodFields());
        screen.viewModel.pay();

        QCOMPARE(screen.control.paid().size(), std::size_t(1));
        const auto& [purchase, card] = screen.control.paid().front();
        QCOMPARE(purchase.cartId, std::string("cart_1"));
        QVERIFY(purchase.amount == tests::money(4200, "EUR"));
        QCOMPARE(purchase.email, std::string("you@example.com"));
        QCOMPARE(card.number, std::string("4242424242424242"));
        QCOMPARE(screen.viewModel.payText(), QStringLiteral("Processing…"));
        QVERIFY(!screen.viewModel.isPayEnabled());
    }

    void pay_withoutAValidForm_doesNothing()
    {
        Screen screen;
        screen.becomePayable();
        screen.viewModel.form().setNumber(QStringLiteral("4242"));
        screen.viewModel.pay();
        QVERIFY(screen.control.paid().empty());
    }

    void card_isForgottenOncePaymentBegan()
    {
        Screen screen;
        screen.becomePayable();
        screen.viewModel.pay();
        QVERIFY(screen.viewModel.form().number().isEmpty());
        QVERIFY(screen.viewModel.form().securityCode().isEmpty());
        QVERIFY(!screen.viewModel.stateJson().contains(QStringLiteral("4242424242424242")));
    }

    void next_doesWhatItSays_data()
    {
        QTest::addColumn<int>("state");
        QTest::addColumn<int>("cause");
        QTest::addColumn<QByteArray>("pressed");
        const auto row = [](const char* name, State state, Cause cause, const char* pressed) {
            QTest::newRow(name) << static_cast<int>(state) << static_cast<int>(cause) << QByteArray(pressed);
        };
        row("not started", State::NotStarted, Cause::ShopUnreachable, "tryAgain");
        row("card refused", State::NotStarted, Cause::CardRefused, "tryAgain");
        row("declined", State::Declined, Cause::None, "startOver");
        row("cancelled", State::Cancelled, Cause::Expired, "startOver");
        row("unresolved", State::Unresolved, Cause::Late, "checkAgain");
        row("confirming", State::Confirming, Cause::None, "");
        row("paid", State::Paid, Cause::None, "");
    }
    void next_doesWhatItSays()
    {
        QFETCH(int, state);
        QFETCH(int, cause);
        QFETCH(QByteArray, pressed);
        Screen screen;
        QSignalSpy done(&screen.viewModel, &CheckoutViewModel::done);
        screen.control.show(tests::sampleSnapshot(static_cast<State>(state), static_cast<Cause>(cause)));

        screen.viewModel.next();

        const std::vector<std::string> expected =
            pressed.isEmpty() ? std::vector<std::string>() : std::vector<std::string>{pressed.toStdString()};
        QVERIFY(screen.control.pressed() == expected);
        QCOMPARE(done.count(), static_cast<State>(state) == State::Paid ? 1 : 0);
    }

    void next_inEditing_doesNothing()
    {
        Screen screen;
        screen.becomePayable();
        screen.viewModel.next();
        QVERIFY(screen.control.pressed().empty());
        QVERIFY(screen.viewModel.nextText().isEmpty());
    }

    void cartProblem_canBeTriedAgain()
    {
        Screen screen;
        QSignalSpy wanted(&screen.viewModel, &CheckoutViewModel::cartWanted);
        QVERIFY(!screen.viewModel.cartMessage().isEmpty());
        QStringList messages;
        for (const auto problem : {viewmodels::CartProblem::ShopUnreachable, viewmodels::CartProblem::ShopNotTrusted,
                                   viewmodels::CartProblem::SignInRefused, viewmodels::CartProblem::BadAnswer}) {
            screen.viewModel.showCartProblem(problem);
            QVERIFY(!messages.contains(screen.viewModel.cartMessage()));
            messages.append(screen.viewModel.cartMessage());
        }

        screen.viewModel.reloadCart();

        QCOMPARE(wanted.count(), 1);
        QCOMPARE(screen.viewModel.cartStatus(), viewmodels::CartStatus::Loading);
        screen.viewModel.showCart(tests::sampleCart());
        QVERIFY(screen.viewModel.cartMessage().isEmpty());
    }

    void cartThatDoesNotAddUp_isNotOffered()
    {
        Screen screen;
        screen.becomePayable();
        auto cart = tests::sampleCart();
        cart.total.minorUnits = 1;
        screen.viewModel.showCart(cart);
        QCOMPARE(screen.viewModel.cartStatus(), viewmodels::CartStatus::Failed);
        QVERIFY(!screen.viewModel.isPayEnabled());
    }

    void journalFailure_switchesPayingOff()
    {
        Screen screen;
        screen.becomePayable();
        Q_EMIT screen.control.journalFailed(retry::JournalError::DiskFull);
        QVERIFY(!screen.viewModel.isEditing());
        QVERIFY(!screen.viewModel.isPayEnabled());
        QVERIFY(!screen.viewModel.isPayVisible());
        QVERIFY(screen.viewModel.sentence().contains(QStringLiteral("disk is full")));
        QCOMPARE(json(screen.viewModel)[QStringLiteral("sentence")].toString(), QStringLiteral("journal_failed"));
        QVERIFY(json(screen.viewModel)[QStringLiteral("primary")].isNull());
    }

    void journalFailure_hidesNoPayment()
    {
        Screen screen;
        screen.control.show(tests::sampleSnapshot(State::Confirming));
        Q_EMIT screen.control.journalFailed(retry::JournalError::Failed);
        QCOMPARE(screen.viewModel.sentenceKey(), QStringLiteral("confirming"));
    }

    void resumedPayment_isShownWithoutACart()
    {
        Screen screen;
        screen.control.show(tests::sampleSnapshot(State::Confirming));
        QCOMPARE(screen.viewModel.amountText(), QStringLiteral("42.00 €"));
        QCOMPARE(screen.viewModel.reference(), QStringLiteral("0A2C-4D5E"));
        QVERIFY(!screen.viewModel.isEditing());
    }

    void attempts_areCountedAgainstTheirMost()
    {
        Screen screen;
        auto snapshot = tests::sampleSnapshot(State::RetryWait);
        snapshot.attempt = 2;
        screen.control.show(snapshot);
        QCOMPARE(screen.viewModel.attemptText(), QStringLiteral("2 of 4"));
        snapshot.attempt = 5;
        screen.control.show(snapshot);
        QCOMPARE(screen.viewModel.attemptText(), QStringLiteral("5"));
        screen.control.show(tests::sampleSnapshot(State::Saving));
        QVERIFY(screen.viewModel.attemptText().isEmpty());
    }

    void orderNumber_isThereOncePaid()
    {
        Screen screen;
        screen.control.show(tests::sampleSnapshot(State::Confirming));
        QVERIFY(screen.viewModel.orderNumber().isEmpty());
        screen.control.show(tests::sampleSnapshot(State::Paid));
        QCOMPARE(screen.viewModel.orderNumber(), QStringLiteral("1001"));
    }

    void countdown_isToldWhenItReadsDifferently()
    {
        Screen screen;
        screen.control.show(tests::sampleSnapshot(State::RetryWait));
        QSignalSpy told(&screen.viewModel, &CheckoutViewModel::countdownChanged);
        screen.viewModel.refreshCountdown();
        QCOMPARE(told.count(), 0);
        screen.control.advance(std::chrono::milliseconds(900));
        screen.viewModel.refreshCountdown();
        QCOMPARE(told.count(), 1);
        QCOMPARE(screen.viewModel.countdownText(), QStringLiteral("Next try in 1 s, same payment."));
    }

    void stateJson_hasEveryMember()
    {
        Screen screen;
        auto snapshot = tests::sampleSnapshot(State::RetryWait);
        snapshot.attempt = 2;
        snapshot.probes = 3;
        snapshot.networkPending = 1;
        snapshot.savesPending = 2;
        screen.control.show(snapshot);
        QJsonObject state = json(screen.viewModel);

        QVERIFY(state.take(QStringLiteral("revision")).toInt() > 0);
        const QByteArray expected = R"({"schema":1,"window":"checkout","state":"RetryWait","outcome":"unknown",
            "action_id":"0198c0de-7a11-7c3e-9f00-6b1f0a2c4d5e","reference":"0A2C-4D5E","kind":"payment",
            "amount":{"value":4200,"currency":"EUR"},"attempt":2,"attempts_max":4,"next_try_ms":1800,"posts":1,"probes":3,
            "primary":null,"cancel":false,"sentence":"retry_wait","owner":true,"dialog":null,
            "pending":{"network":1,"timers":1,"saves":2}})";
        QCOMPARE(state, QJsonDocument::fromJson(expected).object());
    }

    void stateJson_outcomeFollowsTheState_data()
    {
        QTest::addColumn<int>("state");
        QTest::addColumn<QString>("outcome");
        const auto row = [](State state, const char* outcome) {
            QTest::newRow(retry::nameOf(state)) << static_cast<int>(state) << QString::fromLatin1(outcome);
        };
        row(State::Editing, "none");
        row(State::Saving, "not_sent");
        row(State::NotStarted, "not_sent");
        row(State::Sending, "unknown");
        row(State::Confirming, "unknown");
        row(State::ServerWorking, "unknown");
        row(State::RetryWait, "unknown");
        row(State::Offline, "not_sent");
        row(State::Paid, "paid");
        row(State::Declined, "declined");
        row(State::Cancelled, "cancelled");
        row(State::Unresolved, "unknown");
    }
    void stateJson_outcomeFollowsTheState()
    {
        QFETCH(int, state);
        Screen screen;
        screen.control.show(tests::sampleSnapshot(static_cast<State>(state)));
        QTEST(json(screen.viewModel)[QStringLiteral("outcome")].toString(), "outcome");
    }

    void stateJson_primaryIsTheButtonOfTheScreen()
    {
        Screen screen;
        screen.becomePayable();
        const auto primary = [&screen] { return json(screen.viewModel)[QStringLiteral("primary")].toObject(); };
        QCOMPARE(primary()[QStringLiteral("name")].toString(), QStringLiteral("checkout.pay"));
        QCOMPARE(primary()[QStringLiteral("enabled")].toBool(), true);
        screen.viewModel.pay();
        QVERIFY(json(screen.viewModel)[QStringLiteral("primary")].isNull());
        screen.control.show(tests::sampleSnapshot(State::Unresolved, Cause::Late));
        QCOMPARE(primary()[QStringLiteral("name")].toString(), QStringLiteral("checkout.next"));
        QCOMPARE(primary()[QStringLiteral("text")].toString(), QStringLiteral("Check again"));
    }

    void revision_growsWithEveryChangeAndOnlyThen()
    {
        Screen screen;
        screen.becomePayable();
        const auto revision = [&screen] { return json(screen.viewModel)[QStringLiteral("revision")].toInt(); };
        QSignalSpy told(&screen.viewModel, &CheckoutViewModel::stateJsonChanged);
        int last = revision();
        for (const auto& [state, cause] : tests::everyStateAndCause()) {
            screen.control.show(tests::sampleSnapshot(state, cause));
            QVERIFY(revision() > last);
            last = revision();
        }
        const auto tellings = told.count();
        screen.control.show(
            tests::sampleSnapshot(tests::everyStateAndCause().back().state, tests::everyStateAndCause().back().cause));
        QCOMPARE(revision(), last);
        QCOMPARE(told.count(), tellings);
    }

    void revision_isNewBeforeTheScreenIsTold()
    {
        Screen screen;
        screen.becomePayable();
        QString seen;
        connect(&screen.viewModel, &CheckoutViewModel::changed, this, [&screen, &seen] {
            seen = json(screen.viewModel)[QStringLiteral("state")].toString() + screen.viewModel.stateJson();
        });
        screen.control.show(tests::sampleSnapshot(State::Sending));
        QCOMPARE(seen, QStringLiteral("Sending") + screen.viewModel.stateJson());
    }
};

QTEST_APPLESS_MAIN(TestCheckoutViewModel)
#include "tst_checkout_view_model.moc"
