#include "protocol/account_request.h"

#include "core/protocol/record_samples.h"
#include "fixtures/fixture.h"

#include <QtTest/QTest>

using namespace payonce;
using namespace payonce::protocol;
using idempotency::ProblemCode;

namespace {

QByteArray bytes(const std::string& text)
{
    return QByteArray::fromStdString(text);
}

} // namespace

class AccountRequestTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void contractsBody_isRead();
    void canonicalBody_hasMembersThatAreNotRead();
    void badMember_isNamed_data();
    void badMember_isNamed();
    void nameOfAnyScript_isTakenByItsCharacters_data();
    void nameOfAnyScript_isTakenByItsCharacters();
    void bodyThatIsNotIJson_is400_data();
    void bodyThatIsNotIJson_is400();
    void answers_areTheContracts();
    void statusOfASignUp_isTheContracts();
};

void AccountRequestTest::contractsBody_isRead()
{
    const auto asked = parseSignUp(fixtures::read("sign_up_request.json"));
    QVERIFY(asked.has_value());
    QCOMPARE(bytes(asked->email), QByteArray("a@example.com"));
    QCOMPARE(bytes(asked->name), QByteArray("A"));
    QCOMPARE(asked->validUntil, samples::time("2026-12-01T10:00:00Z"));
    QCOMPARE(bytes(asked->canonicalBody), bytes(fixtures::read("sign_up_request.json")));
}

void AccountRequestTest::canonicalBody_hasMembersThatAreNotRead()
{
    const auto asked =
        parseSignUp("{\"z\":1, \"valid_until\":\"2026-12-01T10:00:00Z\", \"name\":\"A\", \"email\":\"a@example.com\"}");
    QVERIFY(asked.has_value());
    QCOMPARE(bytes(asked->canonicalBody),
             QByteArray("{\"email\":\"a@example.com\",\"name\":\"A\",\"valid_until\":\"2026-12-01T10:00:00Z\",\"z\":1}"));
}

void AccountRequestTest::badMember_isNamed_data()
{
    QTest::addColumn<QByteArray>("piece");
    QTest::addColumn<QByteArray>("other");
    QTest::addColumn<QByteArray>("named");
    const auto add = [](const char* name, const QByteArray& piece, const QByteArray& other, const char* named) {
        QTest::newRow(name) << piece << other << QByteArray(named);
    };
    add("no e-mail", "\"email\":\"a@example.com\",", "", "`email` is missing");
    add("e-mail as a number", "\"a@example.com\"", "7", "`email` must be a string");
    add("empty e-mail", "a@example.com", "", "`email` must be 1 to 254");
    add("long e-mail", "a@", QByteArray(243, 'a') + '@', "`email` must be 1 to 254");
    add("no address", "a@example.com", "example.com", "`email` must be an e-mail address");
    add("header in the e-mail", "a@example.com", "a@example.com\\r\\nBcc: b@example.com", "`email` has a control");
    add("no name", "\"name\":\"A\",", "", "`name` is missing");
    add("name as a list", "\"A\"", "[\"A\"]", "`name` must be a string");
    add("empty name", "\"A\"", "\"\"", "`name` must be 1 to");
    add("blank name", "\"A\"", "\"  \"", "`name` is blank");
    add("201 characters", "\"A\"", '"' + QByteArray(201, 'A') + '"', "`name` must be 1 to 200 characters");
    add("far too long", "\"A\"", '"' + QByteArray(5000, 'A') + '"', "`name` must be 1 to");
    add("line end in the name", "\"A\"", "\"A\\nB\"", "`name` has a control");
    add("no time", ",\"valid_until\":\"2026-12-01T10:00:00Z\"", "", "`valid_until` is missing");
    add("time as a number", "\"2026-12-01T10:00:00Z\"", "1796032800", "`valid_until`");
    add("no such day", "2026-12-01", "2026-12-32", "`valid_until`");
}

void AccountRequestTest::badMember_isNamed()
{
    QFETCH(const QByteArray, piece);
    QFETCH(const QByteArray, other);
    QFETCH(const QByteArray, named);
    QByteArray body = bytes(fixtures::read("sign_up_request.json"));
    QVERIFY(body.contains(piece));
    const auto refused = parseSignUp(body.replace(piece, other).toStdString());
    QVERIFY(!refused.has_value());
    QCOMPARE(refused.error().code, ProblemCode::MemberInvalid);
    QVERIFY2(bytes(refused.error().detail).startsWith(named), refused.error().detail.c_str());
}

void AccountRequestTest::nameOfAnyScript_isTakenByItsCharacters_data()
{
    QTest::addColumn<QByteArray>("character");
    QTest::newRow("one byte") << QByteArray("A");
    QTest::newRow("two bytes") << QByteArray("\xD0\x90");
    QTest::newRow("three bytes") << QByteArray("\xE4\xB8\xAD");
    QTest::newRow("four bytes") << QByteArray("\xF0\x9F\x98\x80");
}

void AccountRequestTest::nameOfAnyScript_isTakenByItsCharacters()
{
    QFETCH(const QByteArray, character);
    const auto withName = [](const QByteArray& name) {
        QByteArray body = bytes(fixtures::read("sign_up_request.json"));
        return parseSignUp(body.replace("\"A\"", '"' + name + '"').toStdString());
    };
    const auto longest = withName(character.repeated(200));
    QVERIFY(longest.has_value());
    QCOMPARE(bytes(longest->name), character.repeated(200));
    QVERIFY(!withName(character.repeated(201)).has_value());
}

void AccountRequestTest::bodyThatIsNotIJson_is400_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("doubled member") << QByteArray("{\"email\":\"a@example.com\",\"email\":\"b@example.com\"}");
    QTest::newRow("not UTF-8") << QByteArray("{\"email\":\"\xFF@example.com\"}");
}

void AccountRequestTest::bodyThatIsNotIJson_is400()
{
    QFETCH(const QByteArray, body);
    const auto refused = parseSignUp(body.toStdString());
    QVERIFY(!refused.has_value());
    QCOMPARE(refused.error().code, ProblemCode::BodyInvalid);
}

void AccountRequestTest::answers_areTheContracts()
{
    const auto made = renderSignedUp(samples::actionId(), "acc_7d02", "a@example.com");
    QCOMPARE(made.status, 201);
    QCOMPARE(bytes(made.body), bytes(fixtures::read("account_201.json")));
    const auto existing = renderAlreadyRegistered(samples::actionId());
    QCOMPARE(existing.status, 201);
    QCOMPARE(bytes(existing.body), bytes(fixtures::read("account_existing_201.json")));
}

void AccountRequestTest::statusOfASignUp_isTheContracts()
{
    idempotency::KeyRecord record{.account = "acct_1", .id = samples::actionId(), .kind = idempotency::RecordKind::Account};
    record.state = idempotency::RecordState::Succeeded;
    record.answer = renderSignedUp(samples::actionId(), "acc_7d02", "a@example.com");
    QCOMPARE(bytes(answerToStatus(record, std::chrono::seconds(1)).body),
             bytes(fixtures::read("action_account_succeeded.json")));
    QCOMPARE(bytes(answerToPost(record, std::chrono::seconds(1)).body), bytes(fixtures::read("account_201.json")));
}

QTEST_APPLESS_MAIN(AccountRequestTest)
#include "tst_account_request.moc"
