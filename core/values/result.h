// Result: the return type of every function that can fail in an expected way.
#pragma once

#include <tl/expected.hpp>

namespace payonce::values {

/// Either a value or an enum error; never both, never neither. Unused results are a compile warning.
template <class T, class E> using Result = tl::expected<T, E>;

/// Wraps an error for return: `return Failure(MoneyError::OutOfRange);`.
template <class E> [[nodiscard]] constexpr tl::unexpected<std::decay_t<E>> Failure(E&& error)
{
    return tl::unexpected<std::decay_t<E>>(std::forward<E>(error));
}

} // namespace payonce::values
