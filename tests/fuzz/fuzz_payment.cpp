// Body and key of a payment or a sign-up. The input's first line is the key, the second another header's value, the rest the
// body.
#include "fuzz/fuzz_target.h"
#include "protocol/account_request.h"
#include "protocol/answer.h"
#include "protocol/canonical_json.h"
#include "protocol/card_request.h"
#include "protocol/digest.h"
#include "protocol/email_address.h"
#include "protocol/fields.h"
#include "protocol/payment_request.h"
#include "protocol/strict_json.h"
#include "values/check.h"

#include <algorithm>
#include <string>

namespace payonce::fuzz {

namespace {

using protocol::Json;

constexpr std::chrono::hours kAheadMost{24};
constexpr values::WallTime kNow{std::chrono::milliseconds(1'796'119'200'000)}; // 2026-12-01

std::string_view takeLine(std::string_view& text)
{
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

/// Whatever a detail quotes from a request, the problem is JSON of this code.
void checkProblem(idempotency::ProblemCode code, const std::string& detail)
{
    CHECK(!detail.empty());
    protocol::Problem problem{code, detail};
    problem.instance = detail;
    const auto answer = protocol::answerOf(problem);
    const auto json = protocol::parseStrict(answer.body);
    CHECK(json.has_value());
    CHECK(json->at("status") == answer.status);
}

void checkKey(std::string_view line)
{
    const auto key = protocol::parseKey({std::string(line)}, kNow, kAheadMost);
    if (!key) {
        checkProblem(idempotency::ProblemCode::KeyInvalid, key.error().detail);
        CHECK(key.error().id.has_value() == (key.error().kind == protocol::KeyErrorKind::TooFarAhead));
        return;
    }
    const auto again = protocol::parseKey({protocol::quoted(*key)}, kNow, kAheadMost);
    CHECK(again.has_value() && *again == *key);
    const auto bare = protocol::parseKey({key->toString()}, kNow, kAheadMost);
    CHECK(bare.has_value() && *bare == *key);
    CHECK(key->madeAt() <= kNow + kAheadMost);
    CHECK(protocol::parseKey({std::string(line), std::string(line)}, kNow, kAheadMost).error().kind ==
          protocol::KeyErrorKind::Repeated);
}

void checkField(std::string_view line)
{
    if (const auto note = protocol::parseAttempt(line)) {
        const auto text = protocol::formatAttempt(*note);
        const auto again = protocol::parseAttempt(text);
        CHECK(again.has_value() && protocol::formatAttempt(*again) == text);
        CHECK(note->number >= 1 && note->presses >= 0);
    }
    if (const auto wait = protocol::parseWait(line))
        CHECK(*wait >= protocol::kShortestWait && *wait <= protocol::kLongestWait);
    if (const auto id = protocol::parseActionId(line))
        CHECK(protocol::parseActionId(protocol::quoted(*id)) == id);
    CHECK(protocol::contentDigestMatches(protocol::contentDigest(line), line));
    static_cast<void>(protocol::contentDigestMatches(line, line));
}

/// Strict is never laxer than the parser below it, agrees with it on the value, and the canonical form stays as it is.
void checkJson(std::string_view body)
{
    const auto strict = protocol::parseStrict(body);
    if (!strict) {
        CHECK(!protocol::wordsOf(strict.error()).empty());
        CHECK(strict.error().place.line >= 1 && strict.error().place.column >= 1);
        return;
    }
    CHECK(Json::accept(body));
    CHECK(Json::parse(body) == *strict);
    const auto canonical = protocol::canonicalJson(*strict);
    CHECK(protocol::canonicalJson(Json::parse(canonical)) == canonical);
    const auto again = protocol::parseStrict(canonical);
    // Of integers beyond 2^53 the canonical text has the shortest digits, which need not be the exact ones.
    CHECK(again.has_value() || again.error().kind == protocol::JsonErrorKind::InexactNumber);
    const auto placed = protocol::parseStrictWithPlaces(body);
    CHECK(placed ? placed->value == *strict && placed->places.count("") == 1
                 : placed.error().kind == protocol::JsonErrorKind::TooManyPlaces);
}

idempotency::Fingerprint fingerprintOf(const protocol::ParsedPayment& payment)
{
    return protocol::fingerprintOf("p1", "payment", "POST /v1/payments", payment.canonicalBody);
}

void checkPayment(std::string_view body)
{
    const auto payment = protocol::parsePayment(body);
    if (!payment)
        return checkProblem(payment.error().code, payment.error().detail);
    const auto& terms = payment->terms;
    CHECK(terms.amount.minorUnits >= 1 && terms.amount.minorUnits <= 99'999'999'999);
    CHECK(!terms.cartId.empty() && terms.cartId.size() <= protocol::kLongestName);
    CHECK(terms.email.size() <= protocol::kLongestEmailAddress);
    const auto repeated = protocol::parsePayment(std::string(body));
    CHECK(repeated.has_value() && fingerprintOf(*repeated) == fingerprintOf(*payment));
    // Another spelling of the same content is the same content.
    if (const auto respelled = protocol::parsePayment(Json::parse(payment->canonicalBody).dump(4))) {
        CHECK(fingerprintOf(*respelled) == fingerprintOf(*payment));
        CHECK(respelled->terms == terms);
    }
    // What the client makes of the same terms means the same to the server.
    const auto built = protocol::buildPayment({terms.cartId, terms.amount, terms.email}, {terms.paymentMethod, "visa", "4242"},
                                              terms.validUntil);
    const auto own = protocol::parsePayment(built.body);
    CHECK(protocol::isIntact(built) && own.has_value() && own->terms == terms);
}

void checkSignUp(std::string_view body)
{
    const auto signUp = protocol::parseSignUp(body);
    if (!signUp)
        return checkProblem(signUp.error().code, signUp.error().detail);
    CHECK(!signUp->email.empty() && signUp->email.size() <= protocol::kLongestEmailAddress && !signUp->name.empty());
    // Another spelling of the same content is the same content.
    if (const auto respelled = protocol::parseSignUp(Json::parse(signUp->canonicalBody).dump(4)))
        CHECK(respelled->canonicalBody == signUp->canonicalBody && respelled->email == signUp->email &&
              respelled->name == signUp->name && respelled->validUntil == signUp->validUntil);
    const auto id = values::ActionId::parse("0198c0de-7a11-7c3e-9f00-6b1f0a2c4d5e");
    CHECK(id && protocol::parseStrict(protocol::renderSignedUp(*id, "acc_1", signUp->email).body).has_value());
}

void checkCard(std::string_view body)
{
    const auto card = protocol::parseCardRequest(body);
    if (!card)
        return checkProblem(card.error().code, card.error().detail);
    const auto again = protocol::parseCardRequest(protocol::buildCardRequest(*card));
    CHECK(again.has_value());
    CHECK(protocol::isLuhnValid(card->number));
}

} // namespace

void tryOne(std::string_view input)
{
    checkKey(takeLine(input));
    checkField(takeLine(input));
    checkJson(input);
    checkPayment(input);
    checkSignUp(input);
    checkCard(input);
}

} // namespace payonce::fuzz
