#include "protocol/digest.h"

#include <QtTest/QTest>

using namespace payonce::protocol;

namespace {

// RFC 9530: the digest of this content with and without the line feed.
constexpr auto kContent = R"({"hello": "world"})";
constexpr auto kContentDigest = "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:";
constexpr auto kContentLineDigest = "sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:";

} // namespace

class DigestTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sha256_isThatOfFips180();
    void contentDigest_isThatOfRfc9530();
    void field_matchesOnlyItsBody_data();
    void field_matchesOnlyItsBody();
};

void DigestTest::sha256_isThatOfFips180()
{
    QCOMPARE(QByteArray::fromStdString(sha256Hex("abc")),
             QByteArray("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
    QCOMPARE(QByteArray::fromStdString(sha256Hex("")),
             QByteArray("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
    QCOMPARE(sha256("abc").front(), std::uint8_t(0xBA));
    QCOMPARE(sha256("abc").back(), std::uint8_t(0xAD));
}

void DigestTest::contentDigest_isThatOfRfc9530()
{
    QCOMPARE(QByteArray::fromStdString(contentDigest(kContent)), QByteArray(kContentDigest));
    QCOMPARE(QByteArray::fromStdString(contentDigest(std::string(kContent) + '\n')), QByteArray(kContentLineDigest));
}

void DigestTest::field_matchesOnlyItsBody_data()
{
    QTest::addColumn<QByteArray>("field");
    QTest::addColumn<bool>("matches");
    const QByteArray right(kContentDigest);
    QTest::newRow("right") << right << true;
    QTest::newRow("spaces around") << "  " + right + "\t" << true;
    QTest::newRow("another algorithm beside it") << "sha-512=:AAAA:, " + right << true;
    QTest::newRow("another algorithm behind it") << right + ", md5=:AAAA:" << true;
    QTest::newRow("the last of two counts") << QByteArray(kContentLineDigest) + ", " + right << true;
    QTest::newRow("the last of two is wrong") << right + ", " + QByteArray(kContentLineDigest) << false;
    QTest::newRow("of another body") << QByteArray(kContentLineDigest) << false;
    QTest::newRow("empty") << QByteArray() << false;
    QTest::newRow("another algorithm only") << QByteArray("sha-512=:AAAA:") << false;
    QTest::newRow("no bytes") << QByteArray("sha-256=::") << false;
    QTest::newRow("no value") << QByteArray("sha-256") << false;
    QTest::newRow("no colons") << QByteArray("sha-256=X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=") << false;
    QTest::newRow("no end") << right.chopped(1) << false;
    QTest::newRow("cut off") << QByteArray("sha-256=:") << false;
    QTest::newRow("not base64") << QByteArray("sha-256=:????:") << false;
    QTest::newRow("short") << QByteArray("sha-256=:X48E:") << false;
}

void DigestTest::field_matchesOnlyItsBody()
{
    QFETCH(QByteArray, field);
    QFETCH(bool, matches);
    QCOMPARE(contentDigestMatches(field.toStdString(), kContent), matches);
}

QTEST_APPLESS_MAIN(DigestTest)
#include "tst_digest.moc"
