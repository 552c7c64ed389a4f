// Mails are written with the fact they tell, once, and are sent by one sender at a time.
#include "core/idempotency/ledger_fixture.h"
#include "core/storage/shop_database.h"
#include "storage/mail_table.h"

#include <QtTest/QTest>

using namespace payonce;
using namespace payonce::idempotency;
using namespace payonce::samples;
using namespace std::chrono_literals;
using storage::MailTable;
using storage::OutboxMail;
using storage::OutboxTable;
using tests::inBatch;
using tests::orFail;
using tests::ShopDatabase;
using tests::valueOrFail;

namespace {

constexpr auto kLease = 10s;

std::vector<OutboxMail> take(ShopDatabase& shop, values::WallTime now, int limit = 100)
{
    return inBatch(shop.ledger(), [&] { return OutboxTable(shop.database()).takeDue(now, kLease, limit); });
}

KeyRecord claimed(ShopDatabase& shop, std::uint8_t number)
{
    const auto decision = inBatch(
        shop.ledger(), [&] { return shop.ledger().claim(request(number, "cart-" + std::to_string(number)), stamp(number)); });
    return std::get<Execute>(decision).record;
}

KeyRecord paid(ShopDatabase& shop, std::uint8_t number)
{
    const KeyRecord record = claimed(shop, number);
    return inBatch(shop.ledger(), [&] { return shop.ledger().settle(ownershipOf(record), approved(), kNow); });
}

std::size_t arrivedMails(ShopDatabase& shop)
{
    return valueOrFail(MailTable(shop.database()).newest(100)).size();
}

} // namespace

