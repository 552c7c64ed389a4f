// Two runners on one journal file, as two windows or processes have it, and one shop.
#include "core/runner/runner_bench.h"
#include "storage/client_journal.h"

#include <QtCore/QRegularExpression>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace payonce;
using namespace payonce::runnertest;
using namespace std::chrono_literals;
using retry::Cause;
using retry::State;
using storage::ClientJournal;
using storage::Membership;
using storage::Moment;
using storage::Presence;
using support::Fate;

namespace {

/// One process on the shared file.
struct Window
{
    std::unique_ptr<runner::ActionRunner> runner;
    /// How far its clock is ahead: to it, the others have said nothing for so long.
    std::shared_ptr<std::atomic<int>> ahead = std::make_shared<std::atomic<int>>(0);
    bool isReady = false;

    [[nodiscard]] const retry::Snapshot& snapshot() const { return runner->snapshot(); }
    [[nodiscard]] State state() const { return snapshot().state; }
    [[nodiscard]] std::optional<values::ActionId> id() const
    {
        return snapshot().action ? std::optional(snapshot().action->id) : std::nullopt;
    }
};

} // namespace

class RunnerCompanyTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void secondWindow_showsLiveWhatTheOwnerShows();
    void viewer_sendsNothingAndOffersNoSecondPurchase();
    void idleWindow_showsWhatBeginsElsewhere();
    void ownersEnd_isShownAndBothGoOn();
    void ownerThatIsGone_leavesItToTheViewer();
    void ownerThatWasStopped_becomesTheViewer();
    void checkAgainInTheViewer_isTheOwnersStep();
    void cancelInTheViewer_isTheOwnersStep();
    void payInBothAtOnce_isOnePayment();
    void cartThatIsPaid_isSaidTruly();
    void unsentPayment_isNotStartedForTheViewer();

private:
    [[nodiscard]] std::unique_ptr<retry::Journal> journal(const Window& window) const;
    void open(Window& window);
    /// Paying at this window, the POST charged, no answer, and nothing heard from the probes.
    void payWithoutAnAnswer(Window& window);
    void makeUnresolved(Window& window);

    std::unique_ptr<QTemporaryDir> m_directory;
    std::unique_ptr<RunnerBench> m_bench; ///< the shop, the clock and the numbers
    Window m_first;
    Window m_second;
};

void RunnerCompanyTest::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_directory = std::make_unique<QTemporaryDir>();
    m_bench = std::make_unique<RunnerBench>();
    m_bench->numbers.lookEvery = 5ms;
    m_bench->numbers.heartbeat = 50ms;
    m_bench->numbers.ownerLasts = std::chrono::minutes(1);
    m_bench->numbers.longWait = 1ms;
}

void RunnerCompanyTest::cleanup()
{
    m_first = {};
    m_second = {};
    const auto broken = m_bench->shop.brokenRules();
    m_bench.reset();
    QVERIFY2(broken.empty(), broken.empty() ? "" : broken.front().c_str());
}

std::unique_ptr<retry::Journal> RunnerCompanyTest::journal(const Window& window) const
{
    const auto clock = [ahead = window.ahead] {
        Moment now = storage::thisMoment();
        now.uptime += std::chrono::minutes(ahead->load());
        return now;
    };
    auto presence = Presence::take(m_directory->filePath(QStringLiteral("payonce.lock"))).value();
    return std::make_unique<ClientJournal>(
        ClientJournal::fileAt(m_directory->filePath(QStringLiteral("client.sqlite"))),
        Membership{std::move(presence), m_bench->numbers.heartbeat, m_bench->numbers.ownerLasts, clock});
}

void RunnerCompanyTest::open(Window& window)
{
    window.runner =
        std::make_unique<runner::ActionRunner>(journal(window), m_bench->shop, m_bench->environment, m_bench->numbers);
    connect(window.runner.get(), &runner::ActionRunner::ready, window.runner.get(), [&window] { window.isReady = true; });
    window.runner->start(here());
    QTRY_VERIFY_WITH_TIMEOUT(window.isReady, kPatience);
}

void RunnerCompanyTest::payWithoutAnAnswer(Window& window)
{
    m_bench->numbers.probeLimit = 1h;
    m_bench->shop.postPlan = {Fate::Hang};
    m_bench->shop.probePlan = {Fate::Hang};
    open(window);
    window.runner->pay(aPurchase(), aCard());
    QTRY_VERIFY_WITH_TIMEOUT(window.state() == State::Confirming, kPatience);
}

