#include "protocol/fields.h"

#include <QtTest/QTest>

using namespace payonce;
using namespace payonce::protocol;

namespace {

constexpr auto kId = "0198c0de-7a11-7c3e-9f00-6b1f0a2c4d5e";
constexpr std::chrono::milliseconds kAheadMost = std::chrono::hours(24);

values::ActionId id()
{
    return values::ActionId::parse(kId).value();
}

/// The key is an hour old.
values::WallTime now()
{
    return id().madeAt().value() + std::chrono::hours(1);
}

QByteArray bytes(const std::string& text)
{
    return QByteArray::fromStdString(text);
}

retry::AttemptNote note(int number, retry::PreviousEnd previous, int presses, retry::State state)
{
    return {number, previous, presses, state};
}

bool same(const retry::AttemptNote& a, const retry::AttemptNote& b)
{
    return a.number == b.number && a.previous == b.previous && a.presses == b.presses && a.state == b.state;
}

} // namespace

class FieldsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void keyInEveryGoodForm_isTheSameKey_data();
    void keyInEveryGoodForm_isTheSameKey();
    void badKey_isRefusedWithItsKind_data();
    void badKey_isRefusedWithItsKind();
    void keyOfAnyForm_isRead_data();
    void keyOfAnyForm_isRead();
    void badKeyOfAnyForm_isRefused_data();
    void badKeyOfAnyForm_isRefused();
    void missingOrRepeatedKey_isRefused();
    void keyFromTheFuture_isRefusedButKnown();
    void keyIsWrittenAsString();
    void actionId_isRead();
    void attempt_isWrittenAsTheContractSays();
    void everyPreviousEndAndState_survivesTheWire();
    void attemptWithParts_isRead_data();
    void attemptWithParts_isRead();
    void badAttempt_isRefused_data();
    void badAttempt_isRefused();
    void wait_isReadAmongOtherPreferences_data();
    void wait_isReadAmongOtherPreferences();
    void noWait_isIgnored_data();
    void noWait_isIgnored();
};

void FieldsTest::keyInEveryGoodForm_isTheSameKey_data()
{
    QTest::addColumn<QByteArray>("line");
    const QByteArray key(kId);
    QTest::newRow("string") << '"' + key + '"';
    QTest::newRow("bare") << key;
    QTest::newRow("upper case") << '"' + key.toUpper() + '"';
    QTest::newRow("spaces around") << "  \"" + key + "\"\t";
}

void FieldsTest::keyInEveryGoodForm_isTheSameKey()
{
    QFETCH(QByteArray, line);
    const auto key = parseKey({line.toStdString()}, now(), kAheadMost);
    QVERIFY(key.has_value());
    QVERIFY(*key == id());
}

void FieldsTest::badKey_isRefusedWithItsKind_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<KeyErrorKind>("kind");
    const QByteArray key(kId);
    const QByteArray string = '"' + key + '"';
    QTest::newRow("empty line") << QByteArray() << KeyErrorKind::Empty;
    QTest::newRow("spaces") << QByteArray("  ") << KeyErrorKind::Empty;
    QTest::newRow("empty string") << QByteArray("\"\"") << KeyErrorKind::Empty;
    QTest::newRow("two in one line") << string + ", " + string << KeyErrorKind::Malformed;
    QTest::newRow("two bare in one line") << key + ',' + key << KeyErrorKind::Malformed;
    QTest::newRow("parameter") << string + ";a=1" << KeyErrorKind::Malformed;
    QTest::newRow("no closing quote") << '"' + key << KeyErrorKind::Malformed;
    QTest::newRow("only the closing quote") << key + '"' << KeyErrorKind::Malformed;
    QTest::newRow("bare with a space") << key + " x" << KeyErrorKind::Malformed;
    QTest::newRow("non-ascii") << QByteArray("\"k\xC3\xA9y\"") << KeyErrorKind::Malformed;
    QTest::newRow("too long") << '"' + QByteArray(300, 'a') + '"' << KeyErrorKind::Malformed;
    QTest::newRow("word") << QByteArray("\"order-1\"") << KeyErrorKind::NotUuidV7;
    QTest::newRow("bare word") << QByteArray("order-1") << KeyErrorKind::NotUuidV7;
    QTest::newRow("version 4") << QByteArray("\"919108f7-52d1-4320-9bac-f847db4148a8\"") << KeyErrorKind::NotUuidV7;
    QTest::newRow("space inside the string") << "\" " + key + '"' << KeyErrorKind::NotUuidV7;
}

