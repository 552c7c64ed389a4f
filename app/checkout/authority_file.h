// Whom payonce trusts at https when a person says so with --ca-file.
#pragma once

#include "values/result.h"

#include <QtCore/QString>
#include <QtNetwork/QSslConfiguration>

namespace payonce::checkout {

/// Trusts the certificates (PEM) in the file at `path` and no others, those of the system included. Otherwise a sentence
/// that names the flag and the file.
[[nodiscard]] values::Result<QSslConfiguration, QString> trustOnly(const QString& path);

} // namespace payonce::checkout
