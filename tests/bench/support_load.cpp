#include "bench/support_load.h"

#include "bench/payment_requests.h"
#include "faults/arrival_journal.h"
#include "support/fresh_id.h"
#include "support/http_call.h"
#include "support/shop_requests.h"
#include "support/sqlite_file.h"
#include "values/check.h"

#include <QtCore/QJsonArray>

namespace payonce::bench {

namespace {

constexpr int kKnownActions = 500;
constexpr int kEachCustomer = 10; // actions
constexpr std::chrono::milliseconds kBack = std::chrono::hours(24 * 20);

/// Rows `a`: a number, a time, the end of an ID by which its reference differs from all others, and whose it is.
QString numbered(int actions)
{
    const auto begin = support::wallTime() - kBack;
    return QStringLiteral("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %1), "
                          "a AS (SELECT i, %2 + i * %3 AS at, (i * 2654435761) & 4294967295 AS tail, i % 100 = 0 AS is_busy, "
                          "'c' || (i % %4) || '@example.com' AS customer FROM n) ")
        .arg(actions)
        .arg(begin.time_since_epoch().count())
        .arg((kBack / actions).count())
        .arg(actions / kEachCustomer + 1);
}

QString recordsOf(int actions)
{
    // No arg() here: it would take the formats of printf() for its own.
    const auto id = QStringLiteral("printf('%08x-%04x-7%03x-9f00-%04x%08x', at >> 16, at & 65535, i & 4095, i & 65535, tail)");
    const auto bankKey = QString(id).replace(QLatin1String("9f00"), QLatin1String("9f01"));
    return QStringLiteral(
               "INSERT INTO key_records (account, action_id, kind, policy_id, fingerprint, cart_id, amount_minor, currency, "
               "payment_method, email, valid_until, state, owner, fence, lease_until, bank_key, first_seen, settled_at, "
               "payment_id, order_id, charge_id, answer_status, answer_body, last_four) ") +
           numbered(actions) + QStringLiteral("SELECT 'acct_1', ") + id +
           QStringLiteral(", 'payment', 'payonce-1', randomblob(32), 'own-' || i, iif(is_busy, 4200, 1000 + i % 5000), 'EUR', "
                          "'pm_' || i, iif(is_busy, '") +
           QString::fromLatin1(SupportLoad::busyEmail()) +
           QStringLiteral("', customer), at + 900000, 'succeeded', 'bench/old', i, at + 15000, ") + bankKey +
           QStringLiteral(", at, at + 80, 'pay_' || i, 'ord_' || i, 'ch_' || i, 201, randomblob(320), "
                          "printf('%04d', i % 10000) FROM a");
}

QStringList shopStatements(int actions)
{
    return {recordsOf(actions),
            QStringLiteral("INSERT INTO orders (id, number, account, action_id, cart_id, amount_minor, currency, status, "
                           "payment_id, charge_id, policy_id, fingerprint, created_at, settled_at) SELECT order_id, "
                           "1000 + fence, account, action_id, cart_id, amount_minor, currency, 'paid', payment_id, charge_id, "
                           "policy_id, fingerprint, first_seen, settled_at FROM key_records"),
            QStringLiteral("INSERT INTO webhook_events (id, bank_key, transition, sequence, charge_id, amount_minor, currency, "
                           "said_at, received_at, outcome) SELECT 'evt_' || fence, bank_key, 'charge.succeeded', 1, charge_id, "
                           "amount_minor, currency, settled_at, settled_at, 'agrees' FROM key_records"),
            QStringLiteral("INSERT INTO outbox (delivery_id, kind, fact, account, action_id, order_id, recipient, created_at, "
                           "tries, next_try_at, sent_at) SELECT 'dlv_receipt:' || payment_id, 'receipt', 'receipt:' || "
                           "payment_id, account, action_id, order_id, email, settled_at, 1, settled_at, settled_at "
                           "FROM key_records"),
            QStringLiteral("UPDATE counters SET value = value + %1 WHERE name IN ('fence', 'order_number')").arg(actions)};
}

QStringList bankStatements(const QString& shopFile)
{
    return {QStringLiteral("ATTACH '%1' AS shop").arg(shopFile),
            QStringLiteral("INSERT INTO charges (bank_key, state, action_id, charge_id, amount, currency, at) SELECT bank_key, "
                           "'approved', action_id, charge_id, amount_minor, currency, "
                           "strftime('%Y-%m-%dT%H:%M:%fZ', settled_at / 1000.0, 'unixepoch') FROM shop.key_records")};
}

} // namespace

QByteArray SupportLoad::busyEmail()
{
    return "till@example.com";
}

SupportLoad::SupportLoad(int actions) : m_server(m_directory.path())
{
    CHECK(m_server.start()); // makes the files
    m_server.stop();
    fill(actions);
    QStringList numbers;
    for (int n = 0; n < kKnownActions; ++n)
        numbers += QString::number(1 + QRandomGenerator::global()->bounded(actions));
    m_known = readKnown(QStringLiteral("r.rowid IN (%1)").arg(numbers.join(QLatin1Char(','))));
    CHECK(!m_known.isEmpty());
    CHECK(m_server.start());
    fillJournal();
}

void SupportLoad::fill(int actions) const
{
    support::changeFile(shopFile(), shopStatements(actions));
    support::changeFile(m_directory.filePath(QStringLiteral("bank.sqlite")), bankStatements(shopFile()));
}

// Every look-up of a customer leaves rows, of which the journal keeps so many.
void SupportLoad::fillJournal() const
{
    QList<QByteArray> paths;
    for (std::size_t n = 0; n < faults::kMostRows; ++n)
        paths += "/v1/actions/" + m_known.at(static_cast<qsizetype>(n) % m_known.size()).id + "?kind=payment";
    CHECK(ask(paths, 50, QStringLiteral("account")).refused == 0);
}

QList<KnownAction> SupportLoad::readKnown(const QString& where) const
{
    QList<KnownAction> known;
    const auto rows =
        support::rowsIn(shopFile(), QStringLiteral("SELECT r.action_id, o.number, r.charge_id, r.email, r.last_four "
                                                   "FROM key_records AS r JOIN orders AS o ON o.id = r.order_id "
                                                   "WHERE ") +
                                        where);
    for (const QVariantList& row : rows)
        known.append({row.at(0).toByteArray(), row.at(1).toByteArray(), row.at(2).toByteArray(), row.at(3).toByteArray(),
                      row.at(4).toByteArray()});
    return known;
}

QList<KnownAction> SupportLoad::knownOf(const QByteArray& email) const
{
    return readKnown(
        QStringLiteral("r.email = '%1' ORDER BY random() LIMIT %2").arg(QString::fromLatin1(email)).arg(kKnownActions));
}

LoadResult SupportLoad::search(const QList<QByteArray>& texts) const
{
    QList<QByteArray> paths;
    for (const QByteArray& text : texts)
        paths += "/v1/support/actions?q=" + text.toPercentEncoding();
    const auto token = m_server.token(QStringLiteral("support"));
    const auto first = support::ask(m_server.shopPort(), support::httpRequest("GET", paths.first(), support::bearer(token)));
    CHECK(first && !first->json().value(QStringLiteral("results")).toArray().isEmpty());
    return ask(paths, 1, QStringLiteral("support"));
}

LoadResult SupportLoad::look(const QList<KnownAction>& actions) const
{
    QList<QByteArray> paths;
    for (const KnownAction& action : actions)
        paths += "/v1/support/actions/" + action.id;
    return ask(paths, 1, QStringLiteral("support"));
}

LoadResult SupportLoad::ask(const QList<QByteArray>& paths, int connections, const QString& token) const
{
    const auto bearer = m_server.token(token);
    std::vector<QByteArray> requests;
    for (const QByteArray& path : paths)
        requests.push_back(keptAlive("GET", path, bearer));
    return runLoad({.port = m_server.shopPort(), .connections = connections, .requests = std::move(requests)});
}

} // namespace payonce::bench
