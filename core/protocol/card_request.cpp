#include "protocol/card_request.h"

#include "protocol/request_reader.h"

#include <utility>

namespace payonce::protocol {

namespace {

constexpr std::size_t kShortestSecurityCode = 3;
constexpr std::size_t kLongestSecurityCode = 4;
constexpr std::size_t kLongestText = 64;

bool isDigits(std::string_view text)
{
    return text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::optional<std::string> readDigits(RequestReader& card, std::string_view name, std::size_t shortest, std::size_t longest)
{
    auto digits = card.text(name, {kLongestText});
    if (!digits || (isDigits(*digits) && digits->size() >= shortest && digits->size() <= longest))
        return digits;
    card.refuse(name, "must be " + std::to_string(shortest) + " to " + std::to_string(longest) + " digits");
    return {};
}

std::optional<std::string> readNumber(RequestReader& card)
{
    auto number = readDigits(card, "number", kShortestCardNumber, kLongestCardNumber);
    if (!number || isLuhnValid(*number))
        return number;
    card.refuse("number", "is not a card number: its check digit is wrong");
    return {};
}

} // namespace

bool isLuhnValid(std::string_view digits)
{
    if (digits.empty() || !isDigits(digits))
        return false;
    int sum = 0;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        const int digit = digits[digits.size() - 1 - i] - '0';
        const int doubled = i % 2 == 1 ? digit * 2 : digit;
        sum += doubled > 9 ? doubled - 9 : doubled;
    }
    return sum % 10 == 0;
}

std::string buildCardRequest(const retry::Card& card)
{
    const OrderedJson members = {
        {"number", card.number}, {"exp_month", card.expiryMonth}, {"exp_year", card.expiryYear}, {"cvc", card.securityCode}};
    OrderedJson body;
    body["card"] = members;
    return textOf(body);
}

values::Result<retry::Card, BodyProblem> parseCardRequest(std::string_view body)
{
    const auto json = parseBody(body);
    if (!json)
        return values::Failure(json.error());
    std::optional<BodyProblem> problem;
    const auto* object = RequestReader(*json, "", problem).object("card");
    if (object == nullptr)
        return values::Failure(problem.value());
    RequestReader card(*object, "card.", problem);
    auto number = readNumber(card);
    const auto month = card.integer("exp_month", {1, 12});
    const auto year = card.integer("exp_year", {kEarliestExpiryYear, kLatestExpiryYear});
    auto securityCode = readDigits(card, "cvc", kShortestSecurityCode, kLongestSecurityCode);
    if (!number || !month || !year || !securityCode)
        return values::Failure(problem.value());
    return retry::Card{std::move(*number), static_cast<int>(*month), static_cast<int>(*year), std::move(*securityCode)};
}

std::string renderCardToken(const retry::CardToken& token)
{
    return textOf({{"id", token.paymentMethod}, {"brand", token.brand}, {"last4", token.lastFour}});
}

std::optional<retry::CardToken> parseCardToken(std::string_view body)
{
    const auto json = parseStrict(body);
    if (!json)
        return {};
    auto id = textMember(*json, "id");
    auto brand = textMember(*json, "brand");
    auto lastFour = textMember(*json, "last4");
    if (!id || id->empty() || !brand || !lastFour)
        return {};
    return retry::CardToken{std::move(*id), std::move(*brand), std::move(*lastFour)};
}

} // namespace payonce::protocol
