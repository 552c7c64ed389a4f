// What leaves where a rule fires: answers that are not the shop's, and faults in the bytes of one that is.
#pragma once

#include "console/fault_rule.h"
#include "faults/arrival_row.h"
#include "faults/fault_points.h"
#include "http/exchange.h"

#include <QtCore/QByteArray>

#include <cstdint>

namespace payonce::faults {

[[nodiscard]] http::Response responseOf(const console::Reply& reply);
[[nodiscard]] http::Response responseOf(const console::Redirect& redirect, const http::Request& request);
/// The same answer as if it were another action's.
[[nodiscard]] http::Response underAnotherId(http::Response response, const std::string& actionId);
/// 404: the shop has never seen the action.
[[nodiscard]] http::Response unknownAction(const Arrival& arrival);
/// Bytes that are no HTTP.
[[nodiscard]] QByteArray garbage();
/// The answer to this request as it goes over the wire.
[[nodiscard]] QByteArray encoded(const http::Response& response, const http::Request& request, values::WallTime date);
/// How many bytes that are.
[[nodiscard]] qsizetype encodedSize(const http::Response& response, const http::Request& request);

/// Of a rule within the bytes of an answer, or of `drip` before them. `reached` is for what no byte can do: wait for somebody,
/// end the process.
[[nodiscard]] http::ByteFault faultOf(const console::Rule& rule, std::function<void()> reached);
/// Bytes of head and body that leave before the fault, of one whole answer.
[[nodiscard]] std::int64_t bytesBefore(const http::ByteFault& fault, const http::Request& request,
                                       const http::Response& response);

/// How the connection ends by it.
[[nodiscard]] RowEnd rowEndOf(const console::FaultAction& action);

} // namespace payonce::faults
