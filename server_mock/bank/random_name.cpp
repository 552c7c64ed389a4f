#include "bank/random_name.h"

#include <QtCore/QRandomGenerator>

#include <array>

namespace payonce::bank {

namespace {

constexpr std::string_view kLetters = "0123456789abcdefghjkmnpqrstvwxyz"; // 32: no i, l, o, u
constexpr int kLength = 26;
constexpr int kBitsALetter = 5;
constexpr int kLettersANumber = 64 / kBitsALetter;

} // namespace

std::string randomName(std::string_view prefix)
{
    std::array<quint64, (kLength + kLettersANumber - 1) / kLettersANumber> numbers{};
    QRandomGenerator::system()->fillRange(numbers.data(),
                                          static_cast<qsizetype>(numbers.size())); // in one go: each call of the system costs
    std::string name(prefix);
    for (int i = 0; i < kLength; ++i) {
        quint64& bits = numbers.at(static_cast<std::size_t>(i / kLettersANumber));
        name += kLetters[static_cast<std::size_t>(bits % kLetters.size())];
        bits >>= kBitsALetter;
    }
    return name;
}

} // namespace payonce::bank
