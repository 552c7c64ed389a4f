#include "ui/samples.h"
#include "viewmodels/card_form.h"

#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

using namespace payonce;
using viewmodels::CardForm;
using viewmodels::FieldState;

namespace {

// 2026-11-30T09:00:00Z
constexpr values::WallTime kToday(std::chrono::milliseconds(1'796'029'200'000));

} // namespace

class TestCardForm : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void goodFields_makeACard()
    {
        CardForm form([] { return kToday; });
        QVERIFY(!form.isValid());
        QVERIFY(!form.card());

        form.setFields(tests::goodFields());

        QVERIFY(form.isValid());
        const auto card = form.card();
        QVERIFY(card.has_value());
        QCOMPARE(card->number, std::string("4242424242424242"));
        QCOMPARE(card->expiryMonth, 12);
        QCOMPARE(card->expiryYear, 2031);
        QCOMPARE(card->securityCode, std::string("123"));
        QCOMPARE(form.number(), QStringLiteral("4242 4242 4242 4242"));
    }

    void oneFieldNotGood_makesNoCard_data()
    {
        QTest::addColumn<QString>("email");
        QTest::addColumn<QString>("number");
        QTest::addColumn<QString>("expiry");
        QTest::addColumn<QString>("code");
        const auto good = tests::goodFields();
        QTest::newRow("no e-mail") << QString() << good.number << good.expiry << good.securityCode;
        QTest::newRow("e-mail without a domain") << QStringLiteral("you@") << good.number << good.expiry << good.securityCode;
        QTest::newRow("e-mail with a space")
            << QStringLiteral("y u@example.com") << good.number << good.expiry << good.securityCode;
        QTest::newRow("wrong check digit") << good.email << QStringLiteral("4242424242424241") << good.expiry
                                           << good.securityCode;
        QTest::newRow("number too short") << good.email << QStringLiteral("42424242424") << good.expiry << good.securityCode;
        QTest::newRow("expired last month") << good.email << good.number << QStringLiteral("10 / 26") << good.securityCode;
        QTest::newRow("no such month") << good.email << good.number << QStringLiteral("13 / 31") << good.securityCode;
        QTest::newRow("far too late") << good.email << good.number << QStringLiteral("12 / 99") << good.securityCode;
        QTest::newRow("code too short") << good.email << good.number << good.expiry << QStringLiteral("12");
    }
    void oneFieldNotGood_makesNoCard()
    {
        QFETCH(QString, email);
        QFETCH(QString, number);
        QFETCH(QString, expiry);
        QFETCH(QString, code);
        CardForm form([] { return kToday; });

        form.setFields({email, number, expiry, code});

        QVERIFY(!form.isValid());
        QVERIFY(!form.card());
    }

    void cardOfThisMonth_isStillGood()
    {
        CardForm form([] { return kToday; });
        form.setExpiry(QStringLiteral("11/26"));
        QCOMPARE(form.expiryState(), FieldState::Good);
    }

    void unfinished_isNotYetWrong()
    {
        CardForm form([] { return kToday; });
        QCOMPARE(form.numberState(), FieldState::Empty);
        form.setNumber(QStringLiteral("4242"));
        QCOMPARE(form.numberState(), FieldState::Incomplete);
        form.setNumber(QStringLiteral("5555555555554445"));
        QCOMPARE(form.numberState(), FieldState::Wrong);
        form.setExpiry(QStringLiteral("12"));
        QCOMPARE(form.expiryState(), FieldState::Incomplete);
        form.setSecurityCode(QStringLiteral("12"));
        QCOMPARE(form.securityCodeState(), FieldState::Incomplete);
        form.setEmail(QStringLiteral("you@"));
        QCOMPARE(form.emailState(), FieldState::Incomplete);
    }

    void amexCode_hasFourDigits()
    {
        CardForm form([] { return kToday; });
        form.setNumber(QStringLiteral("378282246310005"));
        form.setSecurityCode(QStringLiteral("123"));
        QCOMPARE(form.securityCodeState(), FieldState::Incomplete);
        form.setSecurityCode(QStringLiteral("12345"));
        QCOMPARE(form.securityCode(), QStringLiteral("1234"));
        QCOMPARE(form.securityCodeState(), FieldState::Good);
        form.setNumber(QStringLiteral("4242424242424242"));
        QCOMPARE(form.securityCodeState(), FieldState::Wrong);
    }

    void forgetCard_keepsOnlyTheEmail()
    {
        CardForm form([] { return kToday; });
        form.setFields(tests::goodFields());
        QSignalSpy changed(&form, &CardForm::changed);

        form.forgetCard();

        QCOMPARE(form.email(), tests::goodFields().email);
        QVERIFY(form.number().isEmpty() && form.expiry().isEmpty() && form.securityCode().isEmpty());
        QCOMPARE(changed.count(), 1);
    }

    void sameText_isNoChange()
    {
        CardForm form([] { return kToday; });
        form.setFields(tests::goodFields());
        QSignalSpy changed(&form, &CardForm::changed);
        form.setFields(tests::goodFields());
        QCOMPARE(changed.count(), 0);
    }
};

QTEST_APPLESS_MAIN(TestCardForm)
#include "tst_card_form.moc"
