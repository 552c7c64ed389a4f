// The journal of arrivals over restarts, torn lines, bounds and full disks.
#include "faults/arrival_journal.h"
#include "faults/control_json.h"
#include "support/file_limit.h"

#include <QtCore/QFile>
#include <QtCore/QFileInfo>
#include <QtCore/QTemporaryDir>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

using namespace payonce::faults;
using payonce::console::Operation;
using payonce::console::Point;

namespace {

ArrivalRow arrival(const std::string& action, Operation operation = Operation::Pay, const std::string& attempt = "1")
{
    ArrivalRow row;
    row.connection = 3;
    row.request = 7;
    row.account = "acct_1";
    row.actionId = action;
    row.attempt = attempt;
    row.operation = operation;
    row.bytesIn = 312;
    return row;
}

/// A line of the file.
QByteArray numbered(std::int64_t seq)
{
    auto row = arrival("a");
    row.seq = seq;
    return QByteArray::fromStdString(textOf(toJson(row)));
}

ArrivalRow hit(const std::string& rule)
{
    auto row = arrival("a");
    row.point = Point::ReplyBody;
    row.offset = 7;
    row.rule = rule;
    row.bytesOut = 200;
    row.end = RowEnd::Rst;
    return row;
}

const ArrivalTally::Key kPayA{"acct_1", "a", Operation::Pay};

} // namespace

class TestArrivalJournal : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void row_isOnDiskWhenAppendReturns();
    void file_isForTheOwnerOnly();
    void rows_surviveARestart();
    void row_hasTheMembersOfTheContract();
    void tornLastLine_isCutOff();
    void damagedLine_isNamed_data();
    void damagedLine_isNamed();
    void damagedSummary_isNamed();
    void missingFolder_isAnError();
    void sameScenarioAfterARestart_goesOnCounting();
    void otherScenario_countsFromZero();
    void newEpoch_forgetsRowsAndCountsForEver();
    void beyondTheBound_olderRowsGoAndCountsStay();
    void longTextsFromTheNetwork_areCut();
    void fullDisk_isWarnedOfOnceAndLeavesNoTornLine();
    void appended_isEmittedForEachRow();