void FieldsTest::badKey_isRefusedWithItsKind()
{
    QFETCH(QByteArray, line);
    QFETCH(KeyErrorKind, kind);
    const auto key = parseKey({line.toStdString()}, now(), kAheadMost);
    QVERIFY(!key);
    QCOMPARE(key.error().kind, kind);
    QVERIFY(bytes(key.error().detail).contains("Idempotency-Key"));
    QVERIFY(!key.error().id);
}

void FieldsTest::keyOfAnyForm_isRead_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("UUIDv7") << QByteArray(kId) << QByteArray(kId);
    QTest::newRow("UUIDv7 in capitals") << QByteArray(kId).toUpper() << QByteArray(kId);
    QTest::newRow("string") << QByteArray("\"order-1\"") << QByteArray("order-1");
    QTest::newRow("bare") << QByteArray("order-1") << QByteArray("order-1");
    QTest::newRow("bare base64") << QByteArray("abc+/09==") << QByteArray("abc+/09==");
    QTest::newRow("version 4") << QByteArray("\"919108f7-52d1-4320-9bac-f847db4148a8\"")
                               << QByteArray("919108f7-52d1-4320-9bac-f847db4148a8");
    QTest::newRow("comma and semicolon in the string") << QByteArray("\"a, b;c\"") << QByteArray("a, b;c");
    QTest::newRow("escapes") << QByteArray(R"("a\"b\\c")") << QByteArray(R"(a"b\c)");
    QTest::newRow("the longest") << '"' + QByteArray(255, 'k') + '"' << QByteArray(255, 'k');
    QTest::newRow("the longest, all escaped") << '"' + QByteArray("\\\"").repeated(255) + '"' << QByteArray(255, '"');
}

void FieldsTest::keyOfAnyForm_isRead()
{
    QFETCH(QByteArray, line);
    QFETCH(QByteArray, text);
    const auto key = parseKey({line.toStdString()}, now(), kAheadMost, KeyForm::Any);
    QVERIFY(key.has_value());
    QCOMPARE(bytes(key->toString()), text);
    // What is echoed is the same key again.
    QVERIFY(parseKey({quoted(*key)}, now(), kAheadMost, KeyForm::Any) == *key);
}

void FieldsTest::badKeyOfAnyForm_isRefused_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<KeyErrorKind>("kind");
    QTest::newRow("empty string") << QByteArray("\"\"") << KeyErrorKind::Empty;
    QTest::newRow("two bare") << QByteArray("a,b") << KeyErrorKind::Malformed;
    QTest::newRow("two strings") << QByteArray("\"a\", \"b\"") << KeyErrorKind::Malformed;
    QTest::newRow("parameter") << QByteArray("a;b=1") << KeyErrorKind::Malformed;
    QTest::newRow("bare with a space") << QByteArray("a b") << KeyErrorKind::Malformed;
    QTest::newRow("bare with a quote") << QByteArray("a\"b") << KeyErrorKind::Malformed;
    QTest::newRow("non-ascii") << QByteArray("\"caf\xC3\xA9\"") << KeyErrorKind::Malformed;
    QTest::newRow("control character") << QByteArray("\"a\tb\"") << KeyErrorKind::Malformed;
    QTest::newRow("too long") << '"' + QByteArray(256, 'k') + '"' << KeyErrorKind::Malformed;
    QTest::newRow("bare, too long") << QByteArray(256, 'k') << KeyErrorKind::Malformed;
    QTest::newRow("UUIDv7 of the far future")
        << QByteArray("f198c0de-7a11-7c3e-9f00-6b1f0a2c4d5e") << KeyErrorKind::TooFarAhead;
}

