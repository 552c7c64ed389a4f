#include "bench/bare_ledger.h"

#include "values/check.h"

#include <QtCore/QUuid>
#include <QtCore/QVariant>
#include <QtSql/QSqlQuery>

namespace payonce::bench {

namespace {

const QString kShop = QStringLiteral("bare-shop");
const QString kBank = QStringLiteral("bare-bank");
constexpr int kAnswerSize = 320; // bytes of a stored 201

QSqlDatabase openFile(const QString& name, const QString& path)
{
    auto database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), name);
    database.setDatabaseName(path);
    CHECK(database.open());
    for (const auto* pragma : {"PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL", "PRAGMA foreign_keys=ON"}) {
        QSqlQuery query(database);
        CHECK(query.exec(QLatin1String(pragma)));
    }
    return database;
}

QSqlQuery prepared(const QSqlDatabase& database, const char* sql)
{
    QSqlQuery query(database);
    CHECK(query.prepare(QLatin1String(sql)));
    return query;
}

void run(QSqlQuery& query, const QVariantList& values)
{
    for (qsizetype n = 0; n < values.size(); ++n)
        query.bindValue(static_cast<int>(n), values.at(n));
    CHECK(query.exec());
}

} // namespace

BareLedger::BareLedger(const QString& directory)
    : m_shop(openFile(kShop, directory + QStringLiteral("/shop.sqlite"))),
      m_bank(openFile(kBank, directory + QStringLiteral("/bank.sqlite")))
{
}

BareLedger::~BareLedger()
{
    m_shop = {};
    m_bank = {};
    QSqlDatabase::removeDatabase(kShop);
    QSqlDatabase::removeDatabase(kBank);
}

Microseconds BareLedger::run(int payments)
{
    const auto start = BenchClock::now();
    for (int done = 0; done < payments; done += kGroup) {
        QStringList ids;
        for (int n = 0; n < kGroup; ++n)
            ids.append(QStringLiteral("bare-%1").arg(++m_number, 31, 10, QLatin1Char('0')));
        claimGroup(ids);
        chargeGroup(ids);
        settleGroup(ids);
    }
    return since(start);
}

void BareLedger::claimGroup(const QStringList& ids)
{
    CHECK(m_shop.transaction());
    auto record = prepared(m_shop, "INSERT INTO key_records (account, action_id, kind, policy_id, fingerprint, cart_id, "
                                   "amount_minor, currency, payment_method, email, valid_until, state, owner, fence, "
                                   "lease_until, bank_key, first_seen, payment_id, order_id) VALUES ('bare', ?, 'payment', "
                                   "'payonce-1', zeroblob(32), ?, 4200, 'EUR', 'pm_bare', 'bare@example.com', 1, "
                                   "'in_progress', 'bare', 1, 1, ?, 1, ?, ?)");
    auto order = prepared(m_shop, "INSERT INTO orders (id, number, account, action_id, cart_id, amount_minor, currency, "
                                  "status, payment_id, policy_id, created_at) VALUES (?, ?, 'bare', ?, ?, 4200, 'EUR', "
                                  "'open', ?, 'payonce-1', 1)");
    for (const auto& id : ids) {
        bench::run(record, {id, id, id, id, id});
        bench::run(order, {id, id, id, id, id});
    }
    CHECK(m_shop.commit());
}

void BareLedger::chargeGroup(const QStringList& ids)
{
    CHECK(m_bank.transaction());
    auto charge = prepared(m_bank, "INSERT INTO charges (bank_key, state, action_id, charge_id, amount, currency, at) VALUES "
                                   "(?, 'approved', ?, ?, 4200, 'EUR', '2026-11-30T10:00:00.000Z')");
    for (const auto& id : ids)
        bench::run(charge, {id, id, id});
    CHECK(m_bank.commit());
}

void BareLedger::settleGroup(const QStringList& ids)
{
    CHECK(m_shop.transaction());
    auto record = prepared(m_shop, "UPDATE key_records SET state = 'succeeded', settled_at = 2, charge_id = ?, answer_status = "
                                   "201, answer_body = ? WHERE account = 'bare' AND action_id = ?");
    auto order = prepared(m_shop, "UPDATE orders SET status = 'paid', settled_at = 2, charge_id = ? WHERE id = ?");
    const QByteArray answer(kAnswerSize, 'x');
    for (const auto& id : ids) {
        bench::run(record, {id, answer, id});
        bench::run(order, {id, id});
    }
    CHECK(m_shop.commit());
}

} // namespace payonce::bench
