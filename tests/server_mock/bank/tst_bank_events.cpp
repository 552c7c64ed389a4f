// The bank tells what it did: written with the charge, signed, at least once, and given up in the end.
#include "bank/event_sender.h"
#include "bank/ledger_bank.h"
#include "protocol/bank_event_json.h"
#include "server_mock/bank/bank_samples.h"

#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace payonce;
using namespace payonce::samples;
using namespace std::chrono_literals;
using bank::EventEnd;
using bank::EventSender;
using bank::LedgerBank;
using bank::Posted;
using bank::SignedEvent;
using bank::WaitingEvent;
using idempotency::BankState;

namespace {

constexpr const char* kSecret = "a secret of the test";
constexpr auto kLease = 30s;
constexpr int kPatienceMs = 10'000;

/// A shop that remembers what it was sent and answers as told, later than the call.
class FakePost final : public bank::EventPost
{
public:
    void post(const SignedEvent& event, std::function<void(Posted)> done) override
    {
        events.push_back(event);
        if (isSilent)
            return;
        QTimer::singleShot(0, &m_home, [done = std::move(done), answer = answer] { done(answer); });
    }

    std::vector<SignedEvent> events;
    Posted answer = Posted::Taken;
    bool isSilent = false;

private:
    QObject m_home;
};

} // namespace

class TestBankEvents : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_dir = std::make_unique<QTemporaryDir>();
        m_now = kNoon;
        m_post = std::make_unique<FakePost>();
        m_bank = std::make_unique<LedgerBank>(m_dir->filePath(QStringLiteral("bank.sqlite")), [this] { return m_now; });
        QVERIFY(!m_bank->start());
    }
    void cleanup()
    {
        m_sender.reset();
        m_bank.reset();
        m_post.reset();
    }

    void chargeHasOneEvent_howeverOftenItIsAsked()
    {
        const std::string card = exchange("4242424242424242");
        for (int again = 0; again < 3; ++again)
            charge(1, card);
        const auto events = take();
        QCOMPARE(events.size(), std::size_t{1});
        const auto& event = events.front().event;
        QCOMPARE(static_cast<int>(event.row.state), static_cast<int>(BankState::Approved));
        QVERIFY(event.row.chargeId.starts_with("ch_"));
        QCOMPARE(event.sequence, std::int64_t{2});
        QCOMPARE(event.amount.minorUnits, std::int64_t{4200});
        QVERIFY(event.bankKey == orderOf(1, card).key);
    }

    void declineHasOneEventAndAFenceHasNone()
    {
        charge(1, exchange("4000000000009995"));
        bool isFenced = false;
        m_bank->fence(orderOf(2, {}).key, [&isFenced](const bank::BankAnswer& answer) { isFenced = answer.row.has_value(); });
        QTRY_VERIFY(isFenced);
        const auto events = take();
        QCOMPARE(events.size(), std::size_t{1});
        QCOMPARE(events.front().event.row.declineCode, std::string("insufficient_funds"));
    }

    void takenEvent_isNobodyElsesUntilItsLeaseIsOver()
    {
        charge(1, exchange("4242424242424242"));
        QCOMPARE(take().size(), std::size_t{1});
        m_now += kLease - 1ms;
        QVERIFY(take().empty());
        m_now += 1ms;
        const auto again = take();
        QCOMPARE(again.size(), std::size_t{1});
        QCOMPARE(again.front().tries, 2);
    }

    void failedEvent_isTriedBySchedule_thenParked()
    {
        charge(1, exchange("4242424242424242"));
        for (const auto pause : {1s, 5s, 30s, 120s, 600s, 3600s}) {
            end(takeOne(), EventEnd::Failed);
            m_now += pause - 1ms;
            QVERIFY(take().empty());
            m_now += 1ms;
        }
        end(takeOne(), EventEnd::Failed); // the seventh
        m_now += 10'000h;
        QVERIFY(take().empty());
    }

    void deliveredEvent_isNeverTakenAgain()
    {
        charge(1, exchange("4242424242424242"));
        end(takeOne(), EventEnd::Delivered);
        m_now += 10'000h;
        QVERIFY(take().empty());
    }

    void clear_forgetsEvents()
    {
        charge(1, exchange("4242424242424242"));
        bool isCleared = false;
        m_bank->clear([&isCleared](bool done) { isCleared = done; });
        QTRY_VERIFY(isCleared);
        QVERIFY(take().empty());
    }

    void sender_signsWhatItSends()
    {
        charge(1, exchange("4242424242424242"));
        startSender();
        QTRY_COMPARE(m_post->events.size(), std::size_t{1});
        const SignedEvent& sent = m_post->events.front();
        QVERIFY(protocol::verifyWebhook(kSecret, sent.head, sent.body, m_now).has_value());
        const auto event = protocol::parseBankEvent(sent.head.id, sent.body);
        QVERIFY(event.has_value());
        QVERIFY(event->bankKey == orderOf(1, {}).key);
    }

    void sender_sendsAgainWhatWasNotTaken_underTheSameIdAndAFreshSignature()
    {
        m_post->answer = Posted::NotTaken;
        charge(1, exchange("4242424242424242"));
        startSender();
        QTRY_COMPARE(m_post->events.size(), std::size_t{1});
        m_post->answer = Posted::Taken;
        settleDown();
        QCOMPARE(m_post->events.size(), std::size_t{1}); // not before its time
        m_now += 1s;
        QTRY_COMPARE(m_post->events.size(), std::size_t{2});
        m_now += 10'000h;
        settleDown();
        QCOMPARE(m_post->events.size(), std::size_t{2});
        QCOMPARE(m_post->events.back().head.id, m_post->events.front().head.id);
        QVERIFY(m_post->events.back().head.timestamp != m_post->events.front().head.timestamp);
    }

    void slowShop_hasABoundedNumberOfPosts()
    {
        m_post->isSilent = true;
        const std::string card = exchange("4242424242424242");
        for (std::uint8_t n = 1; n <= kMost + 2; ++n)
            charge(n, card);
        startSender();
        QTRY_COMPARE(m_post->events.size(), std::size_t{kMost});
        settleDown();
        QCOMPARE(m_post->events.size(), std::size_t{kMost});
    }

    void senderThatEnded_isContinuedByTheNext()
    {
        m_post->isSilent = true;
        charge(1, exchange("4242424242424242"));
        startSender();
        QTRY_COMPARE(m_post->events.size(), std::size_t{1});
        m_sender.reset();
        m_post->isSilent = false;
        m_now += kLease;
        startSender();
        QTRY_COMPARE(m_post->events.size(), std::size_t{2});
    }

