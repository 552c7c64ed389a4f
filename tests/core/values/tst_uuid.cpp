#include "values/uuid.h"

#include <QtTest/QTest>

using namespace payonce::values;

namespace {

// RFC 9562, appendix A.6: made on Tuesday, 22 February 2022, 14:22:22 GMT-05:00.
constexpr auto kRfcText = "017f22e2-79b0-7cc3-98c4-dc0c0c07398f";
constexpr qint64 kRfcMillis = 0x017F22E279B0;
constexpr UuidRandom kRfcRandom = {0x0C, 0xC3, 0x18, 0xC4, 0xDC, 0x0C, 0x0C, 0x07, 0x39, 0x8F};

QByteArray bytes(const std::string& text)
{
    return QByteArray::fromStdString(text);
}

WallTime at(qint64 millis)
{
    return WallTime{std::chrono::milliseconds(millis)};
}

} // namespace

class UuidTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rfcVector_isMinted();
    void rfcVector_isParsed();
    void randomBits_neverTouchVersionOrVariant();
    void laterId_sortsAfterEarlierId();
    void upperCase_isTheSameId();
    void textThatIsNoUuidV7_isRefused_data();
    void textThatIsNoUuidV7_isRefused();
    void otherForm_isItsTextAndTellsNoTime_data();
    void otherForm_isItsTextAndTellsNoTime();
    void uuidV7InAnyForm_isTheSameId();
    void textThatNoStringHolds_isRefusedInAnyForm_data();
    void textThatNoStringHolds_isRefusedInAnyForm();
    void reference_isTheLastEightDigits_data();
    void reference_isTheLastEightDigits();
};

void UuidTest::rfcVector_isMinted()
{
    QCOMPARE(bytes(ActionId::mint(at(kRfcMillis), kRfcRandom).toString()), QByteArray(kRfcText));
}

void UuidTest::rfcVector_isParsed()
{
    const auto id = ActionId::parse(kRfcText);
    QVERIFY(id.has_value());
    QCOMPARE(qint64(id->madeAt()->time_since_epoch().count()), kRfcMillis);
    QCOMPARE(bytes(toRfc3339(id->madeAt().value())), QByteArray("2022-02-22T19:22:22.000Z"));
    QCOMPARE(bytes(id->toString()), QByteArray(kRfcText));
    QVERIFY(*id == ActionId::mint(at(kRfcMillis), kRfcRandom));
}

void UuidTest::randomBits_neverTouchVersionOrVariant()
{
    UuidRandom ones{};
    ones.fill(0xFF);
    QCOMPARE(bytes(ActionId::mint(at(0), ones).toString()), QByteArray("00000000-0000-7fff-bfff-ffffffffffff"));
    QCOMPARE(bytes(ActionId::mint(at(0), UuidRandom{}).toString()), QByteArray("00000000-0000-7000-8000-000000000000"));
    constexpr qint64 kLargestTime = 0xFFFF'FFFF'FFFF;
    QCOMPARE(bytes(BankKey::mint(at(kLargestTime), UuidRandom{}).toString()),
             QByteArray("ffffffff-ffff-7000-8000-000000000000"));
}

void UuidTest::laterId_sortsAfterEarlierId()
{
    UuidRandom ones{};
    ones.fill(0xFF);
    QVERIFY(ActionId::mint(at(1), ones) < ActionId::mint(at(2), UuidRandom{}));
    QVERIFY(ActionId::mint(at(255), ones) < ActionId::mint(at(256), UuidRandom{}));
}

void UuidTest::upperCase_isTheSameId()
{
    QVERIFY(ActionId::parse("017F22E2-79B0-7CC3-98C4-DC0C0C07398F") == ActionId::parse(kRfcText));
}

