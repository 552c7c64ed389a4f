// Samples: the cart, card and snapshots that the tests of the screen and its pictures show.
#pragma once

#include "viewmodels/card_form.h"
#include "viewmodels/cart.h"

#include "retry/action_machine.h"

#include <string_view>
#include <vector>

namespace payonce::tests {

[[nodiscard]] values::Money money(std::int64_t minorUnits, std::string_view currency);
/// 42.00 €: a notebook and ink.
[[nodiscard]] viewmodels::Cart sampleCart();
/// One line of `total`, no tax.
[[nodiscard]] viewmodels::Cart cartOf(const values::Money& total);
/// A good test card and address.
[[nodiscard]] viewmodels::CardFields goodFields();
/// A snapshot as the client shows it in this state; its reference is 0A2C-4D5E, its amount 42.00 €.
[[nodiscard]] retry::Snapshot sampleSnapshot(retry::State state, retry::Cause cause = retry::Cause::None);

/// Every state with every cause it can have.
struct StateAndCause
{
    retry::State state;
    retry::Cause cause;
};
[[nodiscard]] std::vector<StateAndCause> everyStateAndCause();

} // namespace payonce::tests
