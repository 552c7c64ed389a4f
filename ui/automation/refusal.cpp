#include "automation/refusal.h"

namespace payonce::automation {

QLatin1String nameOf(RefusalKind kind)
{
    switch (kind) {
    case RefusalKind::Hidden: return QLatin1String("hidden");
    case RefusalKind::Disabled: return QLatin1String("disabled");
    case RefusalKind::Covered: return QLatin1String("covered");
    case RefusalKind::Ambiguous: return QLatin1String("ambiguous");
    case RefusalKind::NotFound: return QLatin1String("not_found");
    case RefusalKind::Timeout: return QLatin1String("timeout");
    case RefusalKind::BadRequest: return QLatin1String("bad_request");
    }
    return {};
}

tl::unexpected<Refusal> refuse(RefusalKind kind, const QString& detail)
{
    return values::Failure(Refusal{kind, detail});
}

} // namespace payonce::automation