private:
    [[nodiscard]] std::unique_ptr<ArrivalJournal> open() const
    {
        auto journal = ArrivalJournal::open(m_path);
        return journal ? std::move(*journal) : nullptr;
    }
    [[nodiscard]] QByteArray contents() const
    {
        QFile file(m_path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    void write(const QByteArray& bytes, QIODevice::OpenMode mode) const
    {
        QFile file(m_path);
        QVERIFY(file.open(mode));
        file.write(bytes);
    }

    std::unique_ptr<QTemporaryDir> m_dir;
    QString m_path;
};

void TestArrivalJournal::init()
{
    m_dir = std::make_unique<QTemporaryDir>();
    m_path = m_dir->filePath(QStringLiteral("arrivals.jsonl"));
}

void TestArrivalJournal::row_isOnDiskWhenAppendReturns()
{
    const auto journal = open();
    QVERIFY(journal);
    QCOMPARE(journal->append(arrival("a")), ArrivalJournal::Written::Durable);
    QCOMPARE(contents().count('\n'), 2);
    QVERIFY(contents().endsWith("\"end_by\":null}\n"));
}

void TestArrivalJournal::file_isForTheOwnerOnly()
{
    write({}, QIODevice::WriteOnly);
    QVERIFY(QFile::setPermissions(m_path, QFile::ReadOwner | QFile::WriteOwner | QFile::ReadOther));
    const auto journal = open();
    const auto forOwner = QFile::ReadOwner | QFile::WriteOwner;
    const auto others = QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther | QFile::ExeOther;
    QCOMPARE(QFileInfo(m_path).permissions() & (forOwner | others), forOwner);
}

void TestArrivalJournal::rows_surviveARestart()
{
    auto journal = open();
    journal->append(arrival("a"));
    journal->append(hit("r1"));
    const auto before = journal->rows();
    journal.reset();

    journal = open();
    QVERIFY(journal);
    QCOMPARE(journal->rows().size(), std::size_t(2));
    for (std::size_t i = 0; i < 2; ++i)
        QCOMPARE(textOf(toJson(journal->rows()[i])), textOf(toJson(before[i])));
    QCOMPARE(journal->tally().nextNth(kPayA), 2);
    QCOMPARE(journal->tally().hitsOf("r1"), 1);
    journal->append(arrival("a"));
    QCOMPARE(journal->rows().back().seq, std::int64_t(3));
}

void TestArrivalJournal::row_hasTheMembersOfTheContract()
{
    auto row = hit("r1");
    row.seq = 17;
    row.epoch = 2;
    row.time = {payonce::values::WallTime(std::chrono::milliseconds(1'796'032'800'000)),
                payonce::values::MonotonicTime(std::chrono::microseconds(1234))};
    QCOMPARE(textOf(toJson(row)),
             std::string(R"({"seq":17,"epoch":2,"mono_us":1234,"at":"2026-11-30T10:00:00.000Z","connection":3,"request":7,)"
                         R"("account":"acct_1","action_id":"a","attempt":"1","op":"pay","point":"reply.body@7","rule":"r1",)"
                         R"("bytes_in":312,"bytes_out":200,"end":"rst","end_by":"server"})"));
    row.end = RowEnd::Closed;
    row.rule.clear();
    QCOMPARE(toJson(row).at("end_by").get<std::string>(), std::string("client"));
    QVERIFY(toJson(row).at("rule").is_null());
}

void TestArrivalJournal::tornLastLine_isCutOff()
{
    open()->append(arrival("a"));
    const auto whole = contents();
    write(R"({"seq":2,"epoch":1,"mono)", QIODevice::Append);
    const auto journal = open();
    QVERIFY(journal);
    QCOMPARE(journal->rows().size(), std::size_t(1));
    QCOMPARE(contents(), whole);
    journal->append(arrival("a"));
    QCOMPARE(open()->rows().size(), std::size_t(2));
}

void TestArrivalJournal::damagedLine_isNamed_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::newRow("no JSON") << QByteArray("hello");
    QTest::newRow("no object") << QByteArray("[]");
    QTest::newRow("empty") << QByteArray("");
    QTest::newRow("members missing") << QByteArray(R"({"seq":2})");
    QTest::newRow("scenario is no text") << QByteArray(R"({"scenario":1})");
    // Row 1 is in the file.
    QTest::newRow("number of an earlier row") << numbered(1);
    QTest::newRow("number 0") << numbered(0);
    QTest::newRow("number below zero") << numbered(-1);
    for (const char* change : {R"(op":"steal)", R"(point":"nowhere)", R"(point":"reply.body@x)", R"(at":"noon)"}) {
        auto line = numbered(2);
        const QByteArray member(change);
        const auto name = member.first(member.indexOf('"'));
        const auto from = line.indexOf("\"" + name + "\":\"") + 1;
        line.replace(from, line.indexOf('"', from + name.size() + 3) - from, member);
        QTest::newRow(change) << line;
    }
}

void TestArrivalJournal::damagedLine_isNamed()
{
    QFETCH(QByteArray, line);
    open()->append(arrival("a"));
    write(line + '\n', QIODevice::Append);
    const auto journal = ArrivalJournal::open(m_path);
    QVERIFY(!journal);
    QCOMPARE(journal.error().kind, JournalError::Kind::Damaged);
    QCOMPARE(journal.error().line, 3);
}

void TestArrivalJournal::damagedSummary_isNamed()
{
    QVERIFY(open());
    const auto whole = contents();
    write(QByteArray(whole).replace(R"("seq":0)", R"("seq":-1)"), QIODevice::WriteOnly | QIODevice::Truncate);
    QVERIFY(contents() != whole);
    const auto journal = ArrivalJournal::open(m_path);
    QVERIFY(!journal);
    QCOMPARE(journal.error().kind, JournalError::Kind::Damaged);
    QCOMPARE(journal.error().line, 1);
}

void TestArrivalJournal::missingFolder_isAnError()
{
    const auto journal = ArrivalJournal::open(m_dir->filePath(QStringLiteral("missing/arrivals.jsonl")));
    QVERIFY(!journal);
    QCOMPARE(journal.error().kind, JournalError::Kind::CannotOpen);
}

void TestArrivalJournal::sameScenarioAfterARestart_goesOnCounting()
{
    auto journal = open();
    journal->startScenario("hash");
    journal->append(arrival("a"));
    journal->append(hit("r1"));
    journal.reset();
    journal = open();
    journal->startScenario("hash");
    QCOMPARE(journal->tally().hitsOf("r1"), 1);
    QCOMPARE(journal->tally().nextNth(kPayA), 2);
}

