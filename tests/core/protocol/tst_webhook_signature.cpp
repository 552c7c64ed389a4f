// Standard Webhooks: the published example, signatures made by hand elsewhere, and every way to be refused.
#include "protocol/webhook_signature.h"

#include <QtTest/QTest>

using namespace payonce;
using namespace std::chrono_literals;
using protocol::signWebhook;
using protocol::verifyWebhook;
using protocol::WebhookHead;

namespace {

// The example of the standard, whose libraries all carry it.
constexpr const char* kSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
constexpr const char* kId = "msg_p5jXN8AQM9LWM0D4loKWxJek";
constexpr const char* kBody = R"({"test": 2432232314})";
constexpr const char* kSignature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
const values::WallTime kTime{1'614'265'330s};

WebhookHead head()
{
    return {kId, "1614265330", kSignature};
}

} // namespace

class TestWebhookSignature : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void publishedExample_isSignedAndVerified()
    {
        const auto made = signWebhook(kSecret, kId, kTime, kBody);
        QCOMPARE(made.timestamp, std::string("1614265330"));
        QCOMPARE(made.signature, std::string(kSignature));
        QVERIFY(verifyWebhook(kSecret, head(), kBody, kTime).has_value());
    }

    // Computed with Python's hmac and base64.
    void bareSecret_isTheKeyItself()
    {
        const values::WallTime time{1'796'032'800s + 999ms}; // fractions of a second are cut
        QCOMPARE(signWebhook("a-bare-token", "evt_1", time, "{}").signature,
                 std::string("v1,YD4lUIKUhmFNJ5KnPW4cmJSQMu5bwju0QfiIp3zMmzY="));
        QCOMPARE(signWebhook("a-bare-token", "evt_1", time, "").signature,
                 std::string("v1,yhyZCGiCrMl0yTy8Wo/oAadrIi8UQ4moU5wom2C5mVw="));
    }

    void signatureAmongOthers_isFound_data()
    {
        QTest::addColumn<QByteArray>("list");
        const QByteArray good(kSignature);
        QTest::newRow("alone") << good;
        QTest::newRow("after a key that is being retired")
            << QByteArray("v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4= ") + good;
        QTest::newRow("before another version")
            << good + " v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==";
        QTest::newRow("with too many spaces") << "  " + good + "  ";
    }
    void signatureAmongOthers_isFound()
    {
        QFETCH(QByteArray, list);
        auto one = head();
        one.signature = list.toStdString();
        QVERIFY(verifyWebhook(kSecret, one, kBody, kTime).has_value());
    }

    void changedWebhook_isRefused_data()
    {
        QTest::addColumn<QByteArray>("id");
        QTest::addColumn<QByteArray>("timestamp");
        QTest::addColumn<QByteArray>("signature");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QByteArray>("says");
        const QByteArray id(kId);
        const QByteArray time("1614265330");
        const QByteArray good(kSignature);
        const QByteArray body(kBody);
        const QByteArray wrong("not this body's");
        QTest::newRow("other body") << id << time << good << QByteArray(R"({"test": 2432232315})") << wrong;
        QTest::newRow("a byte more") << id << time << good << body + ' ' << wrong;
        QTest::newRow("other id") << QByteArray("msg_2") << time << good << body << wrong;
        QTest::newRow("other time") << id << QByteArray("1614265331") << good << body << wrong;
        QTest::newRow("same time, respelled") << id << QByteArray("01614265330") << good << body << wrong;
        QTest::newRow("one character off") << id << time << QByteArray("v1,h0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
                                           << body << wrong;
        QTest::newRow("cut off") << id << time << good.left(20) << body << wrong;
        QTest::newRow("no version") << id << time << good.mid(3) << body << wrong;
        QTest::newRow("only another version") << id << time << "v2" + good.mid(2) << body << wrong;
        QTest::newRow("no base64") << id << time << QByteArray("v1,!!!!") << body << wrong;
        QTest::newRow("empty list") << id << time << QByteArray(" ") << body << wrong;
        QTest::newRow("no id") << QByteArray() << time << good << body << QByteArray("has the headers");
        QTest::newRow("no time") << id << QByteArray() << good << body << QByteArray("has the headers");
        QTest::newRow("no signature") << id << time << QByteArray() << body << QByteArray("has the headers");
        for (const char* text : {"-1", "1614265330.5", "0x10", " 1614265330", "99999999999999999999", "253402300800", "now"})
            QTest::addRow("time: %s", text) << id << QByteArray(text) << good << body << QByteArray("whole seconds");
        QTest::newRow("long id") << QByteArray(256, 'x') << time << good << body << QByteArray("too long");
        QTest::newRow("long signature") << id << time << QByteArray(4097, 'x') << body << QByteArray("too long");
    }
    void changedWebhook_isRefused()
    {
        QFETCH(QByteArray, id);
        QFETCH(QByteArray, timestamp);
        QFETCH(QByteArray, signature);
        QFETCH(QByteArray, body);
        QFETCH(QByteArray, says);
        const auto verified = verifyWebhook(kSecret, {id.toStdString(), timestamp.toStdString(), signature.toStdString()},
                                            body.toStdString(), kTime);
        QVERIFY(!verified);
        const auto detail = QByteArray::fromStdString(verified.error());
        QVERIFY2(detail.contains(says), detail.constData());
        QVERIFY(!detail.contains("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"));
    }

    void otherSecret_isRefused() { QVERIFY(!verifyWebhook("whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD", head(), kBody, kTime)); }

    void window_isFiveMinutesEitherWayAndSaysHowFarApart_data()
    {
        QTest::addColumn<int>("clockAhead");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("same time") << 0 << QByteArray();
        QTest::newRow("5 min later") << 300 << QByteArray();
        QTest::newRow("5 min earlier") << -300 << QByteArray();
        QTest::newRow("a second too late") << 301 << QByteArray("301 s behind the shop's clock");
        QTest::newRow("a second too early") << -301 << QByteArray("301 s ahead of the shop's clock");
        QTest::newRow("a day") << 86'400 << QByteArray("86400 s behind the shop's clock");
    }
    void window_isFiveMinutesEitherWayAndSaysHowFarApart()
    {
        QFETCH(int, clockAhead);
        QFETCH(QByteArray, says);
        const auto verified = verifyWebhook(kSecret, head(), kBody, kTime + std::chrono::seconds(clockAhead));
        QCOMPARE(verified.has_value(), says.isEmpty());
        if (!verified)
            QVERIFY2(QByteArray::fromStdString(verified.error()).contains(says), verified.error().c_str());
    }
};

QTEST_APPLESS_MAIN(TestWebhookSignature)
#include "tst_webhook_signature.moc"
