#include "storage/storage_error.h"

#include <QtCore/QString>
#include <QtSql/QSqlError>

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

StorageError errorFrom(const QSqlError& error)
{
    bool isNumber = false;
    const int code = error.nativeErrorCode().toInt(&isNumber);
    return isNumber ? errorFromSqlite(code) : StorageError::Failed;
}

} // namespace payonce::storage
