#include "shop/accounts.h"

#include <QtTest/QTest>

using payonce::shop::Accounts;

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

        QCOMPARE(QString::fromStdString(accounts.accountOf(authorization).value_or(std::string())), account);
    }
};

QTEST_GUILESS_MAIN(TestAccounts)
#include "tst_accounts.moc"
