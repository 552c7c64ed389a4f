// Without libFuzzer: gives every file of the directories on the command line to the target once.
#include "fuzz/fuzz_target.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace {

std::string contentOf(const std::filesystem::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

} // namespace

int main(int argc, char* argv[])
{
    int files = 0;
    for (int i = 1; i < argc; ++i)
        for (const auto& entry : std::filesystem::directory_iterator(argv[i])) {
            std::printf("%s\n", entry.path().c_str()); // NOLINT(*-vararg): before it runs, so that a crash has a name
            std::fflush(stdout);
            payonce::fuzz::tryOne(contentOf(entry.path()));
            ++files;
        }
    if (files == 0)
        std::fputs("no files to try\n", stderr);
    return files == 0 ? 1 : 0;
}
