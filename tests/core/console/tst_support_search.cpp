#include "console/support_search.h"

#include <QtTest/QTest>

#include <algorithm>

using namespace payonce::console;

namespace {

QByteArray bytes(const std::string& text)
{
    return QByteArray::fromStdString(text);
}

/// `reference 0a2c4d5e | order number 12345678`, in the order of the terms.
QByteArray wordsOfAll(const std::vector<SearchTerm>& terms)
{
    QByteArray words;
    for (const SearchTerm& term : terms) {
        const std::string shown = term.kind == SearchKind::CartId ? "cart " + term.value : wordsOf({term});
        words += (words.isEmpty() ? "" : " | ") + bytes(term.kind == SearchKind::Email ? "e-mail " + term.value : shown);
    }
    return words;
}

const QByteArray kId = "0198c0de-7a11-7c3e-9f00-6b1f0a2c4d5e";
const QByteArray kBoth = "action " + kId + " | bank key " + kId;

} // namespace

class SupportSearchTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void text_meansWhatItMayMean_data();
    void text_meansWhatItMayMean();
    void idOfAnyForm_isMeantAsTypedToo_data();
    void idOfAnyForm_isMeantAsTypedToo();
    void cardNumber_isNoIdOfAnyForm();
    void tooLongText_isNothing();
    void audit_neverRepeatsWhatIsNoIdOfOurs_data();
    void audit_neverRepeatsWhatIsNoIdOfOurs();
    void email_isMasked_data();
    void email_isMasked();
};

void SupportSearchTest::text_meansWhatItMayMean_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("terms");
    QTest::newRow("reference as told") << QByteArray("0A2C-4D5E") << QByteArray("reference 0a2c4d5e");
    QTest::newRow("reference without its dash") << QByteArray("0a2c4d5e") << QByteArray("reference 0a2c4d5e");
    QTest::newRow("reference with a space") << QByteArray(" #0A2C 4d5e ") << QByteArray("reference 0a2c4d5e");
    QTest::newRow("reference with a typographic dash") << QByteArray("0A2C\xE2\x80\x93"
                                                                     "4D5E")
                                                       << QByteArray("reference 0a2c4d5e");
    QTest::newRow("reference with a no-break space") << QByteArray("0A2C\xC2\xA0"
                                                                   "4D5E")
                                                     << QByteArray("reference 0a2c4d5e");
    QTest::newRow("reference of digits alone")
        << QByteArray("1234-5678") << QByteArray("reference 12345678 | order number 12345678");
    QTest::newRow("action") << kId << kBoth;
    QTest::newRow("action in capitals") << kId.toUpper() << kBoth;
    QTest::newRow("action without dashes") << QByteArray(kId).replace("-", "") << kBoth;
    QTest::newRow("UUID of another version") << QByteArray("0198c0de-7a11-4c3e-9f00-6b1f0a2c4d5e")
                                             << QByteArray("cart 0198c0de-7a11-4c3e-9f00-6b1f0a2c4d5e | action");
    QTest::newRow("order number or last four") << QByteArray("#1001") << QByteArray("last four 1001 | order number 1001");
    QTest::newRow("order number") << QByteArray("12345") << QByteArray("order number 12345");
    QTest::newRow("order") << QByteArray("ord_AbC1") << QByteArray("order ord_abc1");
    QTest::newRow("payment") << QByteArray("pay_1") << QByteArray("payment pay_1");
    QTest::newRow("charge") << QByteArray("ch_1") << QByteArray("charge ch_1");
    QTest::newRow("cart") << QByteArray("cart_1") << QByteArray("cart cart_1 | action");
    QTest::newRow("cart of a caller's own") << QByteArray("Proof-1") << QByteArray("cart Proof-1 | action");
    QTest::newRow("cart with a space") << QByteArray("my cart") << QByteArray("cart my cart | cart mycart | action");
    QTest::newRow("e-mail") << QByteArray(" A@Example.com ") << QByteArray("e-mail a@example.com");
    QTest::newRow("e-mail with a dash") << QByteArray("a-b@ex-ample.com") << QByteArray("e-mail a-b@ex-ample.com");
    QTest::newRow("nothing") << QByteArray() << QByteArray();
    QTest::newRow("spaces") << QByteArray("  #  ") << QByteArray();
    QTest::newRow("dashes") << QByteArray("---") << QByteArray();
    QTest::newRow("card number") << QByteArray("4242424242424242") << QByteArray();
    QTest::newRow("card number in groups") << QByteArray("4242 4242 4242 4242") << QByteArray();
    QTest::newRow("card number with dashes") << QByteArray("4242-4242-4242-4242") << QByteArray();
    QTest::newRow("control character") << QByteArray("a\x01") << QByteArray();
}

