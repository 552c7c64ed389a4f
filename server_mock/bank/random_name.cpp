#include "bank/random_name.h"

#include <QtCore/QRandomGenerator>

namespace payonce::bank {

namespace {

constexpr std::string_view kLetters = "0123456789abcdefghjkmnpqrstvwxyz"; // 32: no i, l, o, u
constexpr int kLength = 26;

} // namespace

std::string randomName(std::string_view prefix)
{
    std::string name(prefix);
    for (int i = 0; i < kLength; ++i)
        name += kLetters[QRandomGenerator::system()->bounded(static_cast<quint32>(kLetters.size()))];
    return name;
}

} // namespace payonce::bank
