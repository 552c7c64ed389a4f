#include "core/idempotency/ledger_samples.h"

namespace payonce::samples {

using namespace idempotency;

namespace {

template <class Id> Id mint(std::uint8_t number)
{
    values::UuidRandom random{};
    random.back() = number;
    return Id::mint(kNow, random);
}

} // namespace

values::ActionId actionId(std::uint8_t number)
{
    return mint<values::ActionId>(number);
}

values::BankKey bankKey(std::uint8_t number)
{
    return mint<values::BankKey>(number);
}

values::Money euros(std::int64_t minorUnits)
{
    return {minorUnits, values::Currency::fromCode("EUR").value()};
}

Fingerprint fingerprint(std::uint8_t number)
{
    Fingerprint result;
    result.bytes.fill(number);
    return result;
}

ClaimRequest request(std::uint8_t number, const std::string& cartId)
{
    return {kAccount,
            actionId(number),
            "policy-1",
            fingerprint(1),
            {cartId, euros(4200), kCard, "a@example.com", kNow + std::chrono::minutes(15)}};
}

OnceRequest onceRequest(std::uint8_t number)
{
    return {kAccount, actionId(number), RecordKind::Account, "policy-1", fingerprint(5), kNow + std::chrono::minutes(15)};
}

ClaimStamp stamp(std::uint8_t number, values::WallTime now, const std::string& owner)
{
    const std::string suffix = std::to_string(number);
    return {owner, now, bankKey(number), "pay_" + suffix, "ord_" + suffix};
}

KeyRecord record(std::uint8_t number, values::RecordState state)
{
    ClaimFacts facts;
    facts.paymentMethodKnown = true;
    facts.nextOrderNumber = "1001";
    KeyRecord result = std::get<Execute>(decideClaim(request(number), facts, stamp(number), {})).record;
    result.state = state;
    if (state == values::RecordState::Abandoned)
        result.reason = AbandonReason::Expired;
    return result;
}

BankRow approved()
{
    return {BankState::Approved, "ch_1", {}};
}

BankRow declined()
{
    return {BankState::Declined, {}, "insufficient_funds"};
}

BankRow fenced()
{
    return {BankState::Fenced, {}, {}};
}

Ownership ownershipOf(const KeyRecord& record)
{
    return {record.account, record.id, record.owner, record.fence};
}

StoredAnswer renderAnswer(const KeyRecord& record)
{
    const int status = record.state == values::RecordState::Succeeded ? 201 : 402;
    return {status, std::string("{\"of\":\"") + record.id.toString() + "\",\"by\":\"" + record.chargeId + record.declineCode +
                        std::string("\0\xff\"}", 4)};
}

} // namespace payonce::samples
