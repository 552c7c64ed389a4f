#include "console/client_verdict.h"

#include <algorithm>
#include <map>
#include <utility>

namespace payonce::console {

namespace {

/// Timers of clients are that coarse; a wait this near to what was asked for is one.
constexpr auto kWaitedEnough = 0.9;

/// Repeated POSTs that are noted of one purchase.
constexpr std::size_t kMostCopiesNoted = 10;

using Requests = std::vector<std::uint64_t>;

std::string requestName(const Sighting& sighting)
{
    return "request " + std::to_string(sighting.number);
}

std::string keyName(const std::string& key)
{
    return key.empty() ? "no key" : "key \"" + key + '"';
}

std::string listed(const std::vector<std::string>& parts)
{
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i)
        text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
    return text;
}

const Sighting* postOf(const Purchase& purchase, const SightedCharge& charge)
{
    const auto found = std::find_if(purchase.posts.begin(), purchase.posts.end(),
                                    [&](const Sighting* post) { return post->actionId == charge.actionId; });
    return found == purchase.posts.end() ? nullptr : *found;
}

void findSecondCharge(const Purchase& purchase, std::vector<Finding>& findings)
{
    if (purchase.charges.size() < 2)
        return;
    std::vector<std::string> parts;
    Requests requests;
    for (const SightedCharge& charge : purchase.charges)
        if (const Sighting* post = postOf(purchase, charge)) {
            parts.push_back(requestName(*post) + " (" + keyName(post->key) + ", charge " + charge.id + ')');
            requests.push_back(post->number);
        }
    findings.push_back(
        {VerdictCode::ChargedTwice,
         "The bank charged this purchase " + std::to_string(purchase.charges.size()) + " times: by " + listed(parts) + '.',
         std::move(requests)});
}

void findFreshKeys(const Purchase& purchase, std::vector<Finding>& findings)
{
    std::vector<std::string> seen;
    for (const Sighting* post : purchase.posts) {
        if (post->key.empty() || std::find(seen.begin(), seen.end(), post->key) != seen.end())
            continue;
        for (const std::string& earlier : seen)
            if (const Sighting* doubtful = openQuestion(purchase, earlier, post->at.mono)) {
                findings.push_back({VerdictCode::FreshKeyOnRetry,
                                    "The client sent the payment again under a fresh key: " + requestName(*post) + " (" +
                                        keyName(post->key) + "), while it could not know what had become of " +
                                        requestName(*doubtful) + " (" + keyName(earlier) + ": " + endInWords(*doubtful) + ").",
                                    {doubtful->number, post->number}});
                break;
            }
        seen.push_back(post->key);
    }
}

bool saysCharged(const Sighting& sighting, const std::string& actionId)
{
    const auto& paid = sighting.paidActions;
    return sighting.end == SightingEnd::Told &&
           (sighting.said == Said::Charged || std::find(paid.begin(), paid.end(), actionId) != paid.end());
}

const Sighting* lastOf(const Purchase& purchase)
{
    const Sighting* last = purchase.posts.back();
    return purchase.looks.empty() || purchase.looks.back()->number < last->number ? last : purchase.looks.back();
}

void findGivingUp(const Purchase& purchase, std::vector<Finding>& findings)
{
    if (purchase.charges.size() != 1)
        return;
    const SightedCharge& charge = purchase.charges.front();
    const auto tells = [&](const Sighting* sighting) { return saysCharged(*sighting, charge.actionId); };
    if (std::any_of(purchase.posts.begin(), purchase.posts.end(), tells) ||
        std::any_of(purchase.looks.begin(), purchase.looks.end(), tells))
        return;
    const Sighting* last = lastOf(purchase);
    const bool mayWait = last->end == SightingEnd::Silent || last->end == SightingEnd::Open;
    findings.push_back({VerdictCode::GaveUpThoughCharged,
                        "The bank charged this purchase (" + charge.id +
                            "), and the client never heard of it: its last word was " + requestName(*last) + " (" +
                            endInWords(*last) + ")." +
                            (mayWait ? " It may still wait for the answer; --judge-quiet gives it longer." : ""),
                        {last->number}});
}

void findResent(const Purchase& purchase, std::vector<Finding>& findings)
{
    std::map<std::pair<std::string, std::string>, Requests> byAttempt;
    for (const Sighting* post : purchase.posts)
        if (!post->attempt.empty())
            byAttempt[{post->key, post->attempt}].push_back(post->number);
    for (auto& [attempt, requests] : byAttempt) {
        if (requests.size() < 2)
            continue;
        std::vector<std::string> names;
        names.reserve(requests.size());
        for (const auto number : requests)
            names.push_back(std::to_string(number));
        findings.push_back({VerdictCode::ResentBelowApplication,
                            "Attempt " + attempt.second + " of " + keyName(attempt.first) + " came " +
                                std::to_string(requests.size()) + " times, in requests " + listed(names) +
                                ": something below the client's own code sent it again.",
                            std::move(requests)});
    }
}

/// The next request of the same kind after `told` had ended.
const Sighting* nextAfter(const std::vector<const Sighting*>& sightings, const Sighting& told)
{
    for (const Sighting* next : sightings)
        if (next->number > told.number && next->operation == told.operation && next->at.mono >= *told.endedAt)
            return next;
    return nullptr;
}

void findHaste(const std::vector<const Sighting*>& sightings, std::vector<Finding>& findings)
{
    for (const Sighting* told : sightings) {
        if (!told->retryAfter || !told->endedAt || told->end != SightingEnd::Told)
            continue;
        const Sighting* next = nextAfter(sightings, *told);
        if (next == nullptr)
            continue;
        const auto waited = std::chrono::duration_cast<std::chrono::milliseconds>(next->at.mono - *told->endedAt);
        if (static_cast<double>(waited.count()) >=
            kWaitedEnough * static_cast<double>(std::chrono::milliseconds(*told->retryAfter).count()))
            continue;
        findings.push_back({VerdictCode::IgnoredRetryAfter,
                            "The answer to " + requestName(*told) +
                                " said Retry-After: " + std::to_string(told->retryAfter->count()) + ", and " +
                                requestName(*next) + " came " + std::to_string(waited.count()) + " ms later.",
                            {told->number, next->number}});
    }
}

bool sendsAttempts(const Purchase& purchase)
{
    return std::any_of(purchase.posts.begin(), purchase.posts.end(),
                       [](const Sighting* post) { return !post->attempt.empty(); });
}

void noteCopies(const Purchase& purchase, std::vector<std::string>& notes)
{
    if (sendsAttempts(purchase))
        return;
    std::size_t noted = 0;
    for (std::size_t i = 1; i < purchase.posts.size() && noted < kMostCopiesNoted; ++i) {
        const Sighting& before = *purchase.posts[i - 1];
        const Sighting& post = *purchase.posts[i];
        if (before.key != post.key || !isOver(before, post.at.mono))
            continue;
        ++noted;
        const auto gap = std::chrono::duration_cast<std::chrono::milliseconds>(post.at.mono - *before.endedAt);
        notes.push_back("Request " + std::to_string(post.number) + " came " + std::to_string(gap.count()) + " ms after " +
                        requestName(before) +
                        " had ended. Without Action-Attempt nobody can tell whether the client sent it again or its HTTP "
                        "library did so on its own.");
    }
}

std::vector<std::string> notesOn(const PurchaseVerdict& verdict)
{
    std::vector<std::string> notes;
    const Purchase& purchase = verdict.purchase;
    if (purchase.keys().empty())
        notes.emplace_back("No request of this purchase has an Idempotency-Key that can be read.");
    if (std::all_of(purchase.posts.begin(), purchase.posts.end(), [](const Sighting* post) { return post->isHeadOnly; }))
        notes.emplace_back("No body of this purchase was read. Whether a payment under another key repeats it cannot be seen.");
    const bool isHeldAgainst = std::any_of(verdict.findings.begin(), verdict.findings.end(),
                                           [](const Finding& finding) { return finding.code >= VerdictCode::FreshKeyOnRetry; });
    if (purchase.keys().size() > 1 && !isHeldAgainst)
        notes.push_back("This purchase was sent under " + std::to_string(purchase.keys().size()) +
                        " keys, none of them while another one's outcome was in doubt.");
    noteCopies(purchase, notes);
    return notes;
}

PurchaseVerdict verdictOn(Purchase purchase)
{
    PurchaseVerdict verdict;
    findSecondCharge(purchase, verdict.findings);
    findFreshKeys(purchase, verdict.findings);
    findGivingUp(purchase, verdict.findings);
    findResent(purchase, verdict.findings);
    findHaste(purchase.posts, verdict.findings);
    findHaste(purchase.looks, verdict.findings);
    verdict.code = purchase.charges.empty() ? VerdictCode::NotCharged : VerdictCode::ChargedOnce;
    if (!verdict.findings.empty())
        verdict.code = verdict.findings.front().code; // they are found in the order of the codes
    verdict.purchase = std::move(purchase);
    verdict.notes = notesOn(verdict);
    return verdict;
}

} // namespace

std::vector<PurchaseVerdict> judgeClient(const std::vector<Sighting>& sightings, const std::vector<SightedCharge>& charges)
{
    std::vector<PurchaseVerdict> verdicts;
    for (Purchase& purchase : purchasesOf(sightings, charges))
        verdicts.push_back(verdictOn(std::move(purchase)));
    return verdicts;
}

std::string endInWords(const Sighting& sighting)
{
    switch (sighting.end) {
    case SightingEnd::Open: return "not answered yet";
    case SightingEnd::Told: return "answered " + std::to_string(sighting.status);
    case SightingEnd::Lost: return "the connection was lost before the whole answer";
    case SightingEnd::Silent: return "never answered";
    case SightingEnd::Left: return "the client left before the answer";
    }
    return {};
}

} // namespace payonce::console
