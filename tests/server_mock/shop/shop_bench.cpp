#include "shop_bench.h"

#include "protocol/bank_event_json.h"
#include "protocol/fields.h"
#include "protocol/webhook_signature.h"
#include "support/fresh_id.h"
#include "support/sqlite_file.h"

#include <QtCore/QJsonObject>
#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlQuery>
#include <QtTest/QTest>

namespace payonce::shop {

namespace {

using support::wallTime;

QByteArray pathOf(const values::ActionId& id)
{
    return "/v1/actions/" + QByteArray::fromStdString(id.toString()).toPercentEncoding();
}

} // namespace

ShopBench::ShopBench(const idempotency::LedgerNumbers& numbers, int rateLimit, protocol::KeyForm keys)
    : m_numbers(numbers), m_rateLimit(rateLimit), m_keys(keys)
{
}

bool ShopBench::start()
{
    m_bank = std::make_unique<bank::LedgerBank>(m_dir.filePath(QStringLiteral("bank.sqlite")), wallTime);
    m_gate = std::make_unique<GatedBank>(*m_bank);
    m_writer = std::make_unique<LedgerWriter>([file = shopFile(), numbers = m_numbers] {
        return ShopStore::open(file, numbers, {"srv_test", "bank_test"});
    });
    if (m_bank->start() || m_writer->start())
        return false;
    ShopSettings settings{.serverId = "srv_test",
                          .instance = "home/run_" + std::to_string(++m_starts),
                          .accounts = {},
                          .clock = [this] { return wallTime() + m_wallMoved; },
                          .uptime = [this] { return m_passed; },
                          .warn = [this](const LogEvent& event) { m_warnings.emplace_back(event.words); },
                          .numbers = m_numbers,
                          .outbox = {.every = kOutboxEvery},
                          .webhookSecret = kWebhookSecret,
                          .support = {[](const auto&, const std::string& account) {
                                          return Arrivals{account, {}};
                                      },
                                      m_bank.get()},
                          .replayBytes = kReplayBytesMost,
                          .rateLimit = m_rateLimit,
                          .keys = m_keys};
    settings.accounts.add("acct_1", kToken);
    settings.accounts.add("acct_2", kOtherToken);
    settings.accounts.add("support", kSupportToken, Scope::Support);
    settings.accounts.add("support_act", kSupportActToken, Scope::SupportAct);
    m_shop = std::make_unique<Shop>(std::move(settings), *m_writer, *m_gate, m_points);
    m_source = std::make_unique<ShopLedgerSource>(*m_bank, *m_shop);
    m_listener =
        std::make_unique<http::Listener>([this](auto exchange) { m_shop->handle(std::move(exchange)); }, http::Limits{},
                                         m_keys == protocol::KeyForm::Any ? http::renderProblemOfAnyKey : http::renderProblem);
    return m_listener->listen(0).has_value();
}

void ShopBench::letTimePass(std::chrono::milliseconds time)
{
    m_wallMoved += time;
    m_passed += time;
}

void ShopBench::stop()
{
    m_listener.reset();
    m_source.reset();
    m_shop.reset();
    m_writer.reset();
    m_gate.reset();
    m_bank.reset();
}

std::unique_ptr<support::HttpCall> ShopBench::send(const QByteArray& method, const QByteArray& path,
                                                   const http::Headers& headers, const QByteArray& body,
                                                   const QByteArray& token)
{
    http::Headers all{{"Authorization", "Bearer " + token}};
    if (!body.isEmpty())
        all.emplaceBack("Content-Type", "application/json");
    return std::make_unique<support::HttpCall>(m_listener->port(), support::httpRequest(method, path, all + headers, body));
}

std::unique_ptr<support::HttpCall> ShopBench::pay(const values::ActionId& id, const Payment& payment,
                                                  const http::Headers& headers)
{
    return send("POST", "/v1/payments", keyOf(id) + headers, bodyOf(payment));
}

std::unique_ptr<support::HttpCall> ShopBench::payHeldAt(console::Point point, const values::ActionId& id,
                                                        const Payment& payment, const http::Headers& headers)
{
    m_points.holdAt(point);
    auto call = pay(id, payment, headers);
    if (!QTest::qWaitFor([this] { return m_points.heldCount() == 1; }, kPatienceMs))
        qFatal("the payment does not come to its point");
    return call;
}

std::unique_ptr<support::HttpCall> ShopBench::look(const values::ActionId& id, const http::Headers& headers,
                                                   const QByteArray& token)
{
    return send("GET", pathOf(id), headers, {}, token);
}

std::unique_ptr<support::HttpCall> ShopBench::abandon(const values::ActionId& id, const http::Headers& headers,
                                                      const QByteArray& token)
{
    return send("POST", pathOf(id) + "/abandon", headers, {}, token);
}

std::unique_ptr<support::HttpCall> ShopBench::tell(const idempotency::BankEvent& event, std::chrono::seconds moved)
{
    const std::string body = protocol::renderBankEvent(event);
    const auto head = protocol::signWebhook(kWebhookSecret, event.id, time() + moved, body);
    return send("POST", "/v1/webhooks/bank",
                {{"webhook-id", QByteArray::fromStdString(head.id)},
                 {"webhook-timestamp", QByteArray::fromStdString(head.timestamp)},
                 {"webhook-signature", QByteArray::fromStdString(head.signature)}},
                QByteArray::fromStdString(body), "no token of this shop");
}

values::WallTime ShopBench::time() const
{
    return wallTime() + m_wallMoved;
}

QByteArray ShopBench::signUpBodyFor(const QByteArray& email)
{
    static const QByteArray kUntil = QByteArray::fromStdString(values::toRfc3339(wallTime() + std::chrono::minutes(10)));
    return R"({"email":")" + email + R"(","name":"A","valid_until":")" + kUntil + R"("})";
}

std::unique_ptr<support::HttpCall> ShopBench::signUp(const values::ActionId& id, const QByteArray& email,
                                                     const QByteArray& token)
{
    return send("POST", "/v1/accounts", keyOf(id), signUpBodyFor(email), token);
}

support::HttpAnswer ShopBench::ask(const values::ActionId& id, const QByteArray& rest)
{
    return answerOf(send(rest.startsWith('/') ? "POST" : "GET", pathOf(id) + rest));
}

idempotency::KeyRecord ShopBench::recordOf(const values::ActionId& id)
{
    std::optional<std::optional<idempotency::KeyRecord>> found;
    m_shop->records().find("acct_1", id, [&found](const auto& record) { found = record.value_or(std::nullopt); });
    if (!QTest::qWaitFor([&found] { return found.has_value(); }, kPatienceMs) || !*found)
        qFatal("no record of %s", id.toString().c_str());
    return **found;
}

std::unique_ptr<support::HttpCall> ShopBench::supportLook(const values::ActionId& id)
{
    return send("GET", "/v1/support/actions/" + QByteArray::fromStdString(id.toString()), {}, {}, kSupportToken);
}

std::unique_ptr<support::HttpCall> ShopBench::supportAct(const values::ActionId& deedId, const values::ActionId& target,
                                                         const QByteArray& deed, const QByteArray& reason,
                                                         const QByteArray& token)
{
    return send("POST", "/v1/support/actions/" + QByteArray::fromStdString(target.toString()) + '/' + deed, keyOf(deedId),
                R"({"reason":")" + reason + R"("})", token);
}

std::vector<std::vector<std::string>> ShopBench::auditRows() const
{
    std::vector<std::vector<std::string>> result;
    const auto rows =
        support::rowsIn(shopFile(), QStringLiteral("SELECT who, deed, action_id, reason FROM support_audit ORDER BY rowid"));
    for (const QVariantList& row : rows) {
        auto& told = result.emplace_back();
        for (const QVariant& value : row)
            told.push_back(value.toString().toStdString());
    }
    return result;
}

std::vector<std::string> ShopBench::auditAccounts() const
{
    std::vector<std::string> accounts;
    for (const auto& row : support::rowsIn(shopFile(), QStringLiteral("SELECT account FROM support_audit ORDER BY rowid")))
        accounts.push_back(row.first().toString().toStdString());
    return accounts;
}

std::shared_ptr<void> ShopBench::lockBank() const
{
    const auto name = QStringLiteral("holder-of-the-bank");
    QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), name);
    database.setDatabaseName(m_dir.filePath(QStringLiteral("bank.sqlite")));
    if (!database.open() || !QSqlQuery(database).exec(QStringLiteral("BEGIN EXCLUSIVE")))
        qFatal("the bank cannot be locked");
    return {nullptr, [name](void*) {
                QSqlDatabase::database(name, false).close();
                QSqlDatabase::removeDatabase(name);
            }};
}

