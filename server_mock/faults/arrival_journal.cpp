#include "faults/arrival_journal.h"

#include "faults/json_line.h"
#include "machine/machine_clock.h"
#include "protocol/strict_json.h"

#include <QtCore/QFile>
#include <QtCore/QLoggingCategory>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <utility>

namespace payonce::faults {

namespace {

Q_LOGGING_CATEGORY(arrivals, "payonce.arrivals")

constexpr ::mode_t kOwnerOnly = 0600;
constexpr std::size_t kUsualLine = 512;

int openFile(const QString& path, int flags)
{
    // A C interface. NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
    const int file = ::open(QFile::encodeName(path).constData(), flags | O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, kOwnerOnly);
    struct ::stat status = {};
    if (file >= 0 && (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode))) { // a pipe would be read for ever
        ::close(file);
        return -1;
    }
    if (file >= 0)
        static_cast<void>(::fchmod(file, kOwnerOnly)); // also where it was there before
    return file;
}

/// One write(2) unless a signal or a full disk cuts it short.
bool writeAll(int file, std::string_view bytes)
{
    while (!bytes.empty()) {
        const auto written = ::write(file, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

void shorten(std::string& text)
{
    if (text.size() > kLongestField)
        text.resize(kLongestField);
}

} // namespace

values::Result<std::unique_ptr<ArrivalJournal>, JournalError> ArrivalJournal::open(const QString& path)
{
    // Its constructor is private. NOLINTNEXTLINE(modernize-make-unique)
    std::unique_ptr<ArrivalJournal> journal(new ArrivalJournal(path));
    if (auto loaded = journal->load(); !loaded)
        return values::Failure(loaded.error());
    return journal;
}

ArrivalJournal::~ArrivalJournal()
{
    if (m_file >= 0)
        ::close(m_file);
}

values::Result<void, JournalError> ArrivalJournal::load()
{
    m_file = openFile(m_path, 0);
    QFile reader;
    if (m_file < 0 || !reader.open(m_file, QIODevice::ReadOnly))
        return values::Failure(JournalError{});
    const auto bytes = reader.readAll();
    std::string_view rest(bytes.constData(), static_cast<std::size_t>(bytes.size()));
    for (auto end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
        ++m_lines;
        if (!loadLine(rest.substr(0, end)))
            return values::Failure(JournalError{JournalError::Kind::Damaged, static_cast<int>(m_lines)});
        rest.remove_prefix(end + 1);
    }
    m_size = bytes.size() - static_cast<std::int64_t>(rest.size());
    if (!rest.empty() && ::ftruncate(m_file, m_size) != 0)
        return values::Failure(JournalError{});
    if (m_lines == 0 && writeLine(summary()) == Written::MemoryOnly)
        return values::Failure(JournalError{});
    return {};
}

bool ArrivalJournal::loadLine(std::string_view line)
try {
    const auto json = protocol::parseStrict(line);
    if (!json || !json->is_object())
        return false;
    if (m_lines == 1)
        return loadSummary(json->at("summary"));
    if (json->contains("scenario")) {
        m_scenario = json->at("scenario").get<std::string>();
        m_tally.startScenario();
        return true;
    }
    return loadRow(*json);
} catch (const nlohmann::json::exception&) {
    return false;
}

bool ArrivalJournal::loadSummary(const nlohmann::json& summary)
{
    m_epoch = summary.at("epoch").get<int>();
    m_lastSeq = m_countedTo = summary.at("seq").get<std::int64_t>();
    m_scenario = summary.at("scenario").get<std::string>();
    m_tally = ArrivalTally::fromJson(summary.at("tally"));
    return m_lastSeq >= 0;
}

/// A number that does not ascend was never written here, and a reader who asks for what came after it would miss the row.
bool ArrivalJournal::loadRow(const nlohmann::json& json)
{
    auto row = rowOf(json);
    if (!row || row->seq <= (m_rows.empty() ? 0 : m_rows.back().seq))
        return false;
    m_lastSeq = std::max(m_lastSeq, row->seq);
    if (row->seq > m_countedTo)
        m_tally.count(*row);
    keep(std::move(*row));
    return true;
}

std::string ArrivalJournal::summary() const
{
    std::string text;
    JsonLine line(text);
    line.begin("summary");
    JsonLine inner(text);
    inner.number("epoch", m_epoch).number("seq", m_lastSeq).text("scenario", m_scenario).begin("tally");
    m_tally.appendTo(text);
    inner.end();
    line.end();
    return text;
}

ArrivalJournal::Written ArrivalJournal::append(ArrivalRow row)
{
    for (auto* text : {&row.account, &row.actionId, &row.attempt, &row.rule})
        shorten(*text);
    row.seq = ++m_lastSeq;
    row.epoch = m_epoch;
    row.time = machine::now();
    std::string line;
    line.reserve(kUsualLine);
    appendLine(line, row);
    const auto written = writeLine(std::move(line));
    if (written == Written::MemoryOnly)
        ++m_memoryOnly;
    m_tally.count(row);
    keep(std::move(row));
    keepBound();
    Q_EMIT appended();
    return written;
}

void ArrivalJournal::startScenario(const std::string& hash)
{
    if (hash == m_scenario)
        return;
    m_scenario = hash;
    m_tally.startScenario();
    std::string line;
    JsonLine(line).text("scenario", hash).end();
    writeLine(std::move(line));
    keepBound();
}

void ArrivalJournal::startEpoch()
{
    ++m_epoch;
    m_rows.clear();
    m_tally = {};
    if (!rewrite())
        warnOnce();
}

ArrivalJournal::Written ArrivalJournal::writeLine(std::string line)
{
    line += '\n';
    ++m_lines;
    if (!writeAll(m_file, line)) {
        if (::ftruncate(m_file, m_size) != 0) // no torn line in the middle
            static_cast<void>(rewrite());
        warnOnce();
        return Written::MemoryOnly;
    }
    m_size += static_cast<std::int64_t>(line.size());
    return Written::Durable;
}

void ArrivalJournal::keep(ArrivalRow row)
{
    m_rows.push_back(std::move(row));
    if (m_rows.size() > kMostRows)
        m_rows.pop_front();
}

void ArrivalJournal::keepBound()
{
    if (m_lines > kMostLines && !rewrite())
        warnOnce();
}

/// The summary's tally counts all rows so far, those that stay as well: a reader counts only the rows after the summary's seq.
bool ArrivalJournal::rewrite()
{
    const auto newPath = m_path + QStringLiteral(".new");
    const int file = openFile(newPath, O_TRUNC);
    if (file < 0)
        return false;
    auto text = summary() + '\n';
    for (const auto& row : m_rows) {
        appendLine(text, row);
        text += '\n';
    }
    if (!writeAll(file, text) ||
        std::rename(QFile::encodeName(newPath).constData(), QFile::encodeName(m_path).constData()) != 0) {
        ::close(file);
        return false;
    }
    ::close(std::exchange(m_file, file));
    m_size = static_cast<std::int64_t>(text.size());
    m_lines = m_rows.size() + 1;
    m_memoryOnly = 0;
    return true;
}

void ArrivalJournal::warnOnce()
{
    if (!std::exchange(m_hasWarned, true))
        qCWarning(arrivals, "%s cannot be written; the arrivals are kept in memory only", qUtf8Printable(m_path));
}

} // namespace payonce::faults
