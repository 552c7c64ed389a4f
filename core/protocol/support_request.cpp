#include "protocol/support_request.h"

#include "protocol/canonical_json.h"
#include "protocol/card_text.h"
#include "protocol/request_reader.h"
#include "protocol/utf8.h"

namespace payonce::protocol {

namespace {

constexpr std::size_t kLongestWord = 64; // of a report

std::string shortWord(const Json& object, std::string_view name)
{
    return textMember(object, name).value_or(std::string()).substr(0, kLongestWord);
}

} // namespace

values::Result<ParsedReason, BodyProblem> parseReason(std::string_view body)
{
    const auto json = parseBody(body);
    if (!json)
        return values::Failure(json.error());
    std::optional<BodyProblem> problem;
    RequestReader reader(*json, "", problem);
    auto reason = reader.text("reason", {kLongestReason * kLongestCodePoint});
    if (reason && codePointsIn(*reason) > kLongestReason)
        reader.refuse("reason", "must be 1 to 500 characters long");
    else if (reason && holdsCardNumber(*reason))
        reader.refuse("reason", "must not hold a card number");
    if (problem)
        return values::Failure(*problem);
    return ParsedReason{std::move(*reason), canonicalJson(*json)};
}

std::vector<console::ReportedAttempt> reportedAttempts(std::string_view body)
{
    const auto json = parseStrict(body);
    const Json* const list = json ? memberOf(*json, "attempts") : nullptr;
    std::vector<console::ReportedAttempt> attempts;
    if (list == nullptr || !list->is_array())
        return attempts;
    for (const Json& element : *list) {
        const auto number = intMember(element, "n");
        if (!number || *number < 1 || attempts.size() >= static_cast<std::size_t>(console::kAttemptsToldMost))
            continue;
        const auto at = textMember(element, "at");
        attempts.push_back({*number, at ? values::fromRfc3339(*at) : std::nullopt, shortWord(element, "outcome"),
                            shortWord(element, "reason"), intMember(element, "status")});
    }
    return attempts;
}

} // namespace payonce::protocol
