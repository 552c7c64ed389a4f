#include "shop/support_evidence.h"

#include <QtCore/QPointer>
#include <QtCore/QTimer>

#include <utility>

namespace payonce::shop {

void SupportEvidence::ask(const bank::EvidenceQuery& query, Told told)
{
    const std::uint64_t number = ++m_lastCall;
    m_calls.emplace(number, std::move(told));
    QTimer::singleShot(m_limit, Qt::PreciseTimer, m_home.get(), [this, number] { end(number, {}); });
    m_evidence->rows(query, [this, number, home = QPointer<QObject>(m_home.get())](std::optional<EvidenceRows> rows) {
        if (home)
            end(number, std::move(rows));
    });
}

void SupportEvidence::end(std::uint64_t number, std::optional<EvidenceRows> rows)
{
    auto call = m_calls.extract(number);
    if (!call.empty())
        call.mapped()(std::move(rows));
}

} // namespace payonce::shop
