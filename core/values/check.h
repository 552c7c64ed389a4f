// CHECK: states what we believe about our own code, in every build.
#pragma once

namespace payonce::values {

/// Prints the broken belief and ends the process. Never used for input from people, network or disk.
[[noreturn]] void checkFailed(const char* belief, const char* file, int line) noexcept;

} // namespace payonce::values

// A macro because it must quote the condition and its place.
// NOLINTNEXTLINE(cppcoreguidelines-macro-usage)
#define CHECK(belief) ((belief) ? static_cast<void>(0) : ::payonce::values::checkFailed(#belief, __FILE__, __LINE__))
