#include "shop/accounts.h"

#include <QtTest/QTest>

using payonce::shop::Accounts;
using payonce::shop::Scope;

class TestAccounts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void authorization_namesTheAccount_data()
    {
        QTest::addColumn<QByteArray>("authorization");
        QTest::addColumn<QString>("account");

        QTest::newRow("first") << QByteArray("Bearer one") << QStringLiteral("acct_1");
        QTest::newRow("second") << QByteArray("Bearer two") << QStringLiteral("acct_2");
        QTest::newRow("scheme in other case") << QByteArray("bEARER two") << QStringLiteral("acct_2");
        QTest::newRow("spaces") << QByteArray("Bearer   one ") << QStringLiteral("acct_1");
        QTest::newRow("nothing") << QByteArray() << QString();
        QTest::newRow("scheme alone") << QByteArray("Bearer") << QString();
        QTest::newRow("no token") << QByteArray("Bearer ") << QString();
        QTest::newRow("token alone") << QByteArray("one") << QString();
        QTest::newRow("other scheme") << QByteArray("Basic one") << QString();
        QTest::newRow("wrong token") << QByteArray("Bearer onE") << QString();
        QTest::newRow("too short") << QByteArray("Bearer on") << QString();
        QTest::newRow("too long") << QByteArray("Bearer one1") << QString();
    }
    void authorization_namesTheAccount()
    {
        QFETCH(QByteArray, authorization);
        QFETCH(QString, account);
        Accounts accounts;
        accounts.add("acct_1", "one");
        accounts.add("acct_2", "two");

        const auto holder = accounts.holderOf(authorization);
        QCOMPARE(holder.has_value(), !account.isEmpty());
        QCOMPARE(QString::fromStdString(holder ? holder->account : std::string()), account);
    }

    void token_saysWhatItIsFor()
    {
        Accounts accounts;
        accounts.add("acct_1", "one");
        accounts.add("support", "two", Scope::Support);
        accounts.add("support_act", "three", Scope::SupportAct);
        QCOMPARE(accounts.holderOf("Bearer one")->scope, Scope::Shop);
        QCOMPARE(accounts.holderOf("Bearer two")->scope, Scope::Support);
        QCOMPARE(accounts.holderOf("Bearer three")->scope, Scope::SupportAct);
        QVERIFY(!accounts.holderOf("Bearer four"));
    }
};

QTEST_GUILESS_MAIN(TestAccounts)
#include "tst_accounts.moc"
