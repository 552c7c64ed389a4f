// Why a command of the automation socket was not carried out.
#pragma once

#include "values/result.h"

#include <QtCore/QLatin1String>
#include <QtCore/QString>

namespace payonce::automation {

enum class RefusalKind {
    Hidden,
    Disabled,
    Covered, ///< something else lies over the middle of it, or a dialog is in the way
    Ambiguous,
    NotFound,
    Timeout,
    BadRequest,
};

struct Refusal
{
    RefusalKind kind = RefusalKind::BadRequest;
    QString detail; ///< a sentence for whoever reads the log of a test
};

template <class T> using Outcome = values::Result<T, Refusal>;

/// `hidden`, `not_found`, …
[[nodiscard]] QLatin1String nameOf(RefusalKind kind);
[[nodiscard]] tl::unexpected<Refusal> refuse(RefusalKind kind, const QString& detail);

} // namespace payonce::automation