void TestArrivalJournal::otherScenario_countsFromZero()
{
    auto journal = open();
    journal->startScenario("hash");
    journal->append(arrival("a"));
    journal->append(hit("r1"));
    journal->startScenario("other");
    for (int restart = 0; restart < 2; ++restart) {
        QCOMPARE(journal->tally().hitsOf("r1"), 0);
        QCOMPARE(journal->tally().nextNth(kPayA), 1);
        QCOMPARE(journal->tally().counts().at(kPayA).arrivals, 1);
        journal.reset();
        journal = open();
    }
}

void TestArrivalJournal::newEpoch_forgetsRowsAndCountsForEver()
{
    auto journal = open();
    journal->startScenario("hash");
    journal->append(arrival("a"));
    journal->append(hit("r1"));
    journal->startEpoch();
    for (int restart = 0; restart < 2; ++restart) {
        QCOMPARE(journal->epoch(), 2);
        QVERIFY(journal->rows().empty());
        QVERIFY(journal->tally().counts().empty());
        QCOMPARE(journal->tally().hitsOf("r1"), 0);
        journal.reset();
        journal = open();
    }
    journal->append(arrival("a"));
    QCOMPARE(journal->rows().front().seq, std::int64_t(3));
    QCOMPARE(journal->rows().front().epoch, 2);
}

void TestArrivalJournal::beyondTheBound_olderRowsGoAndCountsStay()
{
    auto journal = open();
    journal->append(hit("r1"));
    const int arrivals = static_cast<int>(kMostLines) + 10;
    for (int i = 0; i < arrivals; ++i)
        journal->append(arrival("a", Operation::Pay, i % 2 == 0 ? "1" : "2"));
    for (int restart = 0; restart < 2; ++restart) {
        QCOMPARE(journal->rows().size(), kMostRows);
        QCOMPARE(journal->rows().back().seq, std::int64_t(arrivals + 1));
        QVERIFY(contents().count('\n') < static_cast<qsizetype>(kMostRows + 20));
        QCOMPARE(journal->tally().nextNth(kPayA), arrivals + 1);
        QCOMPARE(journal->tally().hitsOf("r1"), 1);
        QCOMPARE(journal->tally().counts().at(kPayA).attempts.at("2"), arrivals / 2);
        journal.reset();
        journal = open();
        QVERIFY(journal);
    }
    QVERIFY(!QFile::exists(m_path + QStringLiteral(".new")));
}

void TestArrivalJournal::longTextsFromTheNetwork_areCut()
{
    auto journal = open();
    journal->append(arrival(std::string(100'000, 'x'), Operation::Status, "\xff\"\n"));
    QVERIFY(contents().size() < 2'000);
    journal.reset();
    journal = open();
    QVERIFY(journal);
    QCOMPARE(journal->rows().front().actionId.size(), kLongestField);
}

void TestArrivalJournal::fullDisk_isWarnedOfOnceAndLeavesNoTornLine()
{
    // Given a file that may grow by half a row
    auto journal = open();
    journal->append(arrival("a"));
    QTest::ignoreMessage(QtWarningMsg, QRegularExpression(QStringLiteral("arrivals.jsonl cannot be written")));
    {
        const payonce::support::FileLimit full(contents().size() + 50);
        QCOMPARE(journal->append(arrival("a")), ArrivalJournal::Written::MemoryOnly);
        QCOMPARE(journal->append(arrival("a")), ArrivalJournal::Written::MemoryOnly);
    }
    QCOMPARE(journal->rows().size(), std::size_t(3));
    QCOMPARE(journal->memoryOnly(), 2);
    QVERIFY(rowsBody(*journal, {}).body.endsWith(R"("memory_only":2})"));
    // When there is room again, the file goes on whole
    QCOMPARE(journal->append(arrival("b")), ArrivalJournal::Written::Durable);
    QCOMPARE(open()->rows().size(), std::size_t(2));
    // And once it is written anew, nothing is missing in it
    journal->startEpoch();
    QCOMPARE(journal->memoryOnly(), 0);
}

void TestArrivalJournal::appended_isEmittedForEachRow()
{
    const auto journal = open();
    QSignalSpy spy(journal.get(), &ArrivalJournal::appended);
    journal->append(arrival("a"));
    journal->append(arrival("a"));
    QCOMPARE(spy.count(), 2);
}

QTEST_GUILESS_MAIN(TestArrivalJournal)
#include "tst_arrival_journal.moc"
