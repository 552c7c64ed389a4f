// What each problem code means, told to a person: the words of the pages /problems/{code}.
#pragma once

#include "idempotency/problem.h"

#include <string_view>

namespace payonce::shop {

struct ProblemWords
{
    std::string_view name;    ///< of the code, as in `/problems/NAME`
    std::string_view meaning; ///< what has happened, and what has not
    std::string_view toDo;    ///< the caller's next step
};

/// Null where no code has this name.
[[nodiscard]] const ProblemWords* wordsOf(std::string_view name);
/// Is it safe to send it again? A sentence that stands by itself.
[[nodiscard]] std::string_view sentenceOf(idempotency::RetryAdvice advice);

} // namespace payonce::shop
