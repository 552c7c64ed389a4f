#include "values/check.h"

#include <cstdio>
#include <cstdlib>

namespace payonce::values {

void checkFailed(const char* belief, const char* file, int line) noexcept
{
    std::fprintf(stderr, "payonce: broken belief: %s (%s:%d)\n", belief, file, line);
    std::abort();
}

} // namespace payonce::values
