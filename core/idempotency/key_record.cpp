#include "idempotency/key_record.h"

namespace payonce::idempotency {

const char* nameOf(RecordKind kind)
{
    switch (kind) {
    case RecordKind::Payment: return "payment";
    case RecordKind::Account: return "account";
    case RecordKind::Support: return "support";
    }
    return "";
}

std::optional<RecordKind> recordKindOf(std::string_view name)
{
    for (const auto kind : {RecordKind::Payment, RecordKind::Account, RecordKind::Support})
        if (name == nameOf(kind))
            return kind;
    return {};
}

const char* nameOf(AbandonReason reason)
{
    switch (reason) {
    case AbandonReason::Cancelled: return "cancelled";
    case AbandonReason::Expired: return "expired";
    case AbandonReason::CartTaken: return "cart-taken";
    }
    return "";
}

std::optional<AbandonReason> abandonReasonOf(std::string_view name)
{
    for (const auto reason : {AbandonReason::Cancelled, AbandonReason::Expired, AbandonReason::CartTaken})
        if (name == nameOf(reason))
            return reason;
    return {};
}

} // namespace payonce::idempotency
