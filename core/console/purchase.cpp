#include "console/purchase.h"

#include "values/lower_case.h"

#include <algorithm>

namespace payonce::console {

namespace {

bool isPayment(const Sighting& sighting)
{
    return sighting.operation == Operation::Pay;
}

bool isSame(const std::string& one, const std::string& other)
{
    return !one.empty() && one == other;
}

bool hasInCommon(const Purchase& purchase, const Sighting& sighting)
{
    return std::any_of(purchase.posts.begin(), purchase.posts.end(), [&](const Sighting* known) {
        return known->account == sighting.account &&
               (isSame(known->key, sighting.key) || isSame(known->cartId, sighting.cartId));
    });
}

/// Does a later request of the client still name a key or cart of the purchase?
bool comesBack(const Purchase& purchase, const std::vector<Sighting>& sightings, const Sighting& after)
{
    return std::any_of(sightings.begin(), sightings.end(),
                       [&](const Sighting& later) { return later.number > after.number && hasInCommon(purchase, later); });
}

/// An address is the same however it is spelled, as it is to the shop (docs/contract.md).
bool looksLikeARetryOf(const Purchase& purchase, const Sighting& post, const std::vector<Sighting>& sightings)
{
    const Sighting& last = *purchase.posts.back();
    return last.account == post.account && isSame(values::lowerCase(last.email), values::lowerCase(post.email)) &&
           isSame(last.amount, post.amount) && openQuestion(purchase, last.key, post.at.mono) != nullptr &&
           !comesBack(purchase, sightings, post);
}

Purchase& purchaseFor(std::vector<Purchase>& purchases, const Sighting& post, const std::vector<Sighting>& sightings)
{
    const auto joined =
        std::find_if(purchases.begin(), purchases.end(), [&](const Purchase& purchase) { return hasInCommon(purchase, post); });
    if (joined != purchases.end())
        return *joined;
    const auto retried = std::find_if(purchases.rbegin(), purchases.rend(),
                                      [&](const Purchase& purchase) { return looksLikeARetryOf(purchase, post, sightings); });
    return retried != purchases.rend() ? *retried : purchases.emplace_back();
}

bool isAbout(const Sighting& look, const Sighting& post)
{
    const bool isTold = std::find(look.paidActions.begin(), look.paidActions.end(), post.actionId) != look.paidActions.end();
    return look.account == post.account && (isSame(look.key, post.key) || (isTold && !post.actionId.empty()));
}

void addLook(std::vector<Purchase>& purchases, const Sighting& look)
{
    for (Purchase& purchase : purchases)
        if (std::any_of(purchase.posts.begin(), purchase.posts.end(),
                        [&](const Sighting* post) { return isAbout(look, *post); }))
            purchase.looks.push_back(&look);
}

void addCharge(std::vector<Purchase>& purchases, const SightedCharge& charge)
{
    for (Purchase& purchase : purchases)
        if (std::any_of(purchase.posts.begin(), purchase.posts.end(), [&](const Sighting* post) {
                return isSame(post->actionId, charge.actionId) && (charge.account.empty() || charge.account == post->account);
            }))
            return purchase.charges.push_back(charge);
}

/// The answer to `look` settles what became of `key`.
bool settles(const Sighting& look, const std::string& key, const Purchase& purchase)
{
    if (look.end != SightingEnd::Told)
        return false;
    if (look.key == key)
        return look.said == Said::Charged || look.said == Said::NotCharged;
    return std::any_of(purchase.posts.begin(), purchase.posts.end(),
                       [&](const Sighting* post) { return post->key == key && isAbout(look, *post); });
}

} // namespace

std::vector<std::string> Purchase::keys() const
{
    std::vector<std::string> keys;
    for (const Sighting* post : posts)
        if (!post->key.empty() && std::find(keys.begin(), keys.end(), post->key) == keys.end())
            keys.push_back(post->key);
    return keys;
}

const Sighting& Purchase::described() const
{
    const auto read = std::find_if(posts.begin(), posts.end(), [](const Sighting* post) { return !post->isHeadOnly; });
    return **(read == posts.end() ? posts.begin() : read);
}

bool isOver(const Sighting& sighting, values::MonotonicTime when)
{
    return sighting.endedAt && *sighting.endedAt <= when;
}

bool isDoubtful(const Sighting& post)
{
    return post.end != SightingEnd::Told || post.said == Said::Nothing;
}

const Sighting* openQuestion(const Purchase& purchase, const std::string& key, values::MonotonicTime when)
{
    const Sighting* doubtful = nullptr;
    for (const Sighting* post : purchase.posts) {
        if (post->key != key || !isOver(*post, when))
            continue;
        if (isDoubtful(*post))
            doubtful = post;
        else if (settles(*post, key, purchase))
            return nullptr;
    }
    const bool isTold = std::any_of(purchase.looks.begin(), purchase.looks.end(),
                                    [&](const Sighting* look) { return isOver(*look, when) && settles(*look, key, purchase); });
    return isTold ? nullptr : doubtful;
}

std::vector<Purchase> purchasesOf(const std::vector<Sighting>& sightings, const std::vector<SightedCharge>& charges)
{
    std::vector<Purchase> purchases;
    for (const Sighting& sighting : sightings)
        if (isPayment(sighting))
            purchaseFor(purchases, sighting, sightings).posts.push_back(&sighting);
        else
            addLook(purchases, sighting);
    for (const SightedCharge& charge : charges)
        addCharge(purchases, charge);
    return purchases;
}

} // namespace payonce::console