void RunnerCompanyTest::makeUnresolved(Window& window)
{
    m_bench->numbers.unresolvedAfter = 30ms;
    m_bench->numbers.unresolvedProbe.fill(1h);
    m_bench->shop.postPlan.assign(10, Fate::LoseReply);
    m_bench->shop.probePlan.assign(100, Fate::NotSent);
    open(window);
    window.runner->pay(aPurchase(), aCard());
    QTRY_VERIFY_WITH_TIMEOUT(window.state() == State::Unresolved && window.snapshot().networkPending == 0, kPatience);
    m_bench->shop.probePlan.clear();
}

void RunnerCompanyTest::secondWindow_showsLiveWhatTheOwnerShows()
{
    m_bench->numbers.longWait = 200ms;
    payWithoutAnAnswer(m_first);

    open(m_second);

    QVERIFY(m_second.snapshot().isViewer && !m_first.snapshot().isViewer);
    QVERIFY(m_second.id() == m_first.id());
    QTRY_VERIFY_WITH_TIMEOUT(m_second.state() == State::Confirming && m_second.snapshot().isLong, kPatience);
    m_bench->shop.probePlan = {Fate::Hang};
    m_first.runner->cancel();
    QTRY_VERIFY_WITH_TIMEOUT(m_second.state() == State::Fencing, kPatience);
    QVERIFY(m_second.snapshot().cause == Cause::ByPerson);
    QCOMPARE(m_second.snapshot().attempt, m_first.snapshot().attempt);
}

void RunnerCompanyTest::viewer_sendsNothingAndOffersNoSecondPurchase()
{
    payWithoutAnAnswer(m_first);
    open(m_second);

    m_second.runner->pay(aPurchase("cart_2"), aCard());
    m_second.runner->tryAgain();
    m_second.runner->networkCameBack();

    QVERIFY(m_second.snapshot().isViewer && m_second.id() == m_first.id());
    QCOMPARE(m_bench->shop.probes().size(), 1U); // a second one would be in flight beside it
    QTRY_VERIFY_WITH_TIMEOUT(m_first.snapshot().isLong, kPatience);
    m_first.runner->cancel();
    QTRY_VERIFY_WITH_TIMEOUT(m_second.state() == State::Paid, kPatience);
    QCOMPARE(m_bench->shop.posts().size(), 1U);
    QCOMPARE(m_bench->shop.exchanges().size(), 1U);
}

void RunnerCompanyTest::idleWindow_showsWhatBeginsElsewhere()
{
    open(m_second);
    QVERIFY(m_second.state() == State::Editing);

    payWithoutAnAnswer(m_first);

    QTRY_VERIFY_WITH_TIMEOUT(m_second.snapshot().isViewer && m_second.state() == State::Confirming, kPatience);
    QVERIFY(m_second.id() == m_first.id());
}

void RunnerCompanyTest::ownersEnd_isShownAndBothGoOn()
{
    m_bench->shop.postPlan = {Fate::Decline};
    open(m_second);
    open(m_first);
    m_bench->shop.delay = 50ms;
    m_first.runner->pay(aPurchase(), aCard());
    QTRY_VERIFY_WITH_TIMEOUT(m_second.snapshot().isViewer, kPatience);

    QTRY_VERIFY_WITH_TIMEOUT(m_second.state() == State::Declined, kPatience);

    QVERIFY(!m_second.snapshot().isViewer); // its end is everybody's
    QCOMPARE(m_second.snapshot().answer.declineCode, m_first.snapshot().answer.declineCode);
    m_second.runner->startOver();
    QVERIFY(m_second.state() == State::Editing);
    m_second.runner->pay(aPurchase(), aCard());
    QTRY_VERIFY_WITH_TIMEOUT(m_second.state() == State::Paid, kPatience);
    QCOMPARE(m_bench->shop.charges(), 1U);
    QVERIFY(m_first.state() == State::Declined); // nobody has read it there yet
}

void RunnerCompanyTest::ownerThatIsGone_leavesItToTheViewer()
{
    payWithoutAnAnswer(m_first);
    open(m_second);
    const auto probes = m_bench->shop.probes().size();

    m_first = {};

    QTRY_VERIFY_WITH_TIMEOUT(m_second.state() == State::Paid, kPatience);
    QCOMPARE(m_bench->shop.posts().size(), 1U);
    QVERIFY(m_bench->shop.probes().size() > probes);
    QCOMPARE(m_bench->shop.charges(), 1U);
}

void RunnerCompanyTest::ownerThatWasStopped_becomesTheViewer()
{
    makeUnresolved(m_first);
    m_bench->shop.probePlan.assign(100, Fate::NotSent);
    open(m_second);
    QTRY_VERIFY_WITH_TIMEOUT(m_second.state() == State::Unresolved, kPatience);

    m_second.ahead->store(2);
    QTRY_VERIFY_WITH_TIMEOUT(!m_second.snapshot().isViewer, kPatience);
    m_first.ahead->store(2);

    QTRY_VERIFY_WITH_TIMEOUT(m_first.snapshot().isViewer, kPatience);
    QVERIFY(m_first.id() == m_second.id());
    m_bench->shop.probePlan.clear();
    m_first.runner->checkAgain();
    QTRY_VERIFY_WITH_TIMEOUT(m_first.state() == State::Paid && m_second.state() == State::Paid, kPatience);
    QCOMPARE(m_bench->shop.charges(), 1U);
}

