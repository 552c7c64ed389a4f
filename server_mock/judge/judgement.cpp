#include "judge/judgement.h"

#include "faults/verdict_maker.h"
#include "judge/judgement_words.h"
#include "protocol/json_text.h"

#include <algorithm>
#include <map>
#include <utility>

namespace payonce::judge {

namespace {

using console::PurchaseVerdict;
using console::Sighting;
using console::SightingEnd;
using console::VerdictCode;
using protocol::OrderedJson;

std::vector<console::SightedCharge> chargesOf(const faults::LedgerView& ledger)
{
    std::map<std::string, std::string> owners;
    for (const auto& record : ledger.records)
        if (!record.chargeId.empty())
            owners[record.chargeId] = record.account;
    std::vector<console::SightedCharge> charges;
    for (const auto& row : ledger.charges)
        if (row.status == "approved") {
            const auto owner = owners.find(row.id);
            charges.push_back({row.id, owner == owners.end() ? std::string() : owner->second, row.actionId});
        }
    return charges;
}

VerdictCode worstOf(const std::vector<PurchaseVerdict>& purchases)
{
    auto code = VerdictCode::NotCharged;
    for (const auto& purchase : purchases)
        code = std::max(code, purchase.code);
    return code;
}

bool isFine(VerdictCode code)
{
    return code == VerdictCode::ChargedOnce || code == VerdictCode::NotCharged;
}

std::string summaryOf(const Observations& seen, const Findings& findings)
{
    if (seen.requests == 0 && seen.unread == 0)
        return "No client came.";
    if (seen.requests == 0)
        return "A client came, but every connection ended before a request was read.";
    if (findings.purchases.empty())
        return "A client came (requests: " + std::to_string(seen.requests) + "), but never sent a payment.";
    const auto charged = std::count_if(findings.purchases.begin(), findings.purchases.end(),
                                       [](const PurchaseVerdict& purchase) { return !purchase.purchase.charges.empty(); });
    if (findings.report.code == VerdictCode::ChargedOnce && charged > 1)
        return "The bank charged " + std::to_string(charged) + " payments, each once, and their orders are paid.";
    return std::string(console::wordsOf(findings.report.code));
}

std::vector<std::string> notesOn(const Evidence& evidence)
{
    std::vector<std::string> notes;
    if (evidence.keys == KeyLayer::Off)
        notes.emplace_back("The key layer was off (--naive): the shop charged every request it got.");
    if (const auto unread = evidence.seen.unread; unread > 0)
        notes.push_back("Connections that ended before a request was read, so that nobody knows what it was: " +
                        std::to_string(unread) + '.');
    if (evidence.seen.isFull)
        notes.push_back("Only the first " + std::to_string(evidence.seen.sightings.size()) + " requests were looked at.");
    return notes;
}

OrderedJson requestJson(const Sighting& sighting)
{
    OrderedJson json{{"request", sighting.number},
                     {"at", values::toRfc3339(sighting.at.wall)},
                     {"op", std::string(console::nameOf(sighting.operation))},
                     {"key", sighting.key.empty() ? OrderedJson(nullptr) : OrderedJson(sighting.key)},
                     {"attempt", sighting.attempt.empty() ? OrderedJson(nullptr) : OrderedJson(sighting.attempt)},
                     {"action_id", sighting.actionId.empty() ? OrderedJson(nullptr) : OrderedJson(sighting.actionId)},
                     {"status", nullptr},
                     {"words", console::endInWords(sighting)}};
    if (sighting.end == SightingEnd::Told)
        json["status"] = sighting.status;
    return json;
}

OrderedJson purchaseJson(const PurchaseVerdict& verdict)
{
    const auto& purchase = verdict.purchase;
    const Sighting& described = purchase.described();
    OrderedJson json{{"verdict", std::string(console::phraseOf(verdict.code))},
                     {"code", std::string(console::codeOf(verdict.code))},
                     {"cart_id", described.cartId},
                     {"amount", described.amount},
                     {"keys", purchase.keys()},
                     {"charges", OrderedJson::array()},
                     {"findings", OrderedJson::array()},
                     {"requests", OrderedJson::array()},
                     {"notes", verdict.notes}};
    for (const auto& charge : purchase.charges)
        json["charges"].push_back(OrderedJson{{"id", charge.id}, {"action_id", charge.actionId}});
    for (const auto& finding : verdict.findings)
        json["findings"].push_back(OrderedJson{
            {"code", std::string(console::codeOf(finding.code))}, {"words", finding.words}, {"requests", finding.requests}});
    for (const auto* list : {&purchase.posts, &purchase.looks})
        for (const auto* sighting : *list)
            json["requests"].push_back(requestJson(*sighting));
    return json;
}

/// `GET /verdict`, and more.
std::string jsonOf(const Evidence& evidence, const Findings& findings)
{
    auto json = OrderedJson::parse(protocol::renderVerdict(findings.report));
    json["words"] = findings.summary;
    json["naive"] = evidence.keys == KeyLayer::Off;
    json["requests"] = evidence.seen.requests;
    json["purchases"] = OrderedJson::array();
    for (const auto& purchase : findings.purchases)
        json["purchases"].push_back(purchaseJson(purchase));
    json["notes"] = findings.notes;
    return protocol::textOf(json);
}

} // namespace

Findings findingsOf(const Evidence& evidence)
{
    Findings findings;
    findings.purchases = console::judgeClient(evidence.seen.sightings, chargesOf(evidence.ledger));
    findings.report = faults::makeVerdict(evidence.ledger, evidence.tally, evidence.scenario, worstOf(findings.purchases));
    auto& report = findings.report;
    if (findings.purchases.empty())
        report.unmet.emplace_back("no payment was sent");
    // A scenario that names no verdict is no excuse.
    if (evidence.scenario && !evidence.scenario->expect.verdict && !isFine(report.code))
        report.unmet.push_back("verdict: " + std::string(console::codeOf(report.code)));
    findings.summary = summaryOf(evidence.seen, findings);
    findings.notes = notesOn(evidence);
    return findings;
}

Judgement judgementOf(const Evidence& evidence)
{
    const Findings findings = findingsOf(evidence);
    return {findings.report.holds() ? Judgement::Outcome::Holds : Judgement::Outcome::DoesNotHold, jsonOf(evidence, findings),
            wordsOf(findings)};
}

Judgement unreadable()
{
    return {Judgement::Outcome::Unreadable, {}, "No verdict: a ledger cannot be read.\n"};
}

} // namespace payonce::judge
