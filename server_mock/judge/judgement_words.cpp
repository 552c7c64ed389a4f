#include "judge/judgement_words.h"

#include <algorithm>
#include <vector>

namespace payonce::judge {

namespace {

using console::PurchaseVerdict;
using console::Sighting;

/// A client's own texts must not steer the terminal.
std::string line(std::string text)
{
    constexpr unsigned char kFirstPrintable = 0x20;
    constexpr unsigned char kDelete = 0x7F;
    for (char& letter : text)
        if (static_cast<unsigned char>(letter) < kFirstPrintable || static_cast<unsigned char>(letter) == kDelete)
            letter = '?';
    return text + '\n';
}

std::string titleOf(const PurchaseVerdict& verdict)
{
    const Sighting& first = verdict.purchase.described();
    std::string title = "Purchase";
    if (!first.cartId.empty())
        title += " of cart \"" + first.cartId + '"';
    if (!first.amount.empty())
        title += ", " + first.amount;
    return title + ": " + std::string(console::phraseOf(verdict.code)) + '.';
}

std::string requestLine(const Sighting& sighting, const PurchaseVerdict& verdict)
{
    constexpr std::size_t kTimeStart = 11; // of 2026-11-30T10:00:00.000Z
    constexpr std::size_t kTimeLength = 12;
    std::string text = "    request " + std::to_string(sighting.number) + ", " +
                       values::toRfc3339(sighting.at.wall).substr(kTimeStart, kTimeLength) + ", " +
                       std::string(console::nameOf(sighting.operation));
    text += sighting.key.empty() ? ", no key" : ", key \"" + sighting.key + '"';
    if (!sighting.attempt.empty())
        text += ", attempt " + sighting.attempt;
    text += ": " + console::endInWords(sighting);
    // Under one key every request has the one charge; it is told beside the first.
    const auto& posts = verdict.purchase.posts;
    for (const auto& charge : verdict.purchase.charges) {
        const auto first =
            std::find_if(posts.begin(), posts.end(), [&](const Sighting* post) { return post->actionId == charge.actionId; });
        if (first != posts.end() && *first == &sighting)
            text += "; charged, " + charge.id;
    }
    return line(text);
}

std::string requestLines(const PurchaseVerdict& verdict)
{
    std::vector<const Sighting*> all = verdict.purchase.posts;
    all.insert(all.end(), verdict.purchase.looks.begin(), verdict.purchase.looks.end());
    std::sort(all.begin(), all.end(), [](const Sighting* one, const Sighting* other) { return one->number < other->number; });
    std::string text;
    for (std::size_t i = 0; i < std::min(all.size(), kMostRequestsShown); ++i)
        text += requestLine(*all[i], verdict);
    if (all.size() > kMostRequestsShown)
        text += line("    and " + std::to_string(all.size() - kMostRequestsShown) + " more");
    return text;
}

std::string purchaseLines(const PurchaseVerdict& verdict)
{
    std::string text = line(titleOf(verdict));
    for (const auto& finding : verdict.findings)
        text += line("  " + finding.words);
    text += requestLines(verdict);
    for (const auto& note : verdict.notes)
        text += line("  Note: " + note);
    return text;
}

} // namespace

std::string wordsOf(const Findings& findings)
{
    std::string text = line("Verdict: " + std::string(console::phraseOf(findings.report.code)) +
                            (findings.report.holds() ? ". It holds." : ". It does not hold."));
    text += line(findings.summary);
    for (const auto& note : findings.notes)
        text += line("Note: " + note);
    for (const auto& purchase : findings.purchases)
        text += purchaseLines(purchase);
    if (!findings.report.unmet.empty())
        text += line("Expected, and not so:");
    for (const auto& unmet : findings.report.unmet)
        text += line("  " + unmet);
    return text;
}

} // namespace payonce::judge