void UuidTest::textThatIsNoUuidV7_isRefused_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("empty") << QByteArray("");
    QTest::newRow("version 4") << QByteArray("919108f7-52d1-4320-9bac-f847db4148a8");
    QTest::newRow("version 1") << QByteArray("c232ab00-9414-11ec-b3c8-9f6bdeced846");
    QTest::newRow("nil") << QByteArray("00000000-0000-0000-0000-000000000000");
    QTest::newRow("max") << QByteArray("ffffffff-ffff-ffff-ffff-ffffffffffff");
    QTest::newRow("other variant") << QByteArray("017f22e2-79b0-7cc3-d8c4-dc0c0c07398f");
    QTest::newRow("no dashes") << QByteArray("017f22e279b07cc398c4dc0c0c07398f");
    QTest::newRow("dash moved") << QByteArray("017f22e27-9b0-7cc3-98c4-dc0c0c07398f");
    QTest::newRow("braces") << QByteArray("{017f22e2-79b0-7cc3-98c4-dc0c0c07398f}");
    QTest::newRow("not hex") << QByteArray("017f22e2-79b0-7cc3-98c4-dc0c0c07398g");
    QTest::newRow("cut off") << QByteArray("017f22e2-79b0-7cc3-98c4-dc0c0c07398");
    QTest::newRow("too long") << QByteArray("017f22e2-79b0-7cc3-98c4-dc0c0c07398f0");
}

void UuidTest::textThatIsNoUuidV7_isRefused()
{
    QFETCH(QByteArray, text);
    QVERIFY(!ActionId::parse(text.toStdString()));
    QVERIFY(!BankKey::parse(text.toStdString()));
}

void UuidTest::otherForm_isItsTextAndTellsNoTime_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("word") << QByteArray("order-1");
    QTest::newRow("version 4") << QByteArray("919108f7-52d1-4320-9bac-f847db4148a8");
    QTest::newRow("other variant") << QByteArray("017f22e2-79b0-7cc3-d8c4-dc0c0c07398f");
    QTest::newRow("one character") << QByteArray("~");
    QTest::newRow("quotes, backslash, spaces") << QByteArray(R"( a "b" \ c )");
    QTest::newRow("the longest") << QByteArray(255, 'k');
}

void UuidTest::otherForm_isItsTextAndTellsNoTime()
{
    QFETCH(QByteArray, text);
    QVERIFY(!ActionId::parse(text.toStdString()));
    const auto id = ActionId::parseAnyForm(text.toStdString());
    QVERIFY(id.has_value());
    QCOMPARE(bytes(id->toString()), text);
    QVERIFY(!id->madeAt());
    QVERIFY(ActionId::parseAnyForm(text.toStdString()) == id);
    QVERIFY(ActionId::parseAnyForm("other" + text.left(250).toStdString()) != id);
    QVERIFY(ActionId::parse(kRfcText) != id);
}

void UuidTest::uuidV7InAnyForm_isTheSameId()
{
    QVERIFY(ActionId::parseAnyForm("017F22E2-79B0-7CC3-98C4-DC0C0C07398F") == ActionId::parse(kRfcText));
    // Of other forms nothing is known, so another spelling is another key.
    QVERIFY(ActionId::parseAnyForm("Order-1") != ActionId::parseAnyForm("order-1"));
}

void UuidTest::textThatNoStringHolds_isRefusedInAnyForm_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("too long") << QByteArray(256, 'k');
    QTest::newRow("line end") << QByteArray("a\nb");
    QTest::newRow("NUL") << QByteArray("a\0b", 3);
    QTest::newRow("delete") << QByteArray("a\x7f");
    QTest::newRow("letter with accent") << QByteArray("caf\xC3\xA9");
}

void UuidTest::textThatNoStringHolds_isRefusedInAnyForm()
{
    QFETCH(QByteArray, text);
    QVERIFY(!ActionId::parseAnyForm(text.toStdString()));
}

void UuidTest::reference_isTheLastEightDigits_data()
{
    QTest::addColumn<QByteArray>("id");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("contract's example") << QByteArray("0198c0de-7a11-7c3e-9f00-6b1f0a2c4d5e") << QByteArray("0A2C-4D5E");
    QTest::newRow("RFC vector") << QByteArray(kRfcText) << QByteArray("0C07-398F");
    QTest::newRow("other form") << QByteArray("cart_77/pay-2026-a") << QByteArray("PAY2-026A");
    QTest::newRow("short") << QByteArray("order-1") << QByteArray("ORDER1");
    QTest::newRow("no letter") << QByteArray("--") << QByteArray("--");
}

void UuidTest::reference_isTheLastEightDigits()
{
    QFETCH(QByteArray, id);
    QFETCH(QByteArray, expected);
    QCOMPARE(bytes(reference(ActionId::parseAnyForm(id.toStdString()).value())), expected);
}

QTEST_APPLESS_MAIN(UuidTest)
#include "tst_uuid.moc"
