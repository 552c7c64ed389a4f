// The way in for libFuzzer (Clang).
#include "fuzz/fuzz_target.h"

#include <cstddef>
#include <cstdint>

// The name is libFuzzer's. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    // Bytes are characters here. NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
    payonce::fuzz::tryOne({reinterpret_cast<const char*>(data), size});
    return 0;
}
