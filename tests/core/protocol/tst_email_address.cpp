#include "protocol/email_address.h"

#include <QtTest/QTest>

using namespace payonce::protocol;

class EmailAddressTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void address_isTakenOrNot_data();
    void address_isTakenOrNot();
    void key_isTheSameForEverySpelling_data();
    void key_isTheSameForEverySpelling();
};

void EmailAddressTest::address_isTakenOrNot_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("isAddress");
    const QByteArray label(63, 'd');
    QTest::newRow("plain") << QByteArray("a@example.com") << true;
    QTest::newRow("tag and dots") << QByteArray("first.last+shop@mail.example.co.uk") << true;
    QTest::newRow("no dot in the domain") << QByteArray("a@localhost") << true;
    QTest::newRow("another script's domain in ASCII") << QByteArray("a@xn--bcher-kva.example") << true;
    QTest::newRow("longest local part") << QByteArray(64, 'l') + "@example.com" << true;
    QTest::newRow("longest label") << "a@" + label + ".com" << true;
    QTest::newRow("254 bytes") << "a@" + label + '.' + label + '.' + label + '.' + QByteArray(60, 'd') << true;
    QTest::newRow("255 bytes") << "a@" + label + '.' + label + '.' + label + '.' + QByteArray(61, 'd') << false;
    QTest::newRow("local part too long") << QByteArray(65, 'l') + "@example.com" << false;
    QTest::newRow("label too long") << "a@d" + label + ".com" << false;
    QTest::newRow("empty") << QByteArray() << false;
    QTest::newRow("no at") << QByteArray("example.com") << false;
    QTest::newRow("two ats") << QByteArray("a@b@example.com") << false;
    QTest::newRow("nobody") << QByteArray("@example.com") << false;
    QTest::newRow("nowhere") << QByteArray("a@") << false;
    QTest::newRow("space") << QByteArray("a b@example.com") << false;
    QTest::newRow("space behind") << QByteArray("a@example.com ") << false;
    QTest::newRow("two addresses") << QByteArray("a@example.com,b@example.com") << false;
    QTest::newRow("with a name") << QByteArray("A <a@example.com>") << false;
    QTest::newRow("header in it") << QByteArray("a@example.com\r\nBcc: b@example.com") << false;
    QTest::newRow("dot at the end") << QByteArray("a@example.com.") << false;
    QTest::newRow("empty label") << QByteArray("a@example..com") << false;
    QTest::newRow("label begins with a hyphen") << QByteArray("a@-example.com") << false;
    QTest::newRow("label ends with a hyphen") << QByteArray("a@example-.com") << false;
    QTest::newRow("underscore in the domain") << QByteArray("a@exa_mple.com") << false;
    QTest::newRow("letters of another script") << QByteArray("a@b\xC3\xBC"
                                                             "cher.example")
                                               << false;
    QTest::newRow("a look-alike") << QByteArray("\xD0\xB0@example.com") << false; // Cyrillic
}

void EmailAddressTest::address_isTakenOrNot()
{
    QFETCH(const QByteArray, text);
    QFETCH(const bool, isAddress);
    QCOMPARE(isEmailAddress(text.toStdString()), isAddress);
}

void EmailAddressTest::key_isTheSameForEverySpelling_data()
{
    QTest::addColumn<QByteArray>("address");
    QTest::addColumn<QByteArray>("key");
    QTest::newRow("as it is") << QByteArray("a.b+c@example.com") << QByteArray("a.b+c@example.com");
    QTest::newRow("capitals") << QByteArray("A.Zoe@EXAMPLE.Com") << QByteArray("a.zoe@example.com");
    QTest::newRow("no letters") << QByteArray("@[`{0_") << QByteArray("@[`{0_"); // the neighbours of A to Z
}

void EmailAddressTest::key_isTheSameForEverySpelling()
{
    QFETCH(const QByteArray, address);
    QFETCH(const QByteArray, key);
    QCOMPARE(QByteArray::fromStdString(emailKeyOf(address.toStdString())), key);
}

QTEST_APPLESS_MAIN(EmailAddressTest)
#include "tst_email_address.moc"
