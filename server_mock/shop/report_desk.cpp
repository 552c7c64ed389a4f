#include "shop/report_desk.h"

#include "shop/replies.h"

namespace payonce::shop {

using idempotency::ProblemCode;

void ReportDesk::take(const std::shared_ptr<Incoming>& incoming)
{
    const QByteArray& body = incoming->request().body;
    if (body.size() > kReportMost)
        return refuse(incoming, ProblemCode::BodyTooLarge, "A report has at most 16 KiB.");
    const auto json = protocol::parseStrict(body.toStdString());
    if (!json)
        return refuse(incoming, ProblemCode::BodyInvalid, "A report is one JSON object.");
    if (!json->is_object())
        return refuse(incoming, ProblemCode::MemberInvalid, "A report is one JSON object, not another JSON value.");
    if (const auto wait = m_quota.waitFor(incoming->arrival.account, body.size()))
        return refuseTooMany(incoming, *wait);
    countPresses(*incoming, *json);
    const storage::ClientReport report{incoming->arrival.account, *incoming->action, m_parts.clock(), body.toStdString()};
    m_parts.records.work<void>(
        [report](ShopStore& store) { return store.tables().saveReport(report); },
        [this, incoming](const Outcome<void>& saved) {
            constexpr int kNoContent = 204;
            const protocol::Answer taken{kNoContent, protocol::kJsonType, {}};
            m_parts.faults.answer(incoming->arrival, saved ? responseOf(taken, incoming->action)
                                                           : storeUnavailable(incoming->action, m_parts.numbers.retryAfter));
        });
}

// Each report tells all presses so far, by the state that was shown.
void ReportDesk::countPresses(const Incoming& incoming, const protocol::Json& report)
{
    constexpr std::int64_t kPressesMost = 1'000'000;
    const auto presses = report.find("presses");
    if (presses == report.end() || !presses->is_object())
        return;
    for (const auto& [name, count] : presses->items()) {
        const auto state = protocol::clientStateOf(name);
        const bool isCount = count.is_number_integer() && count >= 0 && count <= kPressesMost;
        if (!state || !isCount)
            continue;
        const std::string counted = incoming.arrival.account + '/' + incoming.arrival.actionId + '/' + name;
        if (const int more = m_presses.increase(counted, count.get<int>()); more > 0)
            m_parts.metrics.pressed(PressSource::Report, *state, more);
    }
}

void ReportDesk::refuseTooMany(const std::shared_ptr<Incoming>& incoming, std::chrono::milliseconds wait)
{
    protocol::Problem problem{ProblemCode::RateLimited, "This account has reported too much within an hour.", incoming->action};
    problem.retryAfter = std::chrono::ceil<std::chrono::seconds>(wait);
    m_parts.faults.answer(incoming->arrival, responseOf(problem));
}

void ReportDesk::refuse(const std::shared_ptr<Incoming>& incoming, ProblemCode code, const char* detail)
{
    m_parts.faults.answer(incoming->arrival, responseOf(protocol::Problem{code, detail, incoming->action}));
}

} // namespace payonce::shop
