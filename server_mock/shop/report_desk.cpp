#include "shop/report_desk.h"

#include "protocol/strict_json.h"
#include "shop/replies.h"

namespace payonce::shop {

using idempotency::ProblemCode;

void ReportDesk::take(const std::shared_ptr<Incoming>& incoming)
{
    const QByteArray& body = incoming->request().body;
    if (body.size() > kReportMost)
        return refuse(incoming, ProblemCode::BodyTooLarge, "A report has at most 16 KiB.");
    const auto json = protocol::parseStrict(body.toStdString());
    if (!json || !json->is_object())
        return refuse(incoming, ProblemCode::BodyInvalid, "A report is one JSON object.");
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

void ReportDesk::refuse(const std::shared_ptr<Incoming>& incoming, ProblemCode code, const char* detail)
{
    m_parts.faults.answer(incoming->arrival, responseOf(protocol::Problem{code, detail, incoming->action}));
}

} // namespace payonce::shop
