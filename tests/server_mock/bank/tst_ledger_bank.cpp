#include "bank/ledger_bank.h"

#include "server_mock/bank/bank_samples.h"
#include "support/sqlite_file.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace payonce;
using namespace payonce::samples;
using bank::BankAnswer;
using bank::LedgerBank;
using idempotency::BankState;
using idempotency::StoreError;

class TestLedgerBank : public QObject
{
    Q_OBJECT

private Q_SLOTS:

    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_dir = std::make_unique<QTemporaryDir>();
        m_bank = open();
        QVERIFY(m_bank);
    }

    void cleanup()
    {
        m_bank.reset();
        m_dir.reset();
    }

    void oneKeyChargedManyTimes_isOneCharge()
    {
        const std::string card = exchange("4242424242424242");
        std::vector<BankAnswer> answers;

        for (int i = 0; i < 32; ++i)
            m_bank->charge(orderOf(1, card, 4200 + i), [&](const BankAnswer& answer) { answers.push_back(answer); });

        QTRY_COMPARE(answers.size(), std::size_t{32});
        for (const BankAnswer& answer : answers) {
            QVERIFY(answer.row);
            QVERIFY(answer.row == answers.front().row);
        }
        QCOMPARE(answers.front().row->state, BankState::Approved);
        const auto charges = listCharges();
        QCOMPARE(charges.size(), std::size_t{1});
        QCOMPARE(charges.front().amount.minorUnits, 4200); // the first decides
        QCOMPARE(charges.front().chargeId, answers.front().row->chargeId);
        QCOMPARE(charges.front().actionId, orderOf(1, card).actionId.toString());
    }

    void manyKeys_areManyCharges()
    {
        const std::string card = exchange("4242424242424242");
        int answered = 0;

        for (std::uint8_t i = 0; i < 32; ++i)
            m_bank->charge(orderOf(i, card), [&](const BankAnswer&) { ++answered; });

        QTRY_COMPARE(answered, 32);
        QCOMPARE(listCharges().size(), std::size_t{32});
    }

    void fenceThenCharge_staysFenced()
    {
        const std::string card = exchange("4242424242424242");

        QCOMPARE(fence(1).row->state, BankState::Fenced);
        QCOMPARE(charge(orderOf(1, card)).row->state, BankState::Fenced);
        QCOMPARE(lookup(1).row->state, BankState::Fenced);
        QVERIFY(listCharges().empty());
    }

    void chargeThenFence_staysCharged()
    {
        const std::string card = exchange("4242424242424242");

        const BankAnswer charged = charge(orderOf(1, card));

        QVERIFY(fence(1).row == charged.row);
        QCOMPARE(listCharges().size(), std::size_t{1});
    }

    void declineThenFence_staysDeclined()
    {
        const std::string card = exchange("4000000000009995");

        const BankAnswer declined = charge(orderOf(1, card));

        QCOMPARE(declined.row->state, BankState::Declined);
        QCOMPARE(declined.row->declineCode, std::string("insufficient_funds"));
        QCOMPARE(declined.row->chargeId, std::string());
        QVERIFY(fence(1).row == declined.row);
        QVERIFY(charge(orderOf(1, exchange("4242424242424242"))).row == declined.row);
    }

    void keyThatNeverCame_isNeverSeen() { QCOMPARE(lookup(9).row->state, BankState::NeverSeen); }

    void unknownPaymentMethod_isDeclined()
    {
        const BankAnswer answer = charge(orderOf(1, "pm_nobody_has"));
        QCOMPARE(answer.row->state, BankState::Declined);
        QCOMPARE(answer.row->declineCode, std::string("generic_decline"));
    }

    void everythingButTheCardNumber_survivesARestart()
    {
        const std::string card = exchange("4242424242424242");
        const BankAnswer charged = charge(orderOf(1, card));
        const std::string id = m_bank->bankId();

        m_bank.reset();
        m_bank = open();

        QVERIFY(m_bank);
        QCOMPARE(m_bank->bankId(), id);
        QVERIFY(lookup(1).row == charged.row);
        QCOMPARE(charge(orderOf(2, card)).row->state, BankState::Approved);
        for (const QFileInfo& info : QDir(m_dir->path()).entryInfoList(QDir::Files)) {
            QFile file(info.filePath());
            QVERIFY(file.open(QIODevice::ReadOnly));
            QVERIFY2(!file.readAll().contains("424242424242"), qPrintable(info.fileName()));
        }
    }

    void clear_forgetsCardsAndCharges()
    {
        const std::string card = exchange("4242424242424242");
        QVERIFY(charge(orderOf(1, card)).row);
        std::optional<bool> cleared;

        m_bank->clear([&](bool well) { cleared = well; });

        QTRY_VERIFY(cleared);
        QVERIFY(*cleared);
        QVERIFY(listCharges().empty());
        QCOMPARE(charge(orderOf(2, card)).row->state, BankState::Declined);
    }

    void brokenDatabase_answersUnknown()
    {
        breakTables();
        std::optional<std::optional<bank::ExchangedCard>> exchanged;
        std::optional<std::optional<std::vector<bank::ChargeEntry>>> listed;
        std::optional<bool> cleared;

        QVERIFY(!charge(orderOf(1, "pm_1")).row);
        QVERIFY(!lookup(1).row);
        QVERIFY(!fence(1).row);
        m_bank->exchange("4242424242424242", [&](const auto& card) { exchanged = card; });
        m_bank->charges([&](const auto& entries) { listed = entries; });
        m_bank->clear([&](bool well) { cleared = well; });

        QTRY_VERIFY(exchanged && listed && cleared);
        QVERIFY(!*exchanged);
        QVERIFY(!*listed);
        QVERIFY(!*cleared);
    }

    void fileThatIsNoDatabase_isReportedAndKept()
    {
        const QString path = m_dir->filePath(QStringLiteral("other.sqlite"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        const QByteArray content(5000, 'x');
        file.write(content);
        file.close();

        LedgerBank other(path, [] { return kNoon; });
        const auto failed = other.start();

        QVERIFY(failed);
        QCOMPARE(*failed, StoreError::Damaged);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), content);
    }

