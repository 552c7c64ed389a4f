#include "protocol/utf8.h"

#include <QtTest/QTest>

#include <algorithm>
#include <string>
#include <vector>

using namespace payonce::protocol;

class Utf8Test : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyLength_isRead();
    void order_isThatOfUtf16();
    void noncharacters_areKnown();
};

void Utf8Test::everyLength_isRead()
{
    const std::string text = "aé€😀";
    QVERIFY(!firstInvalidUtf8(text));
    QCOMPARE(codePointAt(text, 0)->value, U'a');
    QCOMPARE(codePointAt(text, 1)->value, U'é');
    QCOMPARE(codePointAt(text, 3)->value, U'€');
    QCOMPARE(codePointAt(text, 6)->value, U'😀');
    QVERIFY(firstInvalidUtf8("ab\x80") == 2U);
    QVERIFY(firstInvalidUtf8("\xF8") == 0U);
}

// The twin: QString compares UTF-16 code units.
void Utf8Test::order_isThatOfUtf16()
{
    std::vector<QString> texts;
    for (const char* text :
         {"", "a", "aa", "b", "\u0080", "é", "\uD7FF", "\uE000", "\uFB33", "\uFFFD", "😀", "a😀", "a\uFB33", "\U0010FFFD"})
        texts.push_back(QString::fromUtf8(text));
    for (const auto& left : texts)
        for (const auto& right : texts)
            QCOMPARE(lessByUtf16(left.toStdString(), right.toStdString()), left < right);
}

void Utf8Test::noncharacters_areKnown()
{
    for (const char32_t value : {U'\uFDD0', U'\uFDEF', U'\uFFFE', U'\uFFFF', U'\U0001FFFE', U'\U0010FFFF'})
        QVERIFY(isNoncharacter(value));
    for (const char32_t value : {U'\0', U'\uFDCF', U'\uFDF0', U'\uFFFD', U'\U00010000', U'\U0001FFFD'})
        QVERIFY(!isNoncharacter(value));
}

QTEST_APPLESS_MAIN(Utf8Test)
#include "tst_utf8.moc"
