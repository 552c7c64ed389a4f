// What the bank's rows say of an action, and by which indexes they are found.
#include "bank/ledger_bank.h"
#include "server_mock/bank/bank_samples.h"

#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace payonce;
using namespace payonce::samples;
using bank::BankLedger;
using bank::EvidenceRow;
using idempotency::BankState;

class TestBankEvidence : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_dir = std::make_unique<QTemporaryDir>();
        m_ledger = BankLedger::open(file(), "bank_1").value();
        QVERIFY(m_ledger->beginBatch());
        QVERIFY(m_ledger->keepCard("pm_1", bank::cardOf("4242424242424242"), kNoon));
        charge(1, 1);
        charge(2, 1); // another key for the same action, as two accounts may have
        charge(3, 2);
        QVERIFY(m_ledger->fence(keyNumber(4), kNoon));
        QVERIFY(m_ledger->commitBatch());
    }

    void rows_areFoundByActionKeyAndCharge()
    {
        QCOMPARE(rows({{actionNumber(1).toString()}, {}, {}}).size(), std::size_t{2});
        const auto fence = rows({{}, {keyNumber(4).toString()}, {}});
        QCOMPARE(fence.size(), std::size_t{1});
        QVERIFY(fence.front().state == BankState::Fenced && fence.front().actionId.empty() && !fence.front().amount);
        const auto charge = rows({{}, {}, "ch_3"});
        QCOMPARE(charge.size(), std::size_t{1});
        QCOMPARE(charge.front().actionId, actionNumber(2).toString());
        QVERIFY(charge.front().state == BankState::Approved && charge.front().amount->minorUnits == 4200);
        QVERIFY(charge.front().at == kNoon + std::chrono::seconds(3));
        QVERIFY(rows({{}, {}, {}}).empty());
        QVERIFY(rows({{"nobody"}, {"nothing"}, "ch_none"}).empty());
    }

    void rowThatIsNamedTwice_isToldOnce()
    {
        const auto both = rows({{actionNumber(1).toString(), actionNumber(1).toString()}, {keyNumber(1).toString()}, "ch_2"});
        QCOMPARE(both.size(), std::size_t{2});
        QVERIFY(both.front().at < both.back().at);
    }

    void port_answersLaterWithTheSameRows()
    {
        m_ledger.reset();
        bank::LedgerBank sqlite(file(), [] { return kNoon; });
        QVERIFY(!sqlite.start());
        std::optional<std::vector<EvidenceRow>> came;
        sqlite.rows({{actionNumber(2).toString()}, {}, {}}, [&came](auto found) { came = std::move(found); });
        QVERIFY(!came);
        QTRY_VERIFY(came);
        QCOMPARE(came->size(), std::size_t{1});
    }

    void questions_useTheirIndexes()
    {
        m_ledger.reset();
        const auto database = storage::Database::open(file(), bank::bankSchema());
        QVERIFY(database);
        for (const QString& sql : bank::evidenceQueries()) {
            const auto plan = (*database)->select(QStringLiteral("EXPLAIN QUERY PLAN ") + sql, {QStringLiteral("x"), 1});
            QVERIFY(plan && !plan->isEmpty());
            const QString words = plan->first().last().toString();
            QVERIFY2(words.contains(QLatin1String("USING INDEX")), qPrintable(words));
        }
    }

private:
    [[nodiscard]] QString file() const { return m_dir->filePath(QStringLiteral("bank.sqlite")); }
    void charge(std::uint8_t key, std::uint8_t action)
    {
        const bank::ChargeOrder order{keyNumber(key), actionNumber(action), "pm_1",
                                      values::Money{4200, *values::Currency::fromCode("EUR")}};
        QVERIFY(m_ledger->charge(order, {kNoon + std::chrono::seconds(key), "ch_" + std::to_string(key)}));
    }
    std::vector<EvidenceRow> rows(const bank::EvidenceQuery& query) { return m_ledger->evidence(query).value(); }

    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<BankLedger> m_ledger;
};

QTEST_GUILESS_MAIN(TestBankEvidence)
#include "tst_bank_evidence.moc"
