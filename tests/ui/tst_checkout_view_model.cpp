#include "ui/model_screen.h"

#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

using namespace payonce;
using retry::Cause;
using retry::State;
using tests::json;
using tests::ModelScreen;
using viewmodels::CheckoutViewModel;

namespace {

void addSamples()
{
    QTest::addColumn<int>("state");
    QTest::addColumn<int>("cause");
    for (const auto& at : tests::everyStateAndCause())
        QTest::addRow("%s/%s", retry::nameOf(at.state), retry::nameOf(at.cause))
            << static_cast<int>(at.state) << static_cast<int>(at.cause);
}

} // namespace

class TestCheckoutViewModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void pay_isOfferedOnlyWithJournalCartAndCard()
    {
        ModelScreen screen;
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
        ModelScreen screen;
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
        ModelScreen screen;
        screen.becomePayable();
        screen.viewModel.form().setNumber(QStringLiteral("4242"));
        screen.viewModel.pay();
        QVERIFY(screen.control.paid().empty());
    }

    void card_isForgottenOncePaymentBegan()
    {
        ModelScreen screen;
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
        row("left unsent", State::NotStarted, Cause::LeftUnsent, "tryAgain");
        row("offline after sending", State::OfflineUnknown, Cause::None, "checkAgain");
        row("not charged", State::NotCharged, Cause::Refused, "startOver");
        row("fencing", State::Fencing, Cause::ByPerson, "");
        row("conflict", State::Conflict, Cause::KeyReused, "acknowledge");
    }
    void next_doesWhatItSays()
    {
        QFETCH(int, state);
        QFETCH(int, cause);
        QFETCH(QByteArray, pressed);
        ModelScreen screen;
        QSignalSpy done(&screen.viewModel, &CheckoutViewModel::done);
        screen.control.show(tests::sampleSnapshot(static_cast<State>(state), static_cast<Cause>(cause)));

        screen.viewModel.next();

        const std::vector<std::string> expected =
            pressed.isEmpty() ? std::vector<std::string>() : std::vector<std::string>{pressed.toStdString()};
        QVERIFY(screen.control.pressed() == expected);
        QCOMPARE(done.count(), static_cast<State>(state) == State::Paid ? 1 : 0);
    }

    void cancel_isOfferedWhereItWouldBeActedOn_data() { addSamples(); }
    void cancel_isOfferedWhereItWouldBeActedOn()
    {
        QFETCH(int, state);
        QFETCH(int, cause);
        for (const bool isLong : {false, true}) {
            ModelScreen screen;
            auto snapshot = tests::sampleSnapshot(static_cast<State>(state), static_cast<Cause>(cause));
            snapshot.isLong = isLong;
            screen.control.show(snapshot);
            const bool offered = retry::mayCancel(snapshot);
            QCOMPARE(!screen.viewModel.cancelText().isEmpty(), offered);
            QCOMPARE(json(screen.viewModel)[QStringLiteral("cancel")].isNull(), !offered);

            screen.viewModel.cancel();

            QVERIFY(screen.control.pressed() == (offered ? std::vector<std::string>{"cancel"} : std::vector<std::string>()));
        }
    }

    void cancel_saysWhatItDoes()
    {
        ModelScreen screen;
        screen.control.show(tests::sampleSnapshot(State::Unresolved, Cause::Late));
        QCOMPARE(screen.viewModel.cancelText(), QStringLiteral("Cancel or use another card"));
        screen.control.show(tests::sampleSnapshot(State::NotStarted, Cause::LeftUnsent));
        QCOMPARE(screen.viewModel.cancelText(), QStringLiteral("Discard this payment"));
        const auto button = json(screen.viewModel)[QStringLiteral("cancel")].toObject();
        QCOMPARE(button[QStringLiteral("name")].toString(), QStringLiteral("checkout.cancel"));
        QCOMPARE(button[QStringLiteral("text")].toString(), QStringLiteral("Discard this payment"));
        QVERIFY(button[QStringLiteral("enabled")].toBool());
    }

    void copyForSupport_saysWhatSupportNeeds()
    {
        ModelScreen screen;
        QSignalSpy wanted(&screen.viewModel, &CheckoutViewModel::copyWanted);
        screen.control.show(tests::sampleSnapshot(State::Conflict, Cause::WrongAmount));

        screen.viewModel.next();

        QCOMPARE(wanted.count(), 1);
        const QString text = wanted.front().front().toString();
        QCOMPARE(text, screen.viewModel.supportText());
        QVERIFY(text.contains(QStringLiteral("0A2C-4D5E")));
        QVERIFY(text.contains(QStringLiteral("0198c0de-7a11-7c3e-9f00-6b1f0a2c4d5e")));
        QVERIFY(text.contains(QStringLiteral("conflict.wrong_amount")));
    }

    void next_inEditing_doesNothing()
    {
        ModelScreen screen;
        screen.becomePayable();
        screen.viewModel.next();
        QVERIFY(screen.control.pressed().empty());
        QVERIFY(screen.viewModel.nextText().isEmpty());
    }

    void cartProblem_canBeTriedAgain()
    {
        ModelScreen screen;
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
        ModelScreen screen;
        screen.becomePayable();
        auto cart = tests::sampleCart();
        cart.total.minorUnits = 1;
        screen.viewModel.showCart(cart);
        QCOMPARE(screen.viewModel.cartStatus(), viewmodels::CartStatus::Failed);
        QVERIFY(!screen.viewModel.isPayEnabled());
    }

    void journalFailure_switchesPayingOff()
    {
        ModelScreen screen;
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
        ModelScreen screen;
        screen.control.show(tests::sampleSnapshot(State::Confirming));
        Q_EMIT screen.control.journalFailed(retry::JournalError::Failed);
        QCOMPARE(screen.viewModel.sentenceKey(), QStringLiteral("confirming"));
    }

    void resumedPayment_isShownWithoutACart()
    {
        ModelScreen screen;
        screen.control.show(tests::sampleSnapshot(State::Confirming));
        QCOMPARE(screen.viewModel.amountText(), QStringLiteral("42.00 €"));
        QCOMPARE(screen.viewModel.reference(), QStringLiteral("0A2C-4D5E"));
        QVERIFY(!screen.viewModel.isEditing());
    }

    void attempts_areCountedAgainstTheirMost()
    {
        ModelScreen screen;
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
        ModelScreen screen;
        screen.control.show(tests::sampleSnapshot(State::Confirming));
        QVERIFY(screen.viewModel.orderNumber().isEmpty());
        screen.control.show(tests::sampleSnapshot(State::Paid));
        QCOMPARE(screen.viewModel.orderNumber(), QStringLiteral("1001"));
    }

    void countdown_isToldWhenItReadsDifferently()
    {
        ModelScreen screen;
        screen.control.show(tests::sampleSnapshot(State::RetryWait));
        QSignalSpy told(&screen.viewModel, &CheckoutViewModel::countdownChanged);
        screen.viewModel.refreshCountdown();
        QCOMPARE(told.count(), 0);
        screen.control.advance(std::chrono::milliseconds(900));
        screen.viewModel.refreshCountdown();
        QCOMPARE(told.count(), 1);
        QCOMPARE(screen.viewModel.countdownText(), QStringLiteral("Next try in 1 s, same payment."));
    }
};

QTEST_APPLESS_MAIN(TestCheckoutViewModel)
#include "tst_checkout_view_model.moc"
