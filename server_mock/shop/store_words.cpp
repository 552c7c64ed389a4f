#include "shop/store_words.h"

namespace payonce::shop {

const char* wordsOf(idempotency::StoreError error)
{
    using idempotency::StoreError;
    switch (error) {
    case StoreError::DiskFull: return "the disk is full";
    case StoreError::ReadOnly: return "the file or its directory is read-only";
    case StoreError::Locked: return "another program keeps it locked";
    case StoreError::Damaged: return "it is damaged or no database of this program; it was left as it is";
    case StoreError::NewerVersion: return "a newer version of this program wrote it; it was left as it is";
    case StoreError::Unavailable: return "it cannot be read or written";
    }
    return "";
}

} // namespace payonce::shop
