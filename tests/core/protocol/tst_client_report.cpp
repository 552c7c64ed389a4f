#include "protocol/client_report.h"
#include "protocol/support_request.h"

#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QRegularExpression>
#include <QtTest/QTest>

using namespace payonce;
using retry::State;

namespace {

retry::Snapshot aSnapshot()
{
    retry::Snapshot snapshot;
    snapshot.state = State::Paid;
    retry::StoredAction action{
        *values::ActionId::parse("0198c0de-7a11-7c3e-9f00-6b1f0a2c4d5e"),
        {"acct_1", "srv_1"},
        {"cart_1", {4200, *values::Currency::fromCode("EUR")}, "a@example.com"},
        {},
        {},
        1,
        false,
        retry::PreparedRequest{{"pm_secret", "visa", "4242"}, "{\"payment_method\":\"pm_secret\"}", "00"},
        {},
        {}};
    const auto at = values::WallTime(std::chrono::milliseconds(1'796'029'200'000));
    action.attempts = {
        {1, at, retry::AttemptEnd{312, {}, retry::TransportError::Timeout, retry::EndReason::HardDeadline}},
        {2, at, retry::AttemptEnd{0, {}, retry::TransportError::ConnectionRefused, retry::EndReason::Finished}},
        {3, at, {}},
        {4, at, retry::AttemptEnd{312, 201, retry::TransportError::None, retry::EndReason::Finished}},
    };
    snapshot.action = action;
    snapshot.pressesIn.at(static_cast<std::size_t>(State::Editing)) = 1;
    snapshot.pressesIn.at(static_cast<std::size_t>(State::Confirming)) = 3;
    return snapshot;
}

} // namespace

class ClientReportTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void report_isReadByTheShop();
    void report_tellsPressesByState();
    void report_holdsNoCardTokenOrBody();
    void report_ofManyAttemptsStaysSmall();
};

void ClientReportTest::report_isReadByTheShop()
{
    const auto attempts = protocol::reportedAttempts(protocol::buildReport(aSnapshot(), std::chrono::milliseconds(-120)));
    QCOMPARE(attempts.size(), std::size_t(4));
    QCOMPARE(attempts[0].outcome, std::string("unknown"));
    QCOMPARE(attempts[0].reason, std::string("hard_deadline"));
    QCOMPARE(attempts[1].outcome, std::string("not_sent"));
    QCOMPARE(attempts[2].outcome, std::string("unknown"));
    QCOMPARE(attempts[3].outcome, std::string("final"));
    QVERIFY(attempts[3].status == 201);
}

void ClientReportTest::report_tellsPressesByState()
{
    const auto report =
        QJsonDocument::fromJson(QByteArray::fromStdString(protocol::buildReport(aSnapshot(), std::chrono::milliseconds(-120))));
    const QJsonObject presses{{QStringLiteral("editing"), 1}, {QStringLiteral("confirming"), 3}};
    QCOMPARE(report[QLatin1String("presses")].toObject(), presses);
    QCOMPARE(report[QLatin1String("clock_offset_ms")].toInt(), -120);
    QCOMPARE(report[QLatin1String("last_state")].toString(), QStringLiteral("Paid"));
}

void ClientReportTest::report_holdsNoCardTokenOrBody()
{
    const std::string report = protocol::buildReport(aSnapshot(), {});
    for (const char* secret : {"pm_secret", "4242", "a@example.com", "payment_method"})
        QVERIFY2(report.find(secret) == std::string::npos, secret);
}

void ClientReportTest::report_ofManyAttemptsStaysSmall()
{
    auto snapshot = aSnapshot();
    for (int number = 5; number < 1000; ++number)
        snapshot.action->attempts.push_back({number, {}, {}});
    const std::string report = protocol::buildReport(snapshot, {});
    QVERIFY(report.size() <= 16 * 1024);
    QCOMPARE(protocol::reportedAttempts(report).back().number, 999);
}

QTEST_APPLESS_MAIN(ClientReportTest)
#include "tst_client_report.moc"
