// Why a database does not do what it should, in words for whoever runs the server.
#pragma once

#include "idempotency/ledger_store.h"

namespace payonce::shop {

/// `the disk is full`: goes on behind a colon.
[[nodiscard]] const char* wordsOf(idempotency::StoreError error);

} // namespace payonce::shop
