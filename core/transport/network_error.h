// From Qt's network errors to ours.
#pragma once

#include "retry/action.h"

#include <QtNetwork/QNetworkReply>

namespace payonce::transport {

/// None where the error says only that the answer has an HTTP status of 400 or more: then the status speaks, and the
/// error, too coarse to decide anything, is dropped. Without a status such an error is `Protocol`: HTTP/2 streams that
/// were reset end so. Both cases are measured, see docs/client.md.
[[nodiscard]] retry::TransportError transportErrorOf(QNetworkReply::NetworkError error, bool hasStatus);

} // namespace payonce::transport
