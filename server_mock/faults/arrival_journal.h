// The journal of arrivals: an append-only file of JSON lines that survives the death of the server.
//
// The first line is a summary (epoch, last sequence number, scenario, tally); then come rows, and a line `{"scenario":HASH}`
// wherever another scenario was loaded. Each line is one write(2), made before what it describes happens, so a killed process
// leaves at most one torn line at the end, which is cut off at the next start. Beyond kMostLines the file is written anew and
// renamed: a summary with the counts of all rows, and the newest kMostRows. No fsync: what must outlive a power cut is in the
// ledgers.
#pragma once

#include "faults/arrival_row.h"
#include "faults/arrival_tally.h"
#include "values/result.h"

#include <QtCore/QByteArray>
#include <QtCore/QObject>
#include <QtCore/QString>

#include <deque>
#include <memory>
#include <string_view>

namespace payonce::faults {

/// Kept in memory; older ones stay in the counts.
inline constexpr std::size_t kMostRows = 10'000;
/// In the file. Several times the rows, as writing all of it anew costs as much as many arrivals.
inline constexpr std::size_t kMostLines = 50'000;

struct JournalError
{
    enum class Kind { CannotOpen, Damaged };
    Kind kind = Kind::CannotOpen;
    int line = 0; ///< of Damaged, from 1
};

class ArrivalJournal final : public QObject
{
    Q_OBJECT

public:
    /// Reads what an earlier server left in `path`, or makes the file (0600). One journal a file, which the caller sees to.
    [[nodiscard]] static values::Result<std::unique_ptr<ArrivalJournal>, JournalError> open(const QString& path);
    ~ArrivalJournal() override;
    ArrivalJournal(const ArrivalJournal&) = delete;
    ArrivalJournal& operator=(const ArrivalJournal&) = delete;
    ArrivalJournal(ArrivalJournal&&) = delete;
    ArrivalJournal& operator=(ArrivalJournal&&) = delete;

    enum class Written { Durable, MemoryOnly };
    /// Fills in seq, epoch and time. MemoryOnly: the disk refused it, which is warned of once.
    Written append(ArrivalRow row);
    /// Rules count from zero, unless `hash` is that of the scenario the journal knows. Empty: there is none.
    void startScenario(const std::string& hash);
    /// A rule of this id counts from zero.
    void forgetRule(const std::string& id) { m_tally.forgetRule(id); }
    /// Forgets all rows and counts; sequence numbers go on.
    void startEpoch();

    [[nodiscard]] int epoch() const { return m_epoch; }
    /// Oldest first, by ascending seq.
    [[nodiscard]] const std::deque<ArrivalRow>& rows() const { return m_rows; }
    [[nodiscard]] const ArrivalTally& tally() const { return m_tally; }
    /// Rows that are not in the file because the disk refused them: who opens it next knows nothing of these.
    [[nodiscard]] int memoryOnly() const { return m_memoryOnly; }

Q_SIGNALS:
    void appended();

private:
    explicit ArrivalJournal(QString path) : m_path(std::move(path)) {}

    [[nodiscard]] values::Result<void, JournalError> load();
    [[nodiscard]] bool loadLine(std::string_view line);
    [[nodiscard]] bool loadSummary(const nlohmann::json& summary);
    [[nodiscard]] bool loadRow(const nlohmann::json& json);
    [[nodiscard]] std::string summary() const;
    Written writeLine(std::string line);
    [[nodiscard]] bool rewrite();
    void keep(ArrivalRow row);
    void keepBound();
    void warnOnce();

    const QString m_path;
    int m_file = -1;
    std::deque<ArrivalRow> m_rows;
    ArrivalTally m_tally;
    std::string m_scenario; // hash of the one loaded last; empty: none
    std::size_t m_lines = 0;
    std::int64_t m_size = 0;
    std::int64_t m_lastSeq = 0;
    std::int64_t m_countedTo = 0; // rows up to here are in the summary's tally already
    int m_epoch = 1;
    int m_memoryOnly = 0;
    bool m_hasWarned = false;
};

} // namespace payonce::faults