void SupportSearchTest::text_meansWhatItMayMean()
{
    QFETCH(const QByteArray, text);
    QFETCH(const QByteArray, terms);
    QCOMPARE(wordsOfAll(searchTermsOf(text.toStdString(), IdForms::UuidV7)), terms);
}

void SupportSearchTest::idOfAnyForm_isMeantAsTypedToo_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("kind");
    QTest::addColumn<QByteArray>("value");
    const auto action = static_cast<int>(SearchKind::ActionId);
    const auto reference = static_cast<int>(SearchKind::OtherReference);
    QTest::newRow("with a space") << QByteArray("order 77") << action << QByteArray("order 77");
    QTest::newRow("with a number sign") << QByteArray("order#99") << action << QByteArray("order#99");
    QTest::newRow("a number sign alone") << QByteArray("#") << action << QByteArray("#");
    QTest::newRow("with spaces around it") << QByteArray(" abc ") << action << QByteArray("abc");
    QTest::newRow("digits") << QByteArray("1001") << action << QByteArray("1001");
    QTest::newRow("like an e-mail") << QByteArray("a@b") << action << QByteArray("a@b");
    QTest::newRow("its reference") << QByteArray("2345-678x") << reference << QByteArray("2345678X");
    QTest::newRow("its short reference") << QByteArray("order77") << reference << QByteArray("ORDER77");
}

void SupportSearchTest::idOfAnyForm_isMeantAsTypedToo()
{
    QFETCH(const QByteArray, text);
    QFETCH(const int, kind);
    QFETCH(const QByteArray, value);
    const SearchTerm wanted{static_cast<SearchKind>(kind), value.toStdString()};
    const auto terms = searchTermsOf(text.toStdString(), IdForms::Any);
    QVERIFY(std::find(terms.begin(), terms.end(), wanted) != terms.end());
}

void SupportSearchTest::cardNumber_isNoIdOfAnyForm()
{
    for (const char* text : {"4242424242424242", "4242 4242 4242 4242", "4242-4242-4242-4242"})
        QVERIFY(searchTermsOf(text, IdForms::Any).empty());
}

void SupportSearchTest::tooLongText_isNothing()
{
    QVERIFY(searchTermsOf(std::string(kLongestSearch + 1, 'a'), IdForms::Any).empty());
    QVERIFY(searchTermsOf(std::string(kLongestSearch, 'a') + "@", IdForms::Any).empty());
}

void SupportSearchTest::audit_neverRepeatsWhatIsNoIdOfOurs_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("words");
    QTest::newRow("reference") << QByteArray("0A2C-4D5E") << QByteArray("reference 0a2c4d5e");
    QTest::newRow("two meanings") << QByteArray("1001") << QByteArray("last four 1001 or order number 1001");
    QTest::newRow("e-mail") << QByteArray("anna@example.com") << QByteArray("e-mail a***@example.com");
    QTest::newRow("card number") << QByteArray("4242 4242 4242 4242") << QByteArray("nothing that is an ID");
    QTest::newRow("card number and words") << QByteArray("card 4242424242424242") << QByteArray("cart or action");
}

void SupportSearchTest::audit_neverRepeatsWhatIsNoIdOfOurs()
{
    QFETCH(const QByteArray, text);
    QFETCH(const QByteArray, words);
    QCOMPARE(bytes(wordsOf(searchTermsOf(text.toStdString(), IdForms::UuidV7))), words);
}

void SupportSearchTest::email_isMasked_data()
{
    QTest::addColumn<QByteArray>("email");
    QTest::addColumn<QByteArray>("masked");
    QTest::newRow("usual") << QByteArray("anna@example.com") << QByteArray("a***@example.com");
    QTest::newRow("one letter") << QByteArray("a@example.com") << QByteArray("a***@example.com");
    QTest::newRow("letter of two bytes") << QByteArray("\xC3\xA4nna@example.com") << QByteArray("\xC3\xA4***@example.com");
    QTest::newRow("none") << QByteArray() << QByteArray();
    QTest::newRow("no domain") << QByteArray("anna") << QByteArray("***");
    QTest::newRow("nothing before the sign") << QByteArray("@example.com") << QByteArray("***");
}

void SupportSearchTest::email_isMasked()
{
    QFETCH(const QByteArray, email);
    QFETCH(const QByteArray, masked);
    QCOMPARE(bytes(maskedEmail(email.toStdString())), masked);
}

QTEST_APPLESS_MAIN(SupportSearchTest)
#include "tst_support_search.moc"
