// What a client reads from a server that may be anybody. The input's first line is a date or delay field, the rest an answer's
// body.
#include "fuzz/fuzz_target.h"
#include "protocol/answer_reader.h"
#include "protocol/card_request.h"
#include "protocol/http_date.h"
#include "protocol/shop_info.h"
#include "protocol/verdict_json.h"
#include "values/check.h"

#include <algorithm>
#include <string>

namespace payonce::fuzz {

namespace {

constexpr values::WallTime kNow{std::chrono::milliseconds(1'796'119'200'000)}; // 2026-12-01

void checkField(std::string_view field)
{
    if (const auto time = protocol::fromHttpDate(field, kNow))
        CHECK(protocol::fromHttpDate(protocol::toHttpDate(*time), kNow) == time);
    if (const auto delay = protocol::parseRetryAfter(field, kNow))
        CHECK(delay->count() >= 0 && *delay <= protocol::kLongestRetryAfter);
}

/// What was understood is written so that it is understood the same again.
void checkBody(std::string_view body)
{
    if (const auto answer = protocol::parseAnswer(body))
        CHECK(answer->actionId.has_value() || !answer->code.empty());
    if (const auto policy = protocol::parsePolicy(body))
        CHECK(protocol::parsePolicy(protocol::renderPolicy(*policy)) == policy);
    if (const auto cart = protocol::parseCart(body))
        CHECK(protocol::parseCart(protocol::renderCart(*cart)) == cart);
    if (const auto token = protocol::parseCardToken(body))
        CHECK(protocol::parseCardToken(protocol::renderCardToken(*token)) == token);
    if (const auto verdict = protocol::parseVerdict(body)) {
        const auto text = protocol::renderVerdict(*verdict);
        const auto again = protocol::parseVerdict(text);
        CHECK(again.has_value() && protocol::renderVerdict(*again) == text);
    }
}

} // namespace

void tryOne(std::string_view input)
{
    const auto end = std::min(input.find('\n'), input.size());
    checkField(input.substr(0, end));
    checkBody(input.substr(std::min(end + 1, input.size())));
}

} // namespace payonce::fuzz