void RunnerCompanyTest::checkAgainInTheViewer_isTheOwnersStep()
{
    makeUnresolved(m_first);
    open(m_second);
    QTRY_VERIFY_WITH_TIMEOUT(m_second.state() == State::Unresolved, kPatience);
    const auto probes = m_bench->shop.probes().size();
    const int presses = m_first.snapshot().presses;

    m_second.runner->checkAgain();

    QTRY_VERIFY_WITH_TIMEOUT(m_second.state() == State::Paid, kPatience);
    QVERIFY(m_first.state() == State::Paid);
    QCOMPARE(m_bench->shop.probes().size(), probes + 1);
    QCOMPARE(m_first.snapshot().presses, presses + 1);
    QCOMPARE(m_bench->shop.charges(), 1U);
}

void RunnerCompanyTest::cancelInTheViewer_isTheOwnersStep()
{
    makeUnresolved(m_first);
    open(m_second);
    QTRY_VERIFY_WITH_TIMEOUT(m_second.state() == State::Unresolved, kPatience);
    const auto probes = m_bench->shop.probes().size();

    m_second.runner->cancel();
    m_second.runner->cancel();

    // It was charged, so that is what the fence says.
    QTRY_VERIFY_WITH_TIMEOUT(m_second.state() == State::Paid, kPatience);
    QVERIFY(m_first.state() == State::Paid);
    QCOMPARE(m_bench->shop.probes().size(), probes + 1);
    QVERIFY(m_bench->shop.probes().back().purpose == retry::ProbeRequest::Purpose::Fence);
}

void RunnerCompanyTest::payInBothAtOnce_isOnePayment()
{
    open(m_first);
    open(m_second);

    m_first.runner->pay(aPurchase(), aCard());
    m_second.runner->pay(aPurchase(), aCard());

    QTRY_VERIFY_WITH_TIMEOUT(m_first.state() == State::Paid && m_second.state() == State::Paid, kPatience);
    QVERIFY(m_first.id() == m_second.id());
    QCOMPARE(m_first.snapshot().answer.orderNumber, m_second.snapshot().answer.orderNumber);
    QCOMPARE(m_bench->shop.exchanges().size(), 1U);
    QCOMPARE(m_bench->shop.posts().size(), 1U);
    QCOMPARE(m_bench->shop.charges(), 1U);
}

void RunnerCompanyTest::cartThatIsPaid_isSaidTruly()
{
    open(m_first);
    m_first.runner->pay(aPurchase(), aCard());
    QTRY_VERIFY_WITH_TIMEOUT(m_first.state() == State::Paid, kPatience);
    const auto paid = m_first.id();
    const auto order = m_first.snapshot().answer.orderNumber;
    m_first.runner->startOver();
    QTRY_VERIFY_WITH_TIMEOUT(m_first.state() == State::Editing, kPatience);

    m_first.runner->pay(aPurchase(), aCard());

    QTRY_VERIFY_WITH_TIMEOUT(m_first.state() == State::Paid, kPatience);
    QVERIFY(m_first.id() == paid && m_first.snapshot().answer.orderNumber == order);
    QCOMPARE(m_bench->shop.posts().size(), 1U);
}

void RunnerCompanyTest::unsentPayment_isNotStartedForTheViewer()
{
    m_bench->shop.exchangePlan = {{.kind = retry::ExchangeResult::Kind::Refused, .token = {}, .detail = "No such card."}};
    open(m_first);
    m_first.runner->pay(aPurchase(), aCard());
    QTRY_VERIFY_WITH_TIMEOUT(m_first.state() == State::NotStarted, kPatience);
    m_first.runner->tryAgain(); // asks for another card
    QVERIFY(m_first.state() == State::Editing);

    open(m_second);

    QTRY_VERIFY_WITH_TIMEOUT(m_second.snapshot().isViewer && m_second.state() == State::NotStarted, kPatience);
    m_second.runner->tryAgain();
    QVERIFY(m_second.state() == State::NotStarted); // the card is in the other window
    m_first.runner->pay(aPurchase(), aCard());
    QTRY_VERIFY_WITH_TIMEOUT(m_second.state() == State::Paid, kPatience);
    QCOMPARE(m_bench->shop.charges(), 1U);
}

QTEST_GUILESS_MAIN(RunnerCompanyTest)
#include "tst_runner_company.moc"
