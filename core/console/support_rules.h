// Support's rules, pure: the verdict, the sentence for the customer, and what may be done. There is no "charge again".
#pragma once

#include "console/verdict.h"
#include "values/money.h"
#include "values/record_state.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace payonce::console {

/// What staff can do to an action (POST /v1/support/actions/{id}/NAME).
enum class SupportDeed { AskBank, FinishOrder, Close, ResendReceipt, Note, Unmask };

/// `ask-bank`, `finish-order`, `close`, `resend-receipt`, `note`, `unmask`.
[[nodiscard]] std::string_view nameOf(SupportDeed deed);
[[nodiscard]] std::optional<SupportDeed> supportDeedOf(std::string_view name);

enum class OrderStanding { None, Open, Paid, Closed };

/// `none`, `open`, `paid`, `closed`.
[[nodiscard]] std::string_view nameOf(OrderStanding standing);

/// What the rules look at.
struct Standing
{
    std::optional<values::RecordState> state; ///< none: the shop has never seen the action
    bool isPayment = true;                    ///< else a sign-up, which has no bank
    bool hasBankKey = false;
    bool hasDiscrepancy = false; ///< an event of the bank says otherwise than the record, and nobody has put it right
    bool hasEmail = false;
    bool isBankSilent = false; ///< it does not answer now; `charges` says nothing then
    int charges = 0;           ///< approved rows of the bank
    OrderStanding order = OrderStanding::None;
    std::string orderNumber;
    std::string cartHolder; ///< reference of another action that holds the cart; empty: none does
    std::optional<values::Money> amount;
};

/// judge() of what stands; of a payment UnknownBeingChecked while the bank is silent.
[[nodiscard]] VerdictCode verdictOf(const Standing& standing);
/// What to tell the customer, in whole sentences. It never says more than the records prove.
[[nodiscard]] std::string customerSentence(const Standing& standing);

/// Why the deed must not be done now, in words; empty: it may be done.
[[nodiscard]] std::string unsafeBecause(SupportDeed deed, const Standing& standing);

struct Permission
{
    SupportDeed deed = SupportDeed::Note;
    std::string unsafeBecause; ///< empty: it may be done
    friend bool operator==(const Permission&, const Permission&) = default;
};
/// Every deed, in a fixed order.
[[nodiscard]] std::vector<Permission> permissionsOf(const Standing& standing);

} // namespace payonce::console
