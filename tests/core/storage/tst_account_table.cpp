#include "storage/account_table.h"

#include "core/idempotency/ledger_fixture.h"
#include "core/storage/shop_database.h"
#include "storage/binding.h"

#include <QtTest/QTest>

using namespace payonce;
using namespace payonce::samples;
using namespace std::chrono_literals;
using idempotency::StoreError;
using storage::Account;
using storage::AccountTable;
using tests::ShopDatabase;

namespace {

Account account(std::uint8_t number, const std::string& email = "a@example.com")
{
    const std::string suffix = std::to_string(number);
    return {"acc_" + suffix, kAccount, actionId(number), email, email, "A", kNow + std::chrono::seconds(number)};
}

storage::SignedUp signUp(ShopDatabase& shop, const Account& wanted)
{
    return tests::inBatch(shop.ledger(), [&] { return AccountTable(shop.database()).signUp(wanted); });
}

/// `KIND RECIPIENT FACT`, the earliest first.
QStringList mails(ShopDatabase& shop)
{
    const auto rows = shop.database().select(QStringLiteral(
        "SELECT kind || ' ' || recipient || ' ' || fact FROM outbox WHERE sent_at IS NULL AND next_try_at = created_at "
        "ORDER BY created_at"));
    QStringList lines;
    for (const storage::Row& row : rows.value())
        lines += row.first().toString();
    return lines;
}

} // namespace

class TestAccountTable : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void newAddress_getsAnAccountAndAWelcome();
    void knownAddress_keepsItsAccountAndIsTold();
    void otherTokensSignUp_findsTheSameAddress();
    void accounts_areListedNewestFirst();
    void undoneSignUp_leavesNeitherAccountNorMail();
    void keyOfAnotherForm_isReadBack();
    void damagedRow_isDamaged();
};

void TestAccountTable::newAddress_getsAnAccountAndAWelcome()
{
    ShopDatabase shop;
    const auto made = signUp(shop, account(1));
    QVERIFY(made.isNew);
    QCOMPARE(made.account, account(1));
    shop.crash();
    QCOMPARE(AccountTable(shop.database()).newest(10).value(), std::vector<Account>{account(1)});
    QCOMPARE(mails(shop), QStringList{QStringLiteral("welcome a@example.com welcome:acc_1")});
}

void TestAccountTable::knownAddress_keepsItsAccountAndIsTold()
{
    ShopDatabase shop;
    Account first = account(1, "A@Example.com");
    first.emailKey = "a@example.com";
    signUp(shop, first);
    const auto again = signUp(shop, account(2));
    QVERIFY(!again.isNew);
    QCOMPARE(again.account, first);
    QCOMPARE(AccountTable(shop.database()).newest(10).value(), std::vector<Account>{first});
    // To the address as its holder wrote it.
    QCOMPARE(mails(shop).last(), QStringLiteral("already_registered A@Example.com already_registered:acct_a:%1")
                                     .arg(QString::fromStdString(actionId(2).toString())));
    QCOMPARE(mails(shop).size(), 2);
}

void TestAccountTable::otherTokensSignUp_findsTheSameAddress()
{
    ShopDatabase shop;
    signUp(shop, account(1));
    Account theirs = account(1); // the same key under another token
    theirs.id = "acc_2";
    theirs.owner = kOther;
    QVERIFY(!signUp(shop, theirs).isNew);
    QCOMPARE(mails(shop).size(), 2);
}

void TestAccountTable::accounts_areListedNewestFirst()
{
    ShopDatabase shop;
    for (const std::uint8_t number : std::initializer_list<std::uint8_t>{1, 3, 2})
        signUp(shop, account(number, "a" + std::to_string(number) + "@example.com"));
    const auto newest = AccountTable(shop.database()).newest(2).value();
    QCOMPARE(newest.size(), std::size_t{2});
    QCOMPARE(newest.front().id, std::string("acc_3"));
    QCOMPARE(newest.back().id, std::string("acc_2"));
}

// A mail without its account, or an account without its mail, can never be.
void TestAccountTable::undoneSignUp_leavesNeitherAccountNorMail()
{
    ShopDatabase shop;
    QVERIFY(shop.database().execute(QStringLiteral("ALTER TABLE outbox RENAME TO gone")));
    QVERIFY(shop.ledger().beginBatch());
    QVERIFY(!AccountTable(shop.database()).signUp(account(1)));
    QVERIFY(shop.ledger().commitBatch());
    QVERIFY(AccountTable(shop.database()).newest(10)->empty());
    QVERIFY(shop.database().execute(QStringLiteral("ALTER TABLE gone RENAME TO outbox")));
    QVERIFY(signUp(shop, account(1)).isNew);
}

void TestAccountTable::keyOfAnotherForm_isReadBack()
{
    ShopDatabase shop;
    Account wanted = account(1);
    wanted.action = values::ActionId::parseAnyForm("order-1").value();
    QVERIFY(signUp(shop, wanted).isNew);
    QCOMPARE(AccountTable(shop.database()).newest(10).value(), std::vector<Account>{wanted});
}

void TestAccountTable::damagedRow_isDamaged()
{
    ShopDatabase shop;
    signUp(shop, account(1));
    QVERIFY(shop.database().execute(QStringLiteral("UPDATE accounts SET action_id = ''")));
    QCOMPARE(AccountTable(shop.database()).newest(10).error(), StoreError::Damaged);
    QVERIFY(shop.ledger().beginBatch());
    QCOMPARE(AccountTable(shop.database()).signUp(account(2)).error(), StoreError::Damaged);
    QVERIFY(shop.ledger().commitBatch());
}

QTEST_GUILESS_MAIN(TestAccountTable)
#include "tst_account_table.moc"