void FieldsTest::badKeyOfAnyForm_isRefused()
{
    QFETCH(QByteArray, line);
    QFETCH(KeyErrorKind, kind);
    const auto key = parseKey({line.toStdString()}, now(), kAheadMost, KeyForm::Any);
    QVERIFY(!key);
    QCOMPARE(key.error().kind, kind);
}

void FieldsTest::missingOrRepeatedKey_isRefused()
{
    QCOMPARE(parseKey({}, now(), kAheadMost).error().kind, KeyErrorKind::Missing);
    // Twice the same is still twice: another hop may read only one of them.
    QCOMPARE(parseKey({kId, kId}, now(), kAheadMost).error().kind, KeyErrorKind::Repeated);
}

void FieldsTest::keyFromTheFuture_isRefusedButKnown()
{
    const auto made = id().madeAt().value();
    QVERIFY(parseKey({kId}, made - kAheadMost, kAheadMost).has_value());
    const auto key = parseKey({kId}, made - kAheadMost - std::chrono::milliseconds(1), kAheadMost);
    QVERIFY(!key);
    QCOMPARE(key.error().kind, KeyErrorKind::TooFarAhead);
    QVERIFY(key.error().id == id());
    QVERIFY(bytes(key.error().detail).contains(bytes(values::toRfc3339(made - kAheadMost - std::chrono::milliseconds(1)))));
}

void FieldsTest::keyIsWrittenAsString()
{
    QCOMPARE(bytes(quoted(id())), QByteArray("\"0198c0de-7a11-7c3e-9f00-6b1f0a2c4d5e\""));
    QVERIFY(parseKey({quoted(id())}, now(), kAheadMost) == id());
}

void FieldsTest::actionId_isRead()
{
    QVERIFY(parseActionId(quoted(id())) == id());
    QVERIFY(!parseActionId(kId));
    QVERIFY(!parseActionId("\"order-1\""));
    QVERIFY(!parseActionId(""));
}

void FieldsTest::attempt_isWrittenAsTheContractSays()
{
    QCOMPARE(bytes(formatAttempt(note(2, retry::PreviousEnd::Timeout, 3, retry::State::Confirming))),
             QByteArray("2;prev=timeout;presses=3;state=confirming"));
    QCOMPARE(bytes(formatAttempt(note(1, retry::PreviousEnd::None, 1, retry::State::Sending))),
             QByteArray("1;prev=none;presses=1;state=sending"));
}

void FieldsTest::everyPreviousEndAndState_survivesTheWire()
{
    using retry::PreviousEnd;
    using retry::State;
    for (const auto previous : {PreviousEnd::None, PreviousEnd::NotSent, PreviousEnd::Timeout, PreviousEnd::Closed,
                                PreviousEnd::BadAnswer, PreviousEnd::Http5xx})
        for (const auto state :
             {State::Editing, State::Saving, State::NotStarted, State::Sending, State::Confirming, State::ServerWorking,
              State::RetryWait, State::Offline, State::Paid, State::Declined, State::Cancelled, State::Unresolved}) {
            const auto written = note(4, previous, 2, state);
            const auto read = parseAttempt(formatAttempt(written));
            QVERIFY(read.has_value());
            QVERIFY(same(*read, written));
        }
}

