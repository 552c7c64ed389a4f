#include "ui/checkout_screen.h"
#include "ui/double_click.h"

#include <QtGui/QClipboard>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QApplication>

using namespace payonce;
using retry::Cause;
using retry::State;
using tests::CheckoutScreen;
using tests::placeIn;
namespace names = widgets::names;

class TestCheckoutButtons : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        QApplication::setDoubleClickInterval(0); // tests press faster than people
    }

    void doubleClick_isOneAction()
    {
        CheckoutScreen screen;
        tests::doubleClick(screen.button(names::kPay));
        QTest::mouseClick(&screen.button(names::kPay), Qt::LeftButton);
        QCOMPARE(screen.control.paid().size(), std::size_t(1));
    }

    void secondHalfOfADoubleClick_pressesNoNewButton()
    {
        CheckoutScreen screen;
        QSignalSpy done(&screen.viewModel, &viewmodels::CheckoutViewModel::done);
        screen.control.show(tests::sampleSnapshot(State::Paid));
        tests::secondHalfOfDoubleClick(screen.button(names::kNext));
        QCOMPARE(done.count(), 0);
        QVERIFY(screen.window.isVisible());
    }

    void keyThatIsHeldDown_pressesNoNewButton()
    {
        CheckoutScreen screen;
        screen.control.show(tests::sampleSnapshot(State::Unresolved, Cause::Late));
        QKeyEvent held(QEvent::KeyPress, Qt::Key_Return, Qt::NoModifier, QString(), true);
        QApplication::sendEvent(&screen.button(names::kNext), &held);
        QVERIFY(screen.control.pressed().empty());
        QTest::keyClick(&screen.button(names::kNext), Qt::Key_Return);
        QCOMPARE(screen.control.pressed().size(), std::size_t(1));
    }

    void keyPressedTwice_pressesNoNewButton_data()
    {
        QTest::addColumn<int>("key");
        QTest::newRow("return") << static_cast<int>(Qt::Key_Return);
        QTest::newRow("enter") << static_cast<int>(Qt::Key_Enter);
        QTest::newRow("space") << static_cast<int>(Qt::Key_Space);
    }
    void keyPressedTwice_pressesNoNewButton()
    {
        QFETCH(int, key);
        CheckoutScreen screen;
        QSignalSpy done(&screen.viewModel, &viewmodels::CheckoutViewModel::done);
        QTest::keyClick(&screen.button(names::kPay), static_cast<Qt::Key>(key));
        QCOMPARE(screen.control.paid().size(), std::size_t(1));
        constexpr int kOneMinute = 60'000;
        QApplication::setDoubleClickInterval(kOneMinute);
        screen.control.show(tests::sampleSnapshot(State::Paid));
        QTest::keyClick(&screen.button(names::kNext), static_cast<Qt::Key>(key));
        QCOMPARE(done.count(), 0);
        QApplication::setDoubleClickInterval(0);
        QTest::keyClick(&screen.button(names::kNext), static_cast<Qt::Key>(key));
        QCOMPARE(done.count(), 1);
    }

    void quietWayOut_isThereWhereItIsOffered()
    {
        CheckoutScreen screen;
        auto& cancel = screen.button(names::kCancel);
        QVERIFY(!cancel.isVisible());
        screen.control.show(tests::sampleSnapshot(State::Sending));
        QVERIFY(!cancel.isVisible());

        screen.control.show(tests::sampleSnapshot(State::Unresolved, Cause::Late));

        QVERIFY(cancel.isVisible());
        QCOMPARE(cancel.text(), QStringLiteral("&Cancel or use another card"));
        QCOMPARE(cancel.accessibleName(), QStringLiteral("Cancel or use another card"));
        QTRY_VERIFY(placeIn(screen.window, cancel).y() > placeIn(screen.window, screen.button(names::kNext)).y());
        QTest::mouseClick(&cancel, Qt::LeftButton);
        QVERIFY(screen.control.pressed() == std::vector<std::string>{"cancel"});
    }

    void quietWayOut_isReachedByKeys()
    {
        CheckoutScreen screen;
        QVERIFY(QTest::qWaitForWindowActive(&screen.window));
        screen.control.show(tests::sampleSnapshot(State::Unresolved, Cause::Late));
        QTRY_COMPARE(QApplication::focusWidget(), &screen.button(names::kNext));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        QCOMPARE(QApplication::focusWidget(), &screen.button(names::kCancel));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        QTest::keyClick(&screen.window, Qt::Key_C, Qt::AltModifier);
        QTRY_VERIFY((screen.control.pressed() == std::vector<std::string>{"cancel", "cancel"}));

        // Where it goes, the focus goes to what is there to do or read.
        screen.control.show(tests::sampleSnapshot(State::Fencing, Cause::ByPerson));
        QTRY_COMPARE(QApplication::focusWidget()->objectName(), QString(names::kStatus));
    }

    void copy_putsTheReferenceOnTheClipboard()
    {
        CheckoutScreen screen;
        screen.control.show(tests::sampleSnapshot(State::Unresolved, Cause::Late));
        auto& copy = screen.button(names::kCopy);
        QTest::mouseClick(&copy, Qt::LeftButton);
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("0A2C-4D5E"));
        QCOMPARE(copy.text(), QStringLiteral("Copied"));
        QTRY_COMPARE(copy.text(), QStringLiteral("Copy"));
    }

    void copyForSupport_saysCopied()
    {
        CheckoutScreen screen;
        screen.control.show(tests::sampleSnapshot(State::Conflict, Cause::KeyReused));
        auto& next = screen.button(names::kNext);
        QCOMPARE(next.text(), QStringLiteral("Copy for support"));

        QTest::mouseClick(&next, Qt::LeftButton);

        QCOMPARE(QApplication::clipboard()->text(), screen.viewModel.supportText());
        QCOMPARE(next.text(), QStringLiteral("Copied"));
        QCOMPARE(next.accessibleName(), QStringLiteral("Copied"));
        QTRY_COMPARE(next.text(), QStringLiteral("Copy for support"));
        QCOMPARE(next.accessibleName(), QStringLiteral("Copy for support"));
    }
};

QTEST_MAIN(TestCheckoutButtons)
#include "tst_checkout_buttons.moc"
