// GET /problems/{code}: a problem code explained to a person, or to a program that asks for JSON or plain text.
#pragma once

#include "http/message.h"

#include <QtCore/QByteArray>

#include <optional>

namespace payonce::shop {

/// `accept`: the value of the Accept header; HTML where it says nothing. Empty: no such code.
[[nodiscard]] std::optional<http::Response> problemPage(const QByteArray& code, const QByteArray& accept);

} // namespace payonce::shop
