// LedgerBench: what the conformance suite needs of a store besides the port.
#pragma once

#include "idempotency/ledger_store.h"
#include "idempotency/order.h"

#include <vector>

namespace payonce::tests {

/// A fresh, empty ledger with the renderer of ledger_samples.h and the given numbers.
class LedgerBench
{
public:
    LedgerBench() = default;
    LedgerBench(const LedgerBench&) = delete;
    LedgerBench& operator=(const LedgerBench&) = delete;
    LedgerBench(LedgerBench&&) = delete;
    LedgerBench& operator=(LedgerBench&&) = delete;
    virtual ~LedgerBench() = default;

    [[nodiscard]] virtual idempotency::LedgerStore& store() = 0;
    /// The process ends in the middle of the open batch and starts again.
    virtual void crash() = 0;
    /// A cart the shop knows, with this total; returns its id.
    virtual std::string addCart(const std::string& account, const values::Money& total) = 0;
    virtual void addPaymentMethod(const std::string& account, const std::string& id) = 0;
    /// Of all accounts, oldest first.
    [[nodiscard]] virtual std::vector<idempotency::Order> orders() = 0;
};

} // namespace payonce::tests