private:
    [[nodiscard]] QString path() const { return m_dir->filePath(QStringLiteral("bank.sqlite")); }

    [[nodiscard]] std::unique_ptr<LedgerBank> open() const
    {
        auto opened = std::make_unique<LedgerBank>(path(), [] { return kNoon; });
        return opened->start() ? nullptr : std::move(opened);
    }

    template <class Call> BankAnswer await(Call call)
    {
        std::optional<BankAnswer> answer;
        call([&answer](const BankAnswer& came) { answer = came; });
        if (!QTest::qWaitFor([&answer] { return answer.has_value(); }))
            qFatal("the bank never answered");
        return *answer;
    }
    BankAnswer charge(const bank::ChargeOrder& order)
    {
        return await([&](auto done) { m_bank->charge(order, done); });
    }
    BankAnswer lookup(std::uint8_t n)
    {
        return await([&](auto done) { m_bank->lookup(keyNumber(n), done); });
    }
    BankAnswer fence(std::uint8_t n)
    {
        return await([&](auto done) { m_bank->fence(keyNumber(n), done); });
    }

    std::string exchange(const std::string& number)
    {
        std::optional<bank::ExchangedCard> card;
        m_bank->exchange(number, [&card](const auto& came) { card = came; });
        if (!QTest::qWaitFor([&card] { return card.has_value(); }))
            qFatal("no card");
        return card->paymentMethod;
    }

    std::vector<bank::ChargeEntry> listCharges()
    {
        std::optional<std::vector<bank::ChargeEntry>> entries;
        m_bank->charges([&entries](const auto& came) { entries = came; });
        if (!QTest::qWaitFor([&entries] { return entries.has_value(); }))
            qFatal("no list");
        return *entries;
    }

    // Another program takes the tables away under the bank's feet.
    void breakTables() const
    {
        support::changeFile(path(), {QStringLiteral("DROP TABLE charges"), QStringLiteral("DROP TABLE cards")});
    }

    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<LedgerBank> m_bank;
};

QTEST_GUILESS_MAIN(TestLedgerBank)
#include "tst_ledger_bank.moc"
