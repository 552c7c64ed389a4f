// The decorators of the client's ports, without a process that dies: that is for real ones.
#include "points/faulty_journal.h"
#include "points/faulty_transport.h"
#include "points/stepped_environment.h"
#include "support/fake_journal.h"
#include "support/fake_transport.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QFile>
#include <QtCore/QRegularExpression>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace payonce;
using console::Operation;
using console::Point;
using points::FaultPoints;
using retry::JournalError;
using std::chrono::milliseconds;

namespace {

values::ActionId anId(char last)
{
    return *values::ActionId::parse(std::string("0198c0de-7a11-7c3e-9f00-6b1f0a2c4d5") + last);
}

console::Rule rule(Point point, console::FaultAction action, std::optional<int> nth = {}, std::optional<int> times = {})
{
    console::Rule made;
    made.id = "r1";
    made.point = point;
    made.action = std::move(action);
    made.match.nth = nth;
    made.times = times;
    return made;
}

class StillEnvironment : public runner::Environment
{
public:
    values::Now now() override { return {values::WallTime(milliseconds(1000)), values::MonotonicTime(milliseconds(7))}; }
    std::uint64_t draw() override { return 4711; }
};

} // namespace

class FaultPointsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_dir = std::make_unique<QTemporaryDir>();
        m_disk = std::make_shared<support::FakeDisk>();
    }

    void nth_isCountedByActionOperationAndPoint()
    {
        const auto points = make({rule(Point::ReplyParsed, console::Delay{}, 2)});
        QVERIFY(!points->arrive(Point::ReplyParsed, Operation::Pay, anId('e')).rule);
        QVERIFY(!points->arrive(Point::ReplyParsed, Operation::Status, anId('e')).rule);
        QVERIFY(!points->arrive(Point::ReplyParsed, Operation::Pay, anId('f')).rule);
        QVERIFY(!points->arrive(Point::Sent, Operation::Pay, anId('e')).rule);
        QVERIFY(points->arrive(Point::ReplyParsed, Operation::Pay, anId('e')).rule.has_value());
    }

    void operation_ofTheRule_isLookedAt()
    {
        auto onlyProbes = rule(Point::ReplyParsed, console::Delay{});
        onlyProbes.match.operation = Operation::Status;
        const auto points = make({onlyProbes});
        QVERIFY(!points->arrive(Point::ReplyParsed, Operation::Pay, anId('e')).rule);
        QVERIFY(points->arrive(Point::ReplyParsed, Operation::Status, anId('e')).rule.has_value());
    }

    void times_areCountedOverTheLivesOfTheProgram()
    {
        const std::vector rules{rule(Point::Sent, console::ClockStep{milliseconds(1)}, {}, 2)};
        for (int life = 1; life <= 3; ++life) {
            const auto points = make(rules);
            const bool fired = points->fire(points->arrive(Point::Sent, Operation::Pay, anId('e')));
            QCOMPARE(fired, life <= 2);
        }
        QFile file(path());
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("{\"id\":\"r1\",\"nth\":1}\n{\"id\":\"r1\",\"nth\":1}\n"));
    }

    void rulesThatSlept_areNamed_butNotTheServers()
    {
        auto sleeper = rule(Point::OutcomeSaved, console::ClockStep{});
        sleeper.id = "r2";
        const auto points = make({rule(Point::Sent, console::ClockStep{}), sleeper});
        QVERIFY(points->fire(points->arrive(Point::Sent, Operation::Pay, anId('e'))));
        QCOMPARE(points->unfired({"r1", "r2", "server"}), std::vector<std::string>{"r2"});
    }

    void whatIsNoHit_isNotCounted()
    {
        QFile file(path());
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"id\":\"r1\",\"nth\":1}\nnonsense\n{\"id\":");
        file.close();
        QCOMPARE(points::HitsFile(path()).hitsOf("r1"), 1);
        QCOMPARE(points::HitsFile(path()).hitsOf("nonsense"), 0);
    }

    void hitThatCannotBeWritten_doesNotHappen()
    {
        const auto points = std::make_shared<FaultPoints>(std::vector{rule(Point::ActionSaved, console::StoreFail{})}, 0,
                                                          m_dir->filePath(QStringLiteral("no/such/folder")));
        points::FaultyJournal journal(std::make_unique<support::FakeJournal>(m_disk), points);
        QVERIFY(journal.saveAction(action()));
    }

    void probability_isDrawnFromTheCart()
    {
        auto often = rule(Point::Sent, console::ClockStep{});
        often.probability = 0.5;
        int hits = 0;
        for (int i = 0; i < 100; ++i) {
            const auto cart = "cart_" + std::to_string(i);
            const auto expected = console::drawOf(9, "r1", cart, 1) < 0.5;
            FaultPoints points({often}, 9, path());
            points.learnCart(anId('e'), cart);
            QCOMPARE(points.arrive(Point::Sent, Operation::Pay, anId('e')).rule.has_value(), expected);
            hits += expected ? 1 : 0;
        }
        QVERIFY(hits > 25 && hits < 75);
    }

    void fullDisk_isReported_andNothingIsSaved_onceOnly()
    {
        points::FaultyJournal journal(std::make_unique<support::FakeJournal>(m_disk),
                                      make({rule(Point::ActionSaved, console::StoreFail{}, 1, 1)}));
        const auto refused = journal.saveAction(action());
        QVERIFY(!refused && refused.error() == JournalError::DiskFull);
        QVERIFY(m_disk->all().empty());
        QVERIFY(journal.saveAction(action()));
        QCOMPARE(m_disk->all().size(), std::size_t(1));
    }

    void attemptAndOutcome_arePointsOfTheirOwn()
    {
        points::FaultyJournal journal(
            std::make_unique<support::FakeJournal>(m_disk),
            make({rule(Point::AttemptSaved, console::StoreFail{}, 1), rule(Point::OutcomeSaved, console::StoreFail{}, 1)}));
        const auto lease = journal.saveAction(action());
        QVERIFY(lease);
        const retry::AttemptStart first{1, {}};
        QVERIFY(!journal.saveReady(anId('e'), *lease, {}, first));
        QVERIFY(journal.saveReady(anId('e'), *lease, {}, first));
        QVERIFY(!journal.saveFinal(anId('e'), *lease, {}));
        QVERIFY(journal.saveFinal(anId('e'), *lease, {}));
    }

    void slowDisk_takesItsTime()
    {
        points::FaultyJournal journal(std::make_unique<support::FakeJournal>(m_disk),
                                      make({rule(Point::ActionSaved, console::Delay{milliseconds(30)})}));
        QElapsedTimer time;
        time.start();
        QVERIFY(journal.saveAction(action()));
        QVERIFY(time.elapsed() >= 30);
    }

    void readAnswer_waits_andAnUnreadOneDoesNot()
    {
        support::FakeTransport shop;
        points::FaultyTransport wire(shop, make({rule(Point::ReplyParsed, console::Delay{milliseconds(30)}, 1)}));
        shop.probePlan = {support::Fate::LoseReply};
        std::vector<bool> answered;
        const auto note = [&](const retry::WireResult& result) { answered.push_back(result.status.has_value()); };
        QElapsedTimer time;
        wire.probe({anId('e'), {}}, note);
        QTRY_COMPARE(answered.size(), std::size_t(1));
        time.start();
        wire.probe({anId('e'), {}}, note);
        QTRY_COMPARE(answered.size(), std::size_t(2));
        QVERIFY(time.elapsed() >= 25); // a timer may be early by a part of a millisecond
        QVERIFY(!answered.at(0) && answered.at(1));
    }

    void wireThatGoes_takesWhatWaitsAlong()
    {
        support::FakeTransport shop;
        bool answered = false;
        {
            points::FaultyTransport wire(shop, make({rule(Point::ReplyParsed, console::Delay{milliseconds(1)})}));
            wire.probe({anId('e'), {}}, [&](const retry::WireResult&) { answered = true; });
            QTRY_VERIFY(QFile::exists(path())); // the hit is written, the wait has begun
        }
        QCoreApplication::processEvents();
        QVERIFY(!answered);
    }

    void clockStep_movesTheWallAlone()
    {
        const auto points = make({rule(Point::Sent, console::ClockStep{milliseconds(-600)})});
        StillEnvironment still;
        points::SteppedEnvironment environment(still, points);
        QCOMPARE(environment.now().wall, still.now().wall);
        QVERIFY(points->fire(points->arrive(Point::Sent, Operation::Pay, anId('e'))));
        QCOMPARE(environment.now().wall, still.now().wall - milliseconds(600));
        QCOMPARE(environment.now().mono, still.now().mono);
        QCOMPARE(environment.draw(), still.draw());
    }

private:
    [[nodiscard]] QString path() const { return m_dir->filePath(QStringLiteral("client-hits.jsonl")); }
    [[nodiscard]] std::shared_ptr<FaultPoints> make(std::vector<console::Rule> rules) const
    {
        return std::make_shared<FaultPoints>(std::move(rules), 0, path());
    }
    [[nodiscard]] static retry::StoredAction action()
    {
        const values::Money amount{4200, values::Currency::fromCode("EUR").value()};
        return {anId('e'), {}, {"cart_1", amount, "a@example.com"}, {}, {}, 0, false, {}, {}, {}};
    }

    std::unique_ptr<QTemporaryDir> m_dir;
    std::shared_ptr<support::FakeDisk> m_disk;
};

QTEST_GUILESS_MAIN(FaultPointsTest)
#include "tst_fault_points.moc"
