// Real faults of real clients on the wire, one test each, named after what went wrong there.
#include "core/transport/case_shop.h"

#include <QtTest/QTest>

using namespace payonce;
using namespace payonce::runnertest;
using namespace payonce::wiretest;
using namespace std::chrono_literals;
using retry::State;

Q_DECLARE_METATYPE(payonce::wiretest::Reaction)

namespace {

const Reaction kClosed = {.bytes = {}, .ending = Ending::Close};
const Reaction kReset = {.bytes = {}, .ending = Ending::Reset};
const Reaction kSilent = {};

} // namespace

class WireCasesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        failOnWarnings();
        m_client.reset();
        m_shop = std::make_unique<CaseShop>();
        m_numbers = quickNumbers();
        // A slow machine is neither a late answer nor a failed probe, which would permit the next POST.
        m_numbers.softDeadline = 10s;
        m_numbers.probeLimit = 10s;
    }

    // QTBUG-75573 (nextcloud/desktop PR #1699), square/okhttp #2394: delivered, not answered, sent again below the application.
    void peerClosedWithoutAnAnswer_soTheStackSentThePostAgain_data()
    {
        QTest::addColumn<Reaction>("ending");
        QTest::newRow("FIN") << kClosed;
        QTest::newRow("RST") << kReset;
        QTest::newRow("FIN of one side") << Reaction{.bytes = {}, .ending = Ending::HalfClose};
        QTest::newRow("garbled status line") << Reaction{.bytes = "HTTQ/1.1 ###\r\n\r\n", .ending = Ending::Close};
    }
    void peerClosedWithoutAnAnswer_soTheStackSentThePostAgain()
    {
        QFETCH(const Reaction, ending);
        m_shop->posts = {ending};
        expectPaid();
        QCOMPARE(m_shop->postCount(), 1);
        QVERIFY(m_shop->probeCount() > 0);
    }

    // odoo #40567: the order had only the server's ID, which a client that timed out never learned.
    void clientThatTimedOut_neverLearnedTheServersId()
    {
        m_numbers.hardLimit = 100ms;
        m_shop->posts = {kSilent};
        m_shop->probes = {problemAnswer(404, "action-unknown"), problemAnswer(404, "action-unknown"),
                          problemAnswer(404, "action-unknown")};
        expectPaid();
    }

    // stripe-ruby #431: "another request with this key is running" was raised as a failure.
    void stillRunning_wasCalledAFailure()
    {
        m_shop->posts = {problemAnswer(409, "in-progress")};
        m_shop->probes = {stateAnswer("in_progress"), stateAnswer("in_progress")};
        expectPaid();
        QVERIFY(m_client->hasShown(State::ServerWorking));
        QCOMPARE(m_shop->postCount(), 1);
    }

    // odoo PR #218990: a status word that the client did not know was taken for "failed".
    void unknownWordForTheState_wasTakenForAFailure()
    {
        m_shop->posts = {kClosed};
        m_shop->probes = {stateAnswer("processing"), stateAnswer("PROCESSING"), stateAnswer("")};
        expectPaid();
    }

    // DFXswiss/app PR #1223: a 408 with a JSON body went down the path of success and ended the polling.
    void answer408WithABody_endedThePolling()
    {
        m_shop->posts = {problemAnswer(408, "timeout")};
        m_shop->probes = {problemAnswer(408, "timeout"), problemAnswer(408, "timeout")};
        expectPaid();
    }

    // nextcloud/desktop #2610: Qt reports a timeout as OperationCanceledError, and the client took it for a person's abort.
    void timeoutLookedLikeAnAbort_soTheClientNeverCameBack()
    {
        m_numbers.hardLimit = 100ms;
        m_numbers.probeLimit = 50ms;
        m_shop->posts = {kSilent};
        m_shop->probes = {kSilent, kSilent};
        expectPaid();
    }

    // stripe-node PR #559: is a 500 replayed for the life of the key, or does the next copy run?
    void answer500_wasTheLastWord()
    {
        m_shop->posts = {problemAnswer(500, "internal")};
        m_shop->probes = {problemAnswer(404, "action-unknown")};
        expectPaid();
        QCOMPARE(m_shop->postCount(), 2);
    }

    // axios-retry #21: the time left for the last try came out as zero, which meant "no timeout".
    void spentBudgetMeantNoTimeout_soTheLastTryWaitedForEver()
    {
        m_numbers.hardLimit = 50ms;
        m_numbers.probeLimit = 50ms;
        m_numbers.unresolvedAfter = 300ms;
        m_shop->posts = {kClosed, kSilent, kSilent, kSilent};
        m_shop->probes.assign(1000, kSilent);
        begin();
        QTRY_VERIFY(m_client->state() == State::Unresolved);
        expectNoFalseWord();
    }

    // woocommerce #42223: 503, an empty body or junk around the JSON came out as "try again", also as the parser's own words.
    void unreadableAnswer_wasShownAsTryAgain_data()
    {
        QTest::addColumn<Reaction>("answer");
        QTest::newRow("503 page") << Reaction{.bytes = wholeAnswer(503, "<html>Sorry</html>")};
        QTest::newRow("empty 200") << Reaction{.bytes = wholeAnswer(200, "")};
        QTest::newRow("notice before the JSON")
            << Reaction{.bytes = wholeAnswer(200, "<b>Notice</b>: x in y on line 1\n{\"a\":1}")};
        QTest::newRow("cut JSON") << Reaction{.bytes = wholeAnswer(200, "{\"action_id\":\"0198")};
    }
    void unreadableAnswer_wasShownAsTryAgain()
    {
        QFETCH(const Reaction, answer);
        m_shop->posts = {answer};
        expectPaid();
        QVERIFY(m_client->hasShown(State::Confirming));
        QCOMPARE(m_shop->postCount(), 1);
    }

    // nextcloud/desktop #4898: every short fault was a big red error, although the next try worked.
    void shortFaults_wereShownAsErrors()
    {
        m_shop->posts = {kClosed};
        m_shop->probes = {kReset, kClosed};
        expectPaid();
        QVERIFY(!m_client->hasShown(State::Unresolved));
    }

    // square/okhttp #4253: after a 400 ten to twenty copies left at once, and went on through 503s.
    void answer400_setOffAStormOfCopies()
    {
        m_shop->posts = {problemAnswer(400, "body-invalid")};
        m_shop->probes.assign(5, problemAnswer(503, "store-unavailable"));
        begin();
        QTRY_VERIFY(!m_client->isUnderWay());
        QCOMPARE(m_shop->postCount(), 1);
        QVERIFY(!m_client->hasShown(State::Paid));
        QCOMPARE(m_client->state(), State::NotCharged); // said only once the shop had closed it
        QCOMPARE(m_shop->keyCount(), 1U);
        QCOMPARE(m_shop->strayCount(), 0);
    }

    // svix-webhooks #2200: the sender kept to its own schedule and ignored the receiver's Retry-After.
    void retryAfter_wasIgnored_data()
    {
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<int>("wait");
        QTest::newRow("seconds") << QByteArray("1") << 1000;
        QTest::newRow("date, by the answer's own clock") << QByteArray("Mon, 30 Nov 2026 10:00:01 GMT") << 1000;
        QTest::newRow("nonsense: the own schedule") << QByteArray("in a moment") << 0;
        QTest::newRow("more than a day: the own schedule") << QByteArray("99999999999999999999") << 0;
    }
    void retryAfter_wasIgnored()
    {
        QFETCH(const QByteArray, value);
        QFETCH(const int, wait);
        m_shop->posts = {problemAnswer(429, "rate-limited", "Retry-After: " + value + "\r\n")};
        m_shop->probes.assign(1000, problemAnswer(404, "action-unknown"));
        expectPaid();
        QCOMPARE(m_shop->postCount(), 2);
        QVERIFY(m_shop->gapOfPosts() >= std::chrono::milliseconds(wait));
    }

    // haproxy #439 (and istio #50506, which had sent the payout to a second backend): a blank 502 in place of the answer.
    void blank502_stoodForTheAnswer_data()
    {
        QTest::addColumn<Reaction>("answer");
        QTest::newRow("without a body") << Reaction{.bytes = "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n"};
        QTest::newRow("without a length") << Reaction{.bytes = "HTTP/1.1 502 Bad Gateway\r\n\r\n", .ending = Ending::Close};
        QTest::newRow("503 of the proxy") << Reaction{.bytes = "HTTP/1.1 503 No Server\r\nContent-Length: 0\r\n\r\n"};
        QTest::newRow("504 of the proxy") << Reaction{.bytes = "HTTP/1.1 504 Timeout\r\nContent-Length: 0\r\n\r\n"};
    }
    void blank502_stoodForTheAnswer()
    {
        QFETCH(const Reaction, answer);
        m_shop->posts = {answer};
        expectPaid();
        QVERIFY(m_client->hasShown(State::Confirming));
        QCOMPARE(m_shop->postCount(), 1);
    }

    // Measured on Qt 6.4.2: by default 302 turns the POST into a GET that ends in 200, and 307 carries token and key elsewhere.
    void redirect_turnedThePostIntoAGetOfALoginPage_data()
    {
        QTest::addColumn<int>("status");
        for (const int status : {301, 302, 303, 307, 308})
            QTest::addRow("%d", status) << status;
    }
    void redirect_turnedThePostIntoAGetOfALoginPage()
    {
        QFETCH(const int, status);
        m_shop->posts = {Reaction{.bytes = wholeAnswer(status, "{}", "Location: /login\r\n")}};
        expectPaid();
        QCOMPARE(m_shop->postCount(), 1);
    }

private:
    void begin()
    {
        m_client = std::make_unique<CaseClient>(*m_shop, m_numbers);
        QVERIFY(m_client->pay());
    }

    void expectPaid()
    {
        begin();
        QTRY_VERIFY(m_client->state() == State::Paid);
        expectNoFalseWord();
    }

    void expectNoFalseWord()
    {
        QVERIFY(!m_client->hasDenied());
        QCOMPARE(m_shop->keyCount(), 1U);
        QCOMPARE(m_shop->strayCount(), 0);
    }

    retry::Numbers m_numbers;
    std::unique_ptr<CaseShop> m_shop;
    std::unique_ptr<CaseClient> m_client; // ends before its shop
};

QTEST_GUILESS_MAIN(WireCasesTest)
#include "tst_wire_cases.moc"