private:
    static constexpr std::chrono::milliseconds kEvery{10};
    static constexpr int kMost = 3;

    void startSender()
    {
        m_sender = std::make_unique<EventSender>(
            *m_bank, *m_post, kSecret, [this] { return m_now; },
            bank::EventNumbers{.every = kEvery, .lease = kLease, .most = kMost});
        m_sender->start();
    }
    /// The sender has looked for work a few times: each start is a round, and its question is in the bank's queue before ours.
    void settleDown()
    {
        for (int round = 0; round < 3; ++round) {
            m_sender->start();
            static_cast<void>(chargeCount());
        }
    }
    std::size_t chargeCount()
    {
        std::optional<std::size_t> count;
        m_bank->charges([&count](const auto& entries) { count = entries ? entries->size() : 0; });
        if (!QTest::qWaitFor([&count] { return count.has_value(); }, kPatienceMs))
            qFatal("the bank does not answer");
        return *count;
    }
    std::string exchange(const std::string& number)
    {
        std::string token;
        m_bank->exchange(number, [&token](const auto& card) { token = card ? card->paymentMethod : "none"; });
        if (!QTest::qWaitFor([&token] { return !token.empty(); }, kPatienceMs))
            qFatal("the bank does not answer");
        return token;
    }
    void charge(std::uint8_t n, const std::string& card)
    {
        bool isAnswered = false;
        m_bank->charge(orderOf(n, card),
                       [&isAnswered](const bank::BankAnswer& answer) { isAnswered = answer.row.has_value(); });
        QTRY_VERIFY(isAnswered);
    }
    std::vector<WaitingEvent> take()
    {
        std::optional<std::vector<WaitingEvent>> taken;
        m_bank->takeEvents(kLease, 10, [&taken](const auto& events) { taken = events; });
        if (!QTest::qWaitFor([&taken] { return taken.has_value(); }, kPatienceMs))
            qFatal("the bank does not answer");
        return *taken;
    }
    WaitingEvent takeOne()
    {
        const auto events = take();
        if (events.size() != 1)
            qFatal("%zu events are due", events.size());
        return events.front();
    }
    void end(const WaitingEvent& event, EventEnd how)
    {
        m_bank->endEvent(event, how);
        static_cast<void>(chargeCount()); // behind it in the queue
    }

    std::unique_ptr<QTemporaryDir> m_dir;
    values::WallTime m_now = kNoon;
    std::unique_ptr<FakePost> m_post;
    std::unique_ptr<LedgerBank> m_bank;
    std::unique_ptr<EventSender> m_sender;
};

QTEST_GUILESS_MAIN(TestBankEvents)
#include "tst_bank_events.moc"
