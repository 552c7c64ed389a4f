// The line above the checkout: the brand, and the note that gives way in a narrow window.
#include "ui/fake_payment_control.h"
#include "ui/samples.h"
#include "widgets/checkout_window.h"
#include "widgets/object_names.h"

#include <QtCore/QRegularExpression>
#include <QtTest/QTest>
#include <QtWidgets/QLabel>

using namespace payonce;

class TestCheckoutHeader : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void noteThatIsTooLong_endsInDots_andComesBackWithTheRoom()
    {
        const auto note =
            QStringLiteral("The reply is lost, and the shop takes three seconds to say what became of the payment.");
        tests::FakePaymentControl control;
        viewmodels::CheckoutViewModel viewModel(control);
        widgets::CheckoutWindow window(viewModel, {tests::goodFields(), note, widgets::Animations::Off});
        window.show();
        const auto* label = window.findChild<QLabel*>(widgets::names::kNote);
        QVERIFY(label);
        QCOMPARE(label->text(), note);

        window.resize(window.minimumSize());
        QTRY_VERIFY(label->text().endsWith(QChar(0x2026)));
        QTRY_VERIFY(label->geometry().right() < window.width());
        QVERIFY(label->fontMetrics().horizontalAdvance(label->text()) <= label->width());
        QCOMPARE(label->toolTip(), note);

        window.resize(1120, 680);
        QTRY_COMPARE(label->text(), note);
    }
};

QTEST_MAIN(TestCheckoutHeader)
#include "tst_checkout_header.moc"
