#include "faults/journal_readers.h"

#include "faults/control_answers.h"
#include "faults/control_orders.h"
#include "protocol/fields.h"

#include <QtCore/QTimer>

#include <limits>
#include <utility>
#include <vector>

namespace payonce::faults {

namespace {

using idempotency::ProblemCode;

/// A query item that is a whole number from 0 to `most`, 0 where there is none; empty where it is no such number.
std::optional<qint64> numberIn(const QUrlQuery& query, const QString& name, qint64 most)
{
    if (!query.hasQueryItem(name))
        return 0;
    bool isNumber = false;
    const auto number = query.queryItemValue(name).toLongLong(&isNumber);
    if (!isNumber || number < 0 || number > most)
        return {};
    return number;
}

} // namespace

JournalReaders::JournalReaders(ArrivalJournal& journal, ScenarioEngine& engine, QObject* parent)
    : QObject(parent), m_journal(journal), m_engine(engine)
{
    connect(&m_journal, &ArrivalJournal::appended, this, &JournalReaders::serve);
}

RowsBody JournalReaders::rows(const RowFilter& filter) const
{
    return rowsBody(m_journal, filter);
}

void JournalReaders::show(const std::shared_ptr<http::Exchange>& exchange)
{
    const auto& query = exchange->request().query;
    const auto after = numberIn(query, QStringLiteral("after"), std::numeric_limits<qint64>::max());
    const auto wait = numberIn(query, QStringLiteral("wait"), protocol::kLongestWait.count());
    if (!after || !wait)
        return refuse(exchange, ProblemCode::MemberInvalid,
                      R"("after" is a sequence number, "wait" are seconds from 0 to 25.)");
    RowFilter filter{*after, query.queryItemValue(QStringLiteral("action")).toStdString()};
    if (const auto until = query.queryItemValue(QStringLiteral("until")).toStdString(); !until.empty()) {
        filter.until = serverPointIn(until);
        if (!filter.until)
            return refuse(exchange, ProblemCode::MemberInvalid, R"("until" is no point of the server.)");
    }
    const auto found = rows(filter);
    if (found.isComplete || *wait == 0)
        return answer(exchange, found.body);
    hold(exchange, std::move(filter), std::chrono::seconds(*wait));
}

void JournalReaders::hold(const std::shared_ptr<http::Exchange>& exchange, RowFilter filter, std::chrono::seconds wait)
{
    forgetWhoLeft();
    if (m_waiters.size() >= kMostWaiters)
        return refuse(exchange, ProblemCode::RateLimited, "Too many wait for the journal.");
    const auto number = ++m_lastWaiter;
    if (filter.until)
        m_engine.writeDown(*filter.until);
    m_waiters.emplace(number, Waiter{exchange, std::move(filter)});
    QTimer::singleShot(wait, Qt::PreciseTimer, this, [this, number] { end(number); });
}

void JournalReaders::forgetWhoLeft()
{
    std::erase_if(m_waiters, [this](const auto& entry) {
        const Waiter& waiter = entry.second;
        if (waiter.exchange->isOpen())
            return false;
        if (waiter.filter.until)
            m_engine.writeDownNoMore(*waiter.filter.until);
        return true;
    });
}

void JournalReaders::serve()
{
    if (m_waiters.empty())
        return;
    // Only the newest row can have ended a wait.
    const auto& newest = m_journal.rows().back();
    std::vector<Waiter> served;
    std::erase_if(m_waiters, [&](auto& entry) {
        const auto& filter = entry.second.filter;
        if ((!filter.actionId.empty() && filter.actionId != newest.actionId) || newest.seq <= filter.after ||
            (filter.until && *filter.until != newest.point))
            return false;
        served.push_back(std::move(entry.second));
        return true;
    });
    for (const auto& waiter : served)
        tell(waiter);
}

void JournalReaders::end(quint64 number)
{
    if (const auto waiter = m_waiters.extract(number); !waiter.empty())
        tell(waiter.mapped());
}

void JournalReaders::tell(const Waiter& waiter)
{
    if (waiter.filter.until)
        m_engine.writeDownNoMore(*waiter.filter.until);
    answer(waiter.exchange, rows(waiter.filter).body);
}

} // namespace payonce::faults