void FieldsTest::attemptWithParts_isRead_data()
{
    QTest::addColumn<QByteArray>("field");
    QTest::addColumn<QByteArray>("whole");
    const auto add = [](const char* field, const char* whole) {
        QTest::newRow(field) << QByteArray(field) << QByteArray(whole);
    };
    add("1", "1;prev=none;presses=1;state=sending");
    add(" 7 ", "7;prev=none;presses=1;state=sending");
    add("2; prev=http_5xx", "2;prev=http_5xx;presses=1;state=sending");
    add("2;x=1;y;z=\"a;b\";presses=0", "2;prev=none;presses=0;state=sending");
    add("2;prev=closed;prev=timeout", "2;prev=timeout;presses=1;state=sending");
    add("2;prev=late;state=ready", "2;prev=none;presses=1;state=sending"); // tokens that mean nothing here
    add("2;state=Paid!;presses=3", "2;prev=none;presses=3;state=sending");
    add("2;state=*;prev=a/b:c", "2;prev=none;presses=1;state=sending");
    add("2;presses=9999999", "2;prev=none;presses=1000000;state=sending");
    add("2;presses=-1", "2;prev=none;presses=0;state=sending");
    add("1000000", "1000000;prev=none;presses=1;state=sending");
    const QByteArray longest = "2;state=" + QByteArray(kLongestAttemptToken, 'a');
    QTest::newRow("the longest token") << longest << QByteArray("2;prev=none;presses=1;state=sending");
}

void FieldsTest::attemptWithParts_isRead()
{
    QFETCH(QByteArray, field);
    QFETCH(QByteArray, whole);
    const auto read = parseAttempt(field.toStdString());
    QVERIFY(read.has_value());
    QCOMPARE(bytes(formatAttempt(*read)), whole);
}

void FieldsTest::badAttempt_isRefused_data()
{
    QTest::addColumn<QByteArray>("field");
    for (const char* field :
         {"", "0", "-1", "1.5", "two", "\"2\"", "2 3", "2,3", "2;", "2;prev", "2;prev=\"late\"", "2;state=5", "2;state=a b",
          "2;state=", "2;presses=many", "1000001", "2;PREV=none", "99999999999999999999"})
        QTest::addRow("'%s'", field) << QByteArray(field);
    QTest::newRow("a token that is too long") << "2;state=" + QByteArray(kLongestAttemptToken + 1, 'a');
}

void FieldsTest::badAttempt_isRefused()
{
    QFETCH(QByteArray, field);
    QVERIFY(!parseAttempt(field.toStdString()));
}

void FieldsTest::wait_isReadAmongOtherPreferences_data()
{
    QTest::addColumn<QByteArray>("field");
    QTest::addColumn<int>("seconds");
    const auto add = [](const char* field, int seconds) { QTest::newRow(field) << QByteArray(field) << seconds; };
    add("wait=4", 4);
    add("wait=25", 25);
    add("Wait = 10", 10);
    add("wait=\"10\"", 10);
    add("respond-async, wait=10", 10);
    add("return=\"a,wait=3\", wait=10; x=1", 10);
    add("wait=3, wait=20", 3);
    add("wait=26", 25);
    add("wait=100000", 25);
    add("wait=0", 1);
}

void FieldsTest::wait_isReadAmongOtherPreferences()
{
    QFETCH(QByteArray, field);
    QFETCH(int, seconds);
    const auto wait = parseWait(field.toStdString());
    QVERIFY(wait.has_value());
    QCOMPARE(int(wait->count()), seconds);
    QVERIFY(parseWait(formatWait(*wait)) == wait);
}

void FieldsTest::noWait_isIgnored_data()
{
    QTest::addColumn<QByteArray>("field");
    for (const char* field :
         {"", "respond-async", "wait", "wait=", "wait=soon", "wait=-1", "wait=1.5", "waits=3", "return=\"wait=3\""})
        QTest::addRow("'%s'", field) << QByteArray(field);
}

void FieldsTest::noWait_isIgnored()
{
    QFETCH(QByteArray, field);
    QVERIFY(!parseWait(field.toStdString()));
}

QTEST_APPLESS_MAIN(FieldsTest)
#include "tst_fields.moc"
