// ASCII in lower case.
#pragma once

#include <string>
#include <string_view>

namespace payonce::values {

/// Every byte but A to Z stays as it is.
[[nodiscard]] std::string lowerCase(std::string_view text);

} // namespace payonce::values
