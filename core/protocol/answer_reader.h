// The answers about an action, as the client reads them: POST, GET and every problem.
#pragma once

#include "retry/wire_result.h"

#include <optional>
#include <string_view>

namespace payonce::protocol {

/// The deciding members. Empty if the body is not strict JSON, is no object, names neither an action nor a problem code,
/// or has a deciding member of a wrong type: such an answer proves nothing.
/// Of a status answer with a `result`, amount, order, charge, decline code and text come from the stored answer inside it;
/// `code` stays empty, because the answer itself is no problem.
[[nodiscard]] std::optional<retry::AnswerBody> parseAnswer(std::string_view body);

} // namespace payonce::protocol
