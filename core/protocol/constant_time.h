// Comparing secrets.
#pragma once

#include <QtCore/QByteArrayView>

namespace payonce::protocol {

/// No early end: for texts of one length, the time says nothing about where the first difference is.
[[nodiscard]] inline bool equalInConstantTime(QByteArrayView a, QByteArrayView b)
{
    if (a.size() != b.size())
        return false;
    unsigned difference = 0;
    for (qsizetype i = 0; i < a.size(); ++i)
        difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned>(static_cast<unsigned char>(b[i]));
    return difference == 0;
}

} // namespace payonce::protocol