values::ActionId ShopBench::newActionNow() const
{
    return support::freshId(time());
}

void ShopBench::changeShop(const QStringList& statements) const
{
    support::changeFile(shopFile(), statements);
}

void ShopBench::changeBank(const QStringList& statements) const
{
    support::changeFile(m_dir.filePath(QStringLiteral("bank.sqlite")), statements);
}

support::HttpAnswer ShopBench::answerOf(const std::unique_ptr<support::HttpCall>& call)
{
    return support::answerOf(*call);
}

QByteArray ShopBench::exchangeCard(const QByteArray& number)
{
    return text(answerOf(send("POST", "/v1/payment-methods", {}, support::cardBody(number))), "id").toUtf8();
}

Payment ShopBench::newPayment(const QByteArray& number)
{
    Payment payment;
    payment.paymentMethod = exchangeCard(number);
    payment.validUntil = QByteArray::fromStdString(values::toRfc3339(wallTime() + m_wallMoved + std::chrono::minutes(10)));
    return payment;
}

std::vector<bank::ChargeEntry> ShopBench::charges()
{
    std::optional<std::optional<std::vector<bank::ChargeEntry>>> entries;
    m_bank->charges([&entries](const auto& came) { entries = came; });
    if (!QTest::qWaitFor([&entries] { return entries.has_value(); }, kPatienceMs) || !*entries)
        qFatal("the bank's ledger cannot be read");
    return **entries;
}

