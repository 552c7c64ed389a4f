// The body of POST /v1/payment-methods, and its answer. Card data passes through here and is kept nowhere.
#pragma once

#include "protocol/body_problem.h"
#include "retry/transport.h"
#include "values/result.h"

#include <optional>
#include <string>
#include <string_view>

namespace payonce::protocol {

inline constexpr std::size_t kShortestCardNumber = 12;
inline constexpr std::size_t kLongestCardNumber = 19;
inline constexpr int kEarliestExpiryYear = 2000;
inline constexpr int kLatestExpiryYear = 2099;

/// The check digit of ISO/IEC 7812-1; false for anything but digits.
[[nodiscard]] bool isLuhnValid(std::string_view digits);

/// `{"card":{"number":"…","exp_month":12,"exp_year":2031,"cvc":"123"}}`.
[[nodiscard]] std::string buildCardRequest(const retry::Card& card);
/// Digits, Luhn, month 1 to 12, year in its bounds, three or four digits of security code. Whether the card has
/// expired is not a question of form.
[[nodiscard]] values::Result<retry::Card, BodyProblem> parseCardRequest(std::string_view body);

/// `{"id":"pm_…","brand":"visa","last4":"4242"}`.
[[nodiscard]] std::string renderCardToken(const retry::CardToken& token);
[[nodiscard]] std::optional<retry::CardToken> parseCardToken(std::string_view body);

} // namespace payonce::protocol