class TestOutboxTable : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_shop = std::make_unique<ShopDatabase>();
        inBatch(m_shop->ledger(), [&] {
            return m_shop->tables().savePaymentMethod({kCard, kAccount, "visa", "4242", kNow + 24h}, kNow);
        });
    }
    void cleanup() { m_shop.reset(); }

    void settlement_putsOneReceipt_data()
    {
        QTest::addColumn<int>("way");
        QTest::newRow("worker or reconciler: the owner settles") << 0;
        QTest::newRow("abandon or webhook: taken over and settled") << 1;
    }
    void settlement_putsOneReceipt()
    {
        QFETCH(int, way);
        const KeyRecord record = claimed(*m_shop, 1);
        for (int again = 0; again < 2; ++again) {
            static_cast<void>(inBatch(m_shop->ledger(), [&] {
                return way == 0 ? m_shop->ledger().settle(ownershipOf(record), approved(), kNow)
                                : m_shop->ledger().takeOverAndSettle({kAccount, record.id}, {kNextRun, kNow}, approved());
            }));
        }

        const auto mails = take(*m_shop, kNow);
        QCOMPARE(mails.size(), std::size_t{1});
        QCOMPARE(mails.front().kind, std::string("receipt"));
        QCOMPARE(mails.front().recipient, record.terms->email);
        QCOMPARE(mails.front().orderId, record.orderId);
        QCOMPARE(mails.front().actionId, record.id.toString());
    }

    void endWithoutMoney_putsNoMail_data()
    {
        QTest::addColumn<bool>("isDeclined");
        QTest::newRow("declined") << true;
        QTest::newRow("fenced") << false;
    }
    void endWithoutMoney_putsNoMail()
    {
        QFETCH(bool, isDeclined);
        const KeyRecord record = claimed(*m_shop, 1);
        static_cast<void>(inBatch(m_shop->ledger(), [&] {
            return m_shop->ledger().settle(ownershipOf(record), isDeclined ? declined() : fenced(), kNow);
        }));
        QVERIFY(take(*m_shop, kNow).empty());
    }

    // The receipt is in the settlement's own transaction: neither is there without the other.
    void crashBeforeTheCommit_losesPaymentAndReceiptTogether()
    {
        const KeyRecord record = claimed(*m_shop, 1);
        orFail(m_shop->ledger().beginBatch());
        QVERIFY(m_shop->ledger().settle(ownershipOf(record), approved(), kNow));
        m_shop->crash();

        QVERIFY(take(*m_shop, kNow).empty());
        QVERIFY(!values::isTerminal(valueOrFail(m_shop->ledger().find(kAccount, record.id))->state));
    }

    void displacedOwner_putsNoMail()
    {
        const KeyRecord record = claimed(*m_shop, 1);
        static_cast<void>(inBatch(m_shop->ledger(), [&] { return m_shop->ledger().takeOverOpen(kNextRun, kNow, 10, {}); }));
        static_cast<void>(
            inBatch(m_shop->ledger(), [&] { return m_shop->ledger().settle(ownershipOf(record), approved(), kNow); }));
        QVERIFY(take(*m_shop, kNow).empty());
    }

    void takenMail_isNobodyElsesUntilItsLeaseIsOver()
    {
        static_cast<void>(paid(*m_shop, 1));
        QCOMPARE(take(*m_shop, kNow).size(), std::size_t{1});
        QVERIFY(take(*m_shop, kNow + kLease - 1ms).empty());
        const auto again = take(*m_shop, kNow + kLease);
        QCOMPARE(again.size(), std::size_t{1});
        QCOMPARE(again.front().tries, 2);
    }

    void limit_leavesTheRestForLater()
    {
        for (std::uint8_t number = 1; number <= 3; ++number)
            static_cast<void>(paid(*m_shop, number));
        QCOMPARE(take(*m_shop, kNow, 2).size(), std::size_t{2});
        QCOMPARE(take(*m_shop, kNow, 2).size(), std::size_t{1});
    }

    void sentMail_isNeverTakenAgain()
    {
        static_cast<void>(paid(*m_shop, 1));
        const auto mails = take(*m_shop, kNow);
        inBatch(m_shop->ledger(), [&] { return OutboxTable(m_shop->database()).markSent(mails.front(), kNow); });
        QVERIFY(take(*m_shop, kNow + 48h).empty());
    }

    void failedMail_waitsForItsNextTry()
    {
        static_cast<void>(paid(*m_shop, 1));
        const auto mails = take(*m_shop, kNow);
        inBatch(m_shop->ledger(), [&] { return OutboxTable(m_shop->database()).tryLater(mails.front(), kNow + 1s); });
        QVERIFY(take(*m_shop, kNow + 999ms).empty());
        QCOMPARE(take(*m_shop, kNow + 1s).size(), std::size_t{1});
    }

    // A late word of an earlier try must not bring a mail forward that somebody else is sending now.
    void wordOfAnEarlierTry_changesNothing()
    {
        static_cast<void>(paid(*m_shop, 1));
        const auto first = take(*m_shop, kNow);
        QCOMPARE(take(*m_shop, kNow + kLease).size(), std::size_t{1});
        inBatch(m_shop->ledger(), [&] { return OutboxTable(m_shop->database()).tryLater(first.front(), kNow); });
        QVERIFY(take(*m_shop, kNow + kLease + 1ms).empty());
    }

    void clockSetBack_doesNotHoldMailsForDays()
    {
        static_cast<void>(paid(*m_shop, 1)); // due at kNow
        QCOMPARE(take(*m_shop, kNow - 48h).size(), std::size_t{1});
    }

    void resend_isADeliveryOfItsOwn()
    {
        static_cast<void>(paid(*m_shop, 1));
        const auto first = take(*m_shop, kNow);
        OutboxTable outbox(m_shop->database());
        QVERIFY(inBatch(m_shop->ledger(), [&] { return outbox.resendReceipt(kAccount, actionId(1), "dlv_again", kNow); }));
        QVERIFY(inBatch(m_shop->ledger(), [&] { return outbox.resendReceipt(kAccount, actionId(1), "dlv_once_more", kNow); }));

        const auto resent = take(*m_shop, kNow);
        QCOMPARE(resent.size(), std::size_t{2});
        QCOMPARE(resent.front().deliveryId, std::string("dlv_again"));
        QCOMPARE(resent.front().recipient, first.front().recipient);
    }

    void resendOfWhatHasNoReceipt_isRefused()
    {
        static_cast<void>(claimed(*m_shop, 1));
        static_cast<void>(paid(*m_shop, 2));
        OutboxTable outbox(m_shop->database());
        QVERIFY(!inBatch(m_shop->ledger(), [&] { return outbox.resendReceipt(kAccount, actionId(1), "dlv_1", kNow); }));
        QVERIFY(!inBatch(m_shop->ledger(), [&] { return outbox.resendReceipt(kOther, actionId(2), "dlv_2", kNow); }));
    }

    void mailSystem_takesADeliveryIdOnce()
    {
        static_cast<void>(paid(*m_shop, 1));
        const auto mails = take(*m_shop, kNow);
        QCOMPARE(valueOrFail(OutboxTable(m_shop->database()).waitingCount()), std::int64_t{1});
        for (int again = 0; again < 2; ++again) {
            inBatch(m_shop->ledger(), [&] { return MailTable(m_shop->database()).deliver(mails.front(), kNow); });
        }
        QCOMPARE(arrivedMails(*m_shop), std::size_t{1});
        QCOMPARE(valueOrFail(OutboxTable(m_shop->database()).waitingCount()), std::int64_t{0}); // arrived, though not marked
    }

    void unsentMails_areCountedUpToABound()
    {
        OutboxTable outbox(m_shop->database());
        QCOMPARE(valueOrFail(outbox.unsentCount(2)), std::int64_t{0});
        for (std::uint8_t number = 1; number <= 3; ++number)
            static_cast<void>(paid(*m_shop, number));
        QCOMPARE(valueOrFail(outbox.unsentCount(100)), std::int64_t{3});
        QCOMPARE(valueOrFail(outbox.unsentCount(2)), std::int64_t{2});
        const auto taken = take(*m_shop, kNow);
        QCOMPARE(valueOrFail(outbox.unsentCount(100)), std::int64_t{3}); // taken is not sent
        inBatch(m_shop->ledger(), [&] { return outbox.markSent(taken.front(), kNow); });
        QCOMPARE(valueOrFail(outbox.unsentCount(100)), std::int64_t{2});
    }

    void reset_forgetsMails()
    {
        static_cast<void>(paid(*m_shop, 1));
        inBatch(m_shop->ledger(), [&] { return m_shop->tables().reset(); });
        QVERIFY(take(*m_shop, kNow).empty());
        QCOMPARE(arrivedMails(*m_shop), std::size_t{0});
    }

private:
    std::unique_ptr<ShopDatabase> m_shop;
};

QTEST_GUILESS_MAIN(TestOutboxTable)
#include "tst_outbox_table.moc"