std::unique_ptr<ShopLedgerSource> ShopBench::sourceWithin(const ReadingBounds& bounds)
{
    return std::make_unique<ShopLedgerSource>(*m_bank, *m_shop, bounds);
}

faults::LedgerView ShopBench::viewOf(ShopLedgerSource& source)
{
    std::optional<std::optional<faults::LedgerView>> view;
    source.read([&view](const auto& came) { view = came; });
    if (!QTest::qWaitFor([&view] { return view.has_value(); }, kPatienceMs) || !*view)
        qFatal("the ledgers cannot be read");
    return **view;
}

// Triggers put in by another connection: the shop's own statements fail inside SQLite, as they do on a broken disk.
void ShopBench::letWrites(const QString& place, Writes writes) const
{
    const QString trigger = QString(place).replace(QLatin1Char(' '), QLatin1Char('_'));
    const QString statement =
        writes == Writes::Work
            ? QStringLiteral("DROP TRIGGER %1").arg(trigger)
            : QStringLiteral("CREATE TRIGGER %1 BEFORE %2 BEGIN SELECT RAISE(ABORT, 'broken'); END").arg(trigger, place);
    support::changeFile(shopFile(), {statement});
}

void ShopBench::letWrites(Writes writes) const
{
    for (const char* place : {"INSERT ON key_records", "UPDATE ON key_records", "INSERT ON carts", "INSERT ON payment_methods"})
        letWrites(QString::fromLatin1(place), writes);
}

void ShopBench::dropOrders() const
{
    support::changeFile(shopFile(), {QStringLiteral("DROP TABLE orders")});
}

values::ActionId ShopBench::newAction()
{
    return support::freshId();
}

QByteArray ShopBench::bodyOf(const Payment& payment)
{
    return support::paymentBody(payment);
}

QByteArray ShopBench::respelledBodyOf(const Payment& payment)
{
    return R"({ "valid_until": ")" + payment.validUntil + R"(", "email": "a@example.com", "payment_method": ")" +
           payment.paymentMethod + R"(", "amount": {"currency": ")" + payment.currency + R"(", "value": )" +
           QByteArray::number(payment.value) + R"(}, "cart_id": ")" + payment.cart + R"(" })";
}

http::Headers ShopBench::keyOf(const values::ActionId& id)
{
    return {{"Idempotency-Key", QByteArray::fromStdString(protocol::quoted(id))}};
}

} // namespace payonce::shop
