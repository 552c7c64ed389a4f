#include "storage/storage_error.h"

#include <algorithm>
#include <array>

namespace payonce::storage {

namespace {

// The primary result codes; their numbers are part of SQLite's file-format-stable interface.
constexpr int kPermission = 3;
constexpr int kBusy = 5;
constexpr int kLocked = 6;
constexpr int kReadOnly = 8;
constexpr int kCorrupt = 11;
constexpr int kFull = 13;
constexpr int kConstraint = 19;
constexpr int kNotADatabase = 26;
constexpr int kPrimaryMask = 0xff;

} // namespace

StorageError errorFromSqlite(int resultCode)
{
    switch (resultCode & kPrimaryMask) {
    case kBusy:
    case kLocked: return StorageError::Locked;
    case kPermission:
    case kReadOnly: return StorageError::ReadOnly;
    case kCorrupt:
    case kNotADatabase: return StorageError::Damaged;
    case kFull: return StorageError::DiskFull;
    case kConstraint: return StorageError::Constraint;
    default: return StorageError::Failed;
    }
}

StorageError errorFromPostgres(const QString& sqlState)
{
    struct Meaning
    {
        QLatin1String state; ///< whole, or its class alone
        StorageError error;
    };
    static constexpr std::array kMeanings{
        Meaning{QLatin1String("08"), StorageError::Lost},        Meaning{QLatin1String("57P0"), StorageError::Lost},
        Meaning{QLatin1String("25P03"), StorageError::Lost},     Meaning{QLatin1String("53300"), StorageError::Lost},
        Meaning{QLatin1String("53100"), StorageError::DiskFull}, Meaning{QLatin1String("25006"), StorageError::ReadOnly},
        Meaning{QLatin1String("42501"), StorageError::ReadOnly}, Meaning{QLatin1String("55P03"), StorageError::Locked},
        Meaning{QLatin1String("57014"), StorageError::Locked},   Meaning{QLatin1String("XX00"), StorageError::Damaged},
        Meaning{QLatin1String("22"), StorageError::Constraint},  Meaning{QLatin1String("23"), StorageError::Constraint}};
    if (sqlState.isEmpty())
        return StorageError::Lost;
    const auto* const found = std::find_if(kMeanings.begin(), kMeanings.end(),
                                           [&](const Meaning& meaning) { return sqlState.startsWith(meaning.state); });
    return found == kMeanings.end() ? StorageError::Failed : found->error;
}

} // namespace payonce::storage
