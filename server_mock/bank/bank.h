// Port: the bank. Three answers like every hop: final, not sent, unknown.
#pragma once

#include "idempotency/key_record.h"

#include <functional>
#include <optional>
#include <string>

namespace payonce::bank {

/// What is charged, under the one bank key of a record.
struct ChargeOrder
{
    values::BankKey key;
    values::ActionId actionId; ///< kept by the bank as the caller's reference
    std::string paymentMethod;
    values::Money amount;
    /// Runs inside the transaction that charges, on the bank's thread; false: the save fails. Empty: nothing. For the
    /// simulator.
    std::function<bool()> inside{};
};

/// The end of a bank call. No row: unknown (no answer within the limit, or the bank's database failed).
struct BankAnswer
{
    std::optional<idempotency::BankRow> row;
};

/// A card's outcome is decided and stored when it is exchanged; the number and the security code are kept nowhere.
struct ExchangedCard
{
    std::string paymentMethod; ///< `pm_…`
    std::string brand;
    std::string lastFour;
};

using Answered = std::function<void(BankAnswer)>;

/// Asynchronous; answers come later than the call, on the caller's thread, exactly once.
class Bank
{
public:
    Bank() = default;
    Bank(const Bank&) = delete;
    Bank& operator=(const Bank&) = delete;
    Bank(Bank&&) = delete;
    Bank& operator=(Bank&&) = delete;
    virtual ~Bank() = default;

    /// Idempotent by key: the first charge decides, every later one answers the same row.
    virtual void charge(const ChargeOrder& order, Answered done) = 0;
    virtual void lookup(const values::BankKey& key, Answered done) = 0;
    /// After it answers Fenced no charge under this key can ever happen; an existing charge or decline is answered instead.
    virtual void fence(const values::BankKey& key, Answered done) = 0;
    /// Empty: the bank's database failed. `number` is Luhn-valid digits.
    virtual void exchange(const std::string& number, std::function<void(std::optional<ExchangedCard>)> done) = 0;
};

} // namespace payonce::bank
