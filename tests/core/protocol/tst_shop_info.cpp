#include "fixtures/fixture.h"
#include "protocol/shop_info.h"

#include <QtTest/QTest>

using namespace payonce;
using namespace payonce::protocol;

namespace {

QByteArray bytes(const std::string& text)
{
    return QByteArray::fromStdString(text);
}

values::Money euros(std::int64_t cents)
{
    return {cents, values::Currency::fromCode("EUR").value()};
}

Policy contractsPolicy()
{
    return {"srv_7f3a",
            "acct_1",
            std::chrono::days(30),
            std::chrono::days(7),
            std::chrono::seconds(15),
            "uuidv7",
            values::fromRfc3339("2026-11-30T10:00:00.000Z").value()};
}

Cart contractsCart()
{
    return {"cart_1", {{"Field notebook", 2, euros(2500)}, {"Fountain pen ink", 1, euros(1029)}}, euros(671), euros(4200)};
}

} // namespace

class ShopInfoTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void policy_isTheContracts();
    void cart_isTheContracts();
    void cartWithoutTaxOrLines_isRead();
    void badPolicy_isRefused_data();
    void badPolicy_isRefused();
    void badCart_isRefused_data();
    void badCart_isRefused();
};

void ShopInfoTest::policy_isTheContracts()
{
    QCOMPARE(bytes(renderPolicy(contractsPolicy())), bytes(fixtures::read("policy.json")));
    QVERIFY(parsePolicy(fixtures::read("policy.json")) == contractsPolicy());
}

void ShopInfoTest::cart_isTheContracts()
{
    QCOMPARE(bytes(renderCart(contractsCart())), bytes(fixtures::read("cart.json")));
    QVERIFY(parseCart(fixtures::read("cart.json")) == contractsCart());
}

void ShopInfoTest::cartWithoutTaxOrLines_isRead()
{
    auto cart = contractsCart();
    cart.lines = {{"All", 1, euros(4200)}};
    cart.tax = euros(0);
    QVERIFY(parseCart(renderCart(cart)) == cart);
}

void ShopInfoTest::badPolicy_isRefused_data()
{
    QTest::addColumn<QByteArray>("piece");
    QTest::addColumn<QByteArray>("other");
    const auto add = [](const char* piece, const char* other) {
        QTest::addRow("%s -> %s", piece, other) << QByteArray(piece) << QByteArray(other);
    };
    add("\"srv_7f3a\"", "\"\"");
    add("\"srv_7f3a\"", "7");
    add("\"server_id\"", "\"server\"");
    add("\"acct_1\"", "\"\"");
    add("\"acct_1\"", "null");
    add(R"({"payment":"P30D","account":"P7D"})", "30");
    add("P30D", "P1M");
    add("P30D", "P-3D");
    add("P30D", "PD");
    add("P30D", "P99999999D");
    add("P30D", "P3xD");
    add("P7D", "7D");
    add("PT15S", "P15S");
    add("PT15S", "PT15");
    add("\"uuidv7\"", "7");
    add("10:00:00.000Z", "10:00");
    add("}", "");
}

void ShopInfoTest::badPolicy_isRefused()
{
    QFETCH(QByteArray, piece);
    QFETCH(QByteArray, other);
    auto body = bytes(fixtures::read("policy.json"));
    QVERIFY(body.contains(piece));
    QVERIFY(!parsePolicy(body.replace(piece, other).toStdString()));
}

void ShopInfoTest::badCart_isRefused_data()
{
    QTest::addColumn<QByteArray>("piece");
    QTest::addColumn<QByteArray>("other");
    const auto add = [](const char* piece, const char* other) {
        QTest::addRow("%s -> %s", piece, other) << QByteArray(piece) << QByteArray(other);
    };
    add("4200", "4201");
    add("671", "0");
    add("671", "6.71");
    add("671", "-671");
    add("2500", "2500.5");
    add("\"quantity\":2", "\"quantity\":0");
    add("\"quantity\":2", R"("quantity":"2")");
    add("\"quantity\":2", "\"quantity\":9000000000");
    add("\"Field notebook\"", "null");
    add(R"(1029,"currency":"EUR")", R"(1029,"currency":"USD")");
    add(R"(671,"currency":"EUR")", R"(671,"currency":"USD")");
    add("\"EUR\"", "\"XXX\"");
    add("\"cart_1\"", "\"\"");
    add("\"lines\"", "\"items\"");
    add("\"total\"", "\"sum\"");
    add("}", "");
}

void ShopInfoTest::badCart_isRefused()
{
    QFETCH(QByteArray, piece);
    QFETCH(QByteArray, other);
    auto body = bytes(fixtures::read("cart.json"));
    QVERIFY(body.contains(piece));
    QVERIFY(!parseCart(body.replace(piece, other).toStdString()));
}

QTEST_APPLESS_MAIN(ShopInfoTest)
#include "tst_shop_info.moc"
