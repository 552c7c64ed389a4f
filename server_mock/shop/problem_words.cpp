#include "shop/problem_words.h"

#include <algorithm>
#include <array>

namespace payonce::shop {

namespace {

using idempotency::RetryAdvice;

constexpr std::array kWords{
    ProblemWords{
        "key-missing",
        "A payment must carry an Idempotency-Key, so that the shop can tell a repeat from a new payment. This request had "
        "none, so nothing was done.",
        "Make a version 7 UUID for this action, save it, and send it with every attempt of the action."},
    ProblemWords{
        "key-invalid",
        "The key, or the action in the path, is not one version 7 UUID, was sent twice, or was made more than 24 hours "
        "in the future. Nothing was done.",
        "Send one Idempotency-Key with a version 7 UUID. If the detail names a time, set the clock of your machine."},
    ProblemWords{
        "body-invalid",
        "The request cannot be read (400), or a member of its body is missing, of the wrong type or out of range (422); "
        "the detail names what. Nothing was done with this request.",
        "Correct the request. Earlier attempts of the same action are not touched by this answer: look the action up."},
    ProblemWords{"amount-mismatch", "The amount is not the total of the cart. Nothing was charged by this request.",
                 "Read the cart again, show the new total, and let the person confirm it under a new key."},
    ProblemWords{
        "key-reused",
        "This key already belongs to a request with other content. The first request stands as it was; this one was not "
        "carried out.",
        "Look the action up to see what became of the first request. For other content make a new key."},
    ProblemWords{"in-progress",
                 "The first request with this key is being worked on right now. This copy did nothing and will do nothing.",
                 "Wait as long as Retry-After says, then send the same request with the same key, or look the action up."},
    ProblemWords{"outcome-unknown",
                 "The bank was asked and its answer did not arrive. The money may or may not have been taken; the shop keeps "
                 "asking the bank until it knows.",
                 "Look the action up until its state is final. Do not pay in another way meanwhile."},
    ProblemWords{"cart-taken",
                 "Another action already pays for this cart; held_by names it. This action is closed and charged nothing.",
                 "Look up the action in held_by. Only if that one ends without a payment, pay the cart under a new key."},
    ProblemWords{
        "action-abandoned",
        "This action was closed before anything was charged, or its key is older than what the shop keeps records of. No copy "
        "of it that is still under way can charge.",
        "If the payment is still wanted, start it anew: a new key, after the person has confirmed."},
    ProblemWords{"action-expired", "The request came after its valid_until, so it was closed and charged nothing.",
                 "Start it anew with a new key and a later valid_until. If that happens at once, look at your clock."},
    ProblemWords{"answer-expired",
                 "The action ended long ago; how it ended is still known, but the full answer is no longer kept.",
                 "Read state in this answer, or look the action up. Do not send it again."},
    ProblemWords{"key-too-old",
                 "The key is older than what the shop keeps, so it is never run as new. Nothing was done with this request.",
                 "Ask again with ?kind=payment, which answers from the order. For a new payment make a new key."},
    ProblemWords{
        "card-declined",
        "The bank refused the card; decline_code says why. Nothing was charged, and this answer is final for this key.",
        "Use another card, or correct this one, under a new key."},
    ProblemWords{"store-unavailable",
                 "The shop cannot reach its database, so it refused before doing anything. The bank was not asked.",
                 "Wait as long as Retry-After says, then send the same request with the same key."},
    ProblemWords{"rate-limited", "Too many requests in a short time, or too many open actions. This request was not looked at.",
                 "Wait as long as Retry-After says, then send the same request with the same key."},
    ProblemWords{"timeout",
                 "The request did not arrive completely in time, so it was dropped unread. The connection is closed.",
                 "Send the same request with the same key on a new connection."},
    ProblemWords{"action-unknown",
                 "The shop has no record of this action. A copy of the request that is still under way could arrive later.",
                 "Send the request with the same key, or abandon the action so that no late copy can take effect."},
    ProblemWords{
        "unsafe",
        "What support asked for would do harm as things stand; the detail says why. Nothing was done, and the key is free.",
        "Look at the action again. What may be done now is listed there, under allowed."},
    ProblemWords{"unauthorized", "The bearer token is missing or belongs to nobody. The request was not looked at any further.",
                 "Send Authorization: Bearer with a token of this shop. The action keeps its key."},
    ProblemWords{"forbidden", "The token is good, but not for this. The request was not carried out.",
                 "Use a token that may do this."},
    ProblemWords{"not-found", "There is nothing at this path, or nothing that this account may see.", "Check the address."},
    ProblemWords{"method-not-allowed", "This path exists, but not with this method. Nothing was done.",
                 "Use a method that the Allow header names."},
    ProblemWords{"length-required",
                 "The request has neither a Content-Length nor a body the server could measure. It was not read.",
                 "Send Content-Length; 0 for an empty body."},
    ProblemWords{"body-too-large", "The body is larger than this address takes; the detail names the limit. It was not read.",
                 "Send a smaller body."},
    ProblemWords{"unsupported-media-type", "The body does not say that it is JSON. It was not read.",
                 "Send Content-Type: application/json."},
    ProblemWords{"header-too-large", "Request line and headers together are larger than the server takes. They were not read.",
                 "Send fewer or shorter headers."},
    ProblemWords{"not-implemented",
                 "The request uses something of HTTP that this server does not have, such as a chunked body.",
                 "Send the whole body with a Content-Length."},
};

} // namespace

const ProblemWords* wordsOf(std::string_view name)
{
    const auto* const found =
        std::find_if(kWords.begin(), kWords.end(), [name](const ProblemWords& words) { return words.name == name; });
    return found == kWords.end() ? nullptr : found;
}

std::string_view sentenceOf(RetryAdvice advice)
{
    switch (advice) {
    case RetryAdvice::Never:
        return "No use: the same request is refused again. This says nothing about earlier attempts of the action.";
    case RetryAdvice::SameKey: return "Yes, with the same key. It cannot be charged twice.";
    case RetryAdvice::AfterCheck: return "Not yet: look the action up first, until its state is final.";
    case RetryAdvice::NewKey: return "Only as a new action with a new key. Under this key nothing can be charged any more.";
    }
    return {};
}

} // namespace payonce::shop
