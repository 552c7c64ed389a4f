#include "ui/checkout_screen.h"
#include "widgets/theme.h"

#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QApplication>
#include <QtWidgets/QScrollArea>
#include <QtWidgets/QScrollBar>

using namespace payonce;
using retry::Cause;
using retry::State;
using tests::CheckoutScreen;
using tests::placeIn;
namespace names = widgets::names;

class TestCheckoutWindow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        QApplication::setDoubleClickInterval(0); // tests press faster than people
    }

    void onePress_saysProcessingInTheSameEvent()
    {
        CheckoutScreen screen;
        auto& pay = screen.button(names::kPay);
        QVERIFY(pay.isEnabled());
        QCOMPARE(pay.text(), QStringLiteral("Pay 42.00 €"));

        QTest::mouseClick(&pay, Qt::LeftButton);

        QVERIFY(pay.isVisible());
        QVERIFY(!pay.isEnabled());
        QCOMPARE(pay.text(), QStringLiteral("Processing…"));
        QVERIFY(!screen.edit(names::kCardNumber).isVisible());
        QCOMPARE(screen.text(names::kState), QStringLiteral("Processing…"));
        QCOMPARE(screen.control.paid().size(), std::size_t(1));
    }

    void payAndItsFrame_stayWhereTheyAre()
    {
        CheckoutScreen screen;
        auto& pay = screen.button(names::kPay);
        const QRect before(placeIn(screen.window, pay), pay.size());
        QTest::mouseClick(&pay, Qt::LeftButton);
        QTRY_COMPARE(QRect(placeIn(screen.window, pay), pay.size()), before);
        screen.control.show(tests::sampleSnapshot(State::Paid));
        auto& next = screen.button(names::kNext);
        QTRY_COMPARE(QRect(placeIn(screen.window, next), next.size()), before);
    }

    void names_areThereOnceAndListed()
    {
        const CheckoutScreen screen;
        QStringList found;
        for (const auto* widget : screen.window.findChildren<QWidget*>())
            if (widget->objectName().contains(QLatin1Char('.')))
                found += widget->objectName();
        found += screen.window.objectName();
        QStringList listed;
        for (const auto name : names::kAll)
            listed += name;
        found.sort();
        listed.sort();
        QCOMPARE(found, listed);
    }

    void everythingToPressOrTypeIn_isNamedForBothReaders()
    {
        const CheckoutScreen screen;
        QList<QWidget*> inputs;
        for (auto* input : screen.window.findChildren<QLineEdit*>())
            inputs += input;
        for (auto* input : screen.window.findChildren<QPushButton*>())
            inputs += input;
        QCOMPARE(inputs.size(), 9);
        for (const auto* input : inputs) {
            QVERIFY2(input->objectName().startsWith(QStringLiteral("checkout.")), qPrintable(input->objectName()));
            if (input != &screen.button(names::kNext) && input != &screen.button(names::kCancel)) // no words in Editing
                QVERIFY2(!input->accessibleName().isEmpty(), qPrintable(input->objectName()));
        }
    }

    void labelsThatCarryState_haveNoNameThatHidesTheirText()
    {
        CheckoutScreen screen;
        screen.control.show(tests::sampleSnapshot(State::Confirming));
        for (const auto* label : screen.window.findChildren<QLabel*>()) {
            QVERIFY2(label->accessibleName().isEmpty(), qPrintable(label->objectName()));
            QCOMPARE(label->textFormat(), Qt::PlainText);
        }
        QCOMPARE(screen.text(names::kState), QStringLiteral("Confirming payment…"));
        QVERIFY(screen.text(names::kDetail).contains(QStringLiteral("0A2C-4D5E")));
        QCOMPARE(screen.text(names::kAssurance), QStringLiteral("You will not be charged twice."));
        QCOMPARE(screen.text(names::kReference), QStringLiteral("0A2C-4D5E"));
        QCOMPARE(screen.text(names::kAttempt), QStringLiteral("1 of 4"));
    }

    void everyState_showsAtMostOneButton_data()
    {
        QTest::addColumn<int>("state");
        QTest::addColumn<int>("cause");
        for (const auto& at : tests::everyStateAndCause())
            QTest::addRow("%s/%s", retry::nameOf(at.state), retry::nameOf(at.cause))
                << static_cast<int>(at.state) << static_cast<int>(at.cause);
    }
    void everyState_showsAtMostOneButton()
    {
        QFETCH(int, state);
        QFETCH(int, cause);
        CheckoutScreen screen;
        screen.window.resize(900, 640);
        screen.control.show(tests::sampleSnapshot(static_cast<State>(state), static_cast<Cause>(cause)));
        const bool next = screen.button(names::kNext).isVisible();
        QCOMPARE(next, !screen.viewModel.nextText().isEmpty());
        QVERIFY(!(next && screen.button(names::kPay).isVisible()));
        QCOMPARE(screen.button(names::kCancel).isVisible(), !screen.viewModel.cancelText().isEmpty());
        QCOMPARE(screen.find<QLabel>(names::kCountdown).isVisible(), !screen.viewModel.countdownText().isEmpty());
        // Nothing is cut off in the smallest window of two columns.
        const auto* scroll = screen.window.findChild<QScrollArea*>();
        QTRY_COMPARE(scroll->verticalScrollBar()->maximum(), 0);
        QTRY_COMPARE(scroll->horizontalScrollBar()->maximum(), 0);
    }

    void amounts_areExactOnTheScreen_data()
    {
        QTest::addColumn<qint64>("minorUnits");
        QTest::addColumn<QByteArray>("currency");
        QTest::addColumn<QString>("text");
        QTest::newRow("8.20") << qint64(820) << QByteArray("EUR") << QStringLiteral("8.20 €");
        QTest::newRow("19.99") << qint64(1999) << QByteArray("EUR") << QStringLiteral("19.99 €");
        QTest::newRow("582.42") << qint64(58242) << QByteArray("EUR") << QStringLiteral("582.42 €");
        QTest::newRow("80 yen") << qint64(80) << QByteArray("JPY") << QStringLiteral("80 JPY");
        QTest::newRow("dinars") << qint64(1500) << QByteArray("KWD") << QStringLiteral("1.500 KWD");
    }
    void amounts_areExactOnTheScreen()
    {
        QFETCH(qint64, minorUnits);
        QFETCH(QByteArray, currency);
        QFETCH(QString, text);
        CheckoutScreen screen;
        screen.viewModel.showCart(tests::cartOf(tests::money(minorUnits, currency.toStdString())));
        QCOMPARE(screen.text(names::kTotal), text);
        QCOMPARE(screen.button(names::kPay).text(), QStringLiteral("Pay ") + text);
        QTest::mouseClick(&screen.button(names::kPay), Qt::LeftButton);
        QCOMPARE(screen.text(names::kAmount), text);
        QVERIFY(screen.control.paid().front().first.amount == tests::money(minorUnits, currency.toStdString()));
    }

    void typing_isGroupedAndEnterPays()
    {
        CheckoutScreen screen{viewmodels::CardFields()};
        QVERIFY(QTest::qWaitForWindowActive(&screen.window));
        QTRY_VERIFY(screen.edit(names::kEmail).hasFocus());
        const auto type = [](const QString& text) { QTest::keyClicks(QApplication::focusWidget(), text); };
        const auto tab = [] { QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab); };

        type(QStringLiteral("you@example.com"));
        tab();
        type(QStringLiteral("4242x424242424242"));
        QCOMPARE(screen.edit(names::kCardNumber).text(), QStringLiteral("4242 4242 4242 4242"));
        tab();
        type(QStringLiteral("1231"));
        QCOMPARE(screen.edit(names::kCardExpiry).text(), QStringLiteral("12 / 31"));
        tab();
        type(QStringLiteral("123"));
        QVERIFY(screen.button(names::kPay).isEnabled());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);

        QCOMPARE(screen.control.paid().size(), std::size_t(1));
    }

    void keyboardAlone_reachesEveryStep()
    {
        CheckoutScreen screen;
        QVERIFY(QTest::qWaitForWindowActive(&screen.window));
        screen.edit(names::kCardCode).setFocus();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        QCOMPARE(QApplication::focusWidget(), &screen.button(names::kPay));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
        QCOMPARE(screen.control.paid().size(), std::size_t(1));
        QTRY_COMPARE(QApplication::focusWidget()->objectName(), QString(names::kStatus));

        screen.control.show(tests::sampleSnapshot(State::Declined));
        QTRY_COMPARE(QApplication::focusWidget(), &screen.button(names::kNext));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        QVERIFY(screen.control.pressed() == std::vector<std::string>{"startOver"});

        screen.control.show({});
        QTRY_COMPARE(QApplication::focusWidget(), &screen.edit(names::kCardNumber));
        QVERIFY(screen.edit(names::kCardNumber).text().isEmpty());
        QCOMPARE(screen.edit(names::kEmail).text(), QStringLiteral("you@example.com"));
    }

    void wrongNumber_isSaidAtTheField()
    {
        CheckoutScreen screen;
        auto& number = screen.edit(names::kCardNumber);
        QVERIFY(number.accessibleDescription().isEmpty());
        number.setFocus();
        QTest::keyClick(&number, Qt::Key_Backspace);
        QTest::keyClick(&number, Qt::Key_1);
        QCOMPARE(number.accessibleDescription(), QStringLiteral("Check the number"));
        QVERIFY(!screen.button(names::kPay).isEnabled());
    }

    void done_closesTheWindow()
    {
        CheckoutScreen screen;
        screen.control.show(tests::sampleSnapshot(State::Paid));
        QCOMPARE(screen.text(names::kOrderNumber), QStringLiteral("1001"));
        QTest::mouseClick(&screen.button(names::kNext), Qt::LeftButton);
        QVERIFY(!screen.window.isVisible());
    }

    void countdown_runsWhileThereIsOne()
    {
        CheckoutScreen screen;
        screen.control.show(tests::sampleSnapshot(State::RetryWait));
        QCOMPARE(screen.text(names::kCountdown), QStringLiteral("Next try in 2 s, same payment."));
        screen.control.advance(std::chrono::milliseconds(900));
        QTRY_COMPARE(screen.text(names::kCountdown), QStringLiteral("Next try in 1 s, same payment."));
    }

    void cartThatDoesNotCome_canBeTriedAgain()
    {
        CheckoutScreen screen;
        QSignalSpy wanted(&screen.viewModel, &viewmodels::CheckoutViewModel::cartWanted);
        QVERIFY(!screen.button(names::kReload).isVisible());
        screen.viewModel.showCartProblem(viewmodels::CartProblem::ShopUnreachable);
        QVERIFY(screen.button(names::kReload).isVisible());
        QVERIFY(screen.text(names::kCartState).startsWith(QStringLiteral("The shop cannot be reached")));
        QVERIFY(!screen.button(names::kPay).isEnabled());

        QTest::mouseClick(&screen.button(names::kReload), Qt::LeftButton);

        QCOMPARE(wanted.count(), 1);
        QVERIFY(!screen.button(names::kReload).isVisible());
        QCOMPARE(screen.text(names::kCartState), QStringLiteral("Loading your order…"));
    }

    void cartThatChanged_isShownAnew()
    {
        CheckoutScreen screen;
        screen.viewModel.showCart(tests::cartOf(tests::money(1999, "EUR")));
        int lines = 0;
        for (const auto* label : screen.window.findChildren<QLabel*>())
            lines += label->text() == QStringLiteral("Notebook") || label->text().startsWith(QStringLiteral("Field")) ? 1 : 0;
        QCOMPARE(lines, 1);
        QCOMPARE(screen.text(names::kTotal), QStringLiteral("19.99 €"));
    }

    void longNamesAndAmounts_widenNothing()
    {
        CheckoutScreen screen;
        auto cart = tests::cartOf(tests::money(99'999'999'999, "EUR"));
        cart.lines[0].name = QString(400, QLatin1Char('m'));
        screen.viewModel.showCart(cart);
        screen.window.resize(900, 640);
        const auto* scroll = screen.window.findChild<QScrollArea*>();
        QTRY_COMPARE(scroll->widget()->width(), scroll->viewport()->width());
    }

    void longestWords_widenAndCutNothing_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("two columns") << QSize(900, 640);
        QTest::newRow("one column") << QSize(420, 640);
    }
    void longestWords_widenAndCutNothing()
    {
        QFETCH(QSize, size);
        CheckoutScreen screen;
        screen.window.resize(size);
        auto snapshot = tests::sampleSnapshot(State::NotCharged, Cause::Refused);
        snapshot.answer.detail = std::string(5000, 'm');
        screen.control.show(snapshot);
        const auto* scroll = screen.window.findChild<QScrollArea*>();
        QTRY_COMPARE(scroll->widget()->width(), scroll->viewport()->width());
        auto& detail = screen.find<QLabel>(names::kDetail);
        QTRY_COMPARE(detail.height(), detail.heightForWidth(detail.width()));
        auto& next = screen.button(names::kNext);
        QTRY_COMPARE(next.height(), widgets::kButtonHeight);
    }

    void narrowWindow_putsTheColumnsOneAboveTheOther()
    {
        CheckoutScreen screen;
        auto& total = screen.find<QLabel>(names::kTotal);
        auto& pay = screen.button(names::kPay);
        screen.window.resize(1120, 680);
        QTRY_VERIFY(placeIn(screen.window, pay).x() > placeIn(screen.window, total).x());
        screen.window.resize(480, 900);
        QTRY_VERIFY(placeIn(screen.window, pay).x() < placeIn(screen.window, total).x());
        QVERIFY(placeIn(screen.window, pay).y() > placeIn(screen.window, total).y());
        const auto* scroll = screen.window.findChild<QScrollArea*>();
        QTRY_COMPARE(scroll->widget()->width(), scroll->viewport()->width());
    }

    void stateJson_isAPropertyOfTheWindow()
    {
        CheckoutScreen screen;
        QSignalSpy told(&screen.window, &widgets::CheckoutWindow::stateJsonChanged);
        screen.control.show(tests::sampleSnapshot(State::Sending));
        QCOMPARE(told.count(), 1);
        QCOMPARE(screen.window.property("stateJson").toString(), screen.viewModel.stateJson());
    }
};

QTEST_MAIN(TestCheckoutWindow)
#include "tst_checkout_window.moc"
