#include "console/support_search.h"

#include "values/lower_case.h"
#include "values/uuid.h"

#include <algorithm>
#include <array>
#include <utility>

namespace payonce::console {

namespace {

constexpr std::size_t kReferenceDigits = 8;
constexpr std::size_t kUuidDigits = 32;
constexpr std::size_t kLastFourDigits = 4;
/// A card number has at least this many digits, an order number never so many.
constexpr std::size_t kCardDigitsFewest = 12;
constexpr std::size_t kLongestCartId = 128;

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isHex(char c)
{
    return isDigit(c) || (c >= 'a' && c <= 'f');
}

template <class Test> bool all(std::string_view text, Test test)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), test);
}

bool isAsciiSpace(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/// Without what a mail program or a telephone adds: white space, no-break spaces, `#`; typographic dashes become plain ones.
std::string cleaned(std::string_view text)
{
    constexpr std::array<std::string_view, 3> kSpaces{"\xC2\xA0", "\xE2\x80\xAF", "\xE2\x80\x8B"};
    constexpr std::array<std::string_view, 6> kDashes{"\xE2\x80\x90", "\xE2\x80\x91", "\xE2\x80\x92",
                                                      "\xE2\x80\x93", "\xE2\x80\x94", "\xE2\x80\x95"};
    std::string result;
    while (!text.empty()) {
        const auto begins = [text](std::string_view part) { return text.substr(0, part.size()) == part; };
        const auto* const space = std::find_if(kSpaces.begin(), kSpaces.end(), begins);
        const auto* const dash = std::find_if(kDashes.begin(), kDashes.end(), begins);
        if (space == kSpaces.end() && dash == kDashes.end()) {
            if (!isAsciiSpace(text.front()) && text.front() != '#')
                result += text.front();
            text.remove_prefix(1);
            continue;
        }
        if (dash != kDashes.end())
            result += '-';
        text.remove_prefix(dash != kDashes.end() ? dash->size() : space->size());
    }
    return result;
}

std::string withoutDashes(std::string text)
{
    std::erase(text, '-');
    return text;
}

/// `ord_…` and its like: one prefix, then letters and digits.
std::vector<SearchTerm> prefixed(const std::string& lower)
{
    constexpr std::array<std::pair<std::string_view, SearchKind>, 3> kPrefixes{
        {{"ord_", SearchKind::OrderId}, {"pay_", SearchKind::PaymentId}, {"ch_", SearchKind::ChargeId}}};
    for (const auto& [prefix, kind] : kPrefixes)
        if (lower.size() > prefix.size() && std::string_view(lower).substr(0, prefix.size()) == prefix)
            return {{kind, lower}};
    return {};
}

std::string uuidText(const std::string& hex)
{
    return hex.substr(0, 8) + '-' + hex.substr(8, 4) + '-' + hex.substr(12, 4) + '-' + hex.substr(16, 4) + '-' + hex.substr(20);
}

std::vector<SearchTerm> digitsAndHex(const std::string& hex)
{
    std::vector<SearchTerm> terms;
    const bool isNumber = all(hex, isDigit);
    if (hex.size() == kReferenceDigits && all(hex, isHex))
        terms.push_back({SearchKind::Reference, hex});
    if (isNumber && hex.size() == kLastFourDigits)
        terms.push_back({SearchKind::LastFour, hex});
    if (isNumber && hex.size() < kCardDigitsFewest)
        terms.push_back({SearchKind::OrderNumber, hex});
    if (hex.size() == kUuidDigits && all(hex, isHex) && values::ActionId::parse(uuidText(hex))) {
        terms.push_back({SearchKind::ActionId, uuidText(hex)});
        terms.push_back({SearchKind::BankKey, uuidText(hex)});
    }
    return terms;
}

bool looksLikeACart(const std::string& text)
{
    return text.size() <= kLongestCartId &&
           std::none_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

bool isAlphanumeric(char c)
{
    return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool mayBeACard(const std::string& typed)
{
    const std::string digits = withoutDashes(typed);
    return all(digits, isDigit) && digits.size() >= kCardDigitsFewest;
}

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && isAsciiSpace(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isAsciiSpace(text.back()))
        text.remove_suffix(1);
    return text;
}

void add(std::vector<SearchTerm>& terms, SearchTerm term)
{
    if (!term.value.empty() && std::find(terms.begin(), terms.end(), term) == terms.end())
        terms.push_back(std::move(term));
}

/// An ID of any form by the reference that is shown of it.
void addOtherReference(std::vector<SearchTerm>& terms, const std::string& typed)
{
    std::string shown = withoutDashes(typed);
    if (shown.size() > kReferenceDigits || !all(shown, isAlphanumeric))
        return;
    for (char& c : shown)
        if (c >= 'a' && c <= 'z')
            c = static_cast<char>(c - 'a' + 'A');
    add(terms, {SearchKind::OtherReference, std::move(shown)});
}

/// What may be any text is meant as it stands.
std::vector<SearchTerm> exactTerms(std::string_view text, IdForms forms)
{
    std::vector<SearchTerm> terms;
    for (const std::string_view meant : {text, trimmed(text)}) {
        const auto id = forms == IdForms::Any ? values::ActionId::parseAnyForm(meant) : std::nullopt;
        if (id && !id->madeAt())
            add(terms, {SearchKind::ActionId, std::string(meant)});
        if (looksLikeACart(std::string(meant)) && meant.find('@') == std::string_view::npos)
            add(terms, {SearchKind::CartId, std::string(meant)});
    }
    return terms;
}

std::vector<SearchTerm> cleanedTerms(const std::string& typed)
{
    const std::string lower = values::lowerCase(typed);
    if (lower.find('@') != std::string::npos)
        return {{SearchKind::Email, lower}};
    if (auto named = prefixed(lower); !named.empty())
        return named;
    const std::string hex = withoutDashes(lower);
    if (auto terms = digitsAndHex(hex); !terms.empty())
        return terms;
    if (hex.empty() || !looksLikeACart(typed))
        return {};
    return {{SearchKind::CartId, typed}, {SearchKind::ActionId, typed}}; // a shop may take keys of any form
}

std::string_view nameOf(SearchKind kind)
{
    switch (kind) {
    case SearchKind::ActionId: return "action";
    case SearchKind::Reference:
    case SearchKind::OtherReference: return "reference";
    case SearchKind::OrderId: return "order";
    case SearchKind::OrderNumber: return "order number";
    case SearchKind::PaymentId: return "payment";
    case SearchKind::ChargeId: return "charge";
    case SearchKind::BankKey: return "bank key";
    case SearchKind::CartId: return "cart";
    case SearchKind::Email: return "e-mail";
    case SearchKind::LastFour: return "last four";
    }
    return "";
}

} // namespace

std::vector<SearchTerm> searchTermsOf(std::string_view text, IdForms forms)
{
    const std::string typed = cleaned(text.substr(0, kLongestSearch));
    if (text.size() > kLongestSearch || mayBeACard(typed))
        return {};
    std::vector<SearchTerm> cleanedUp = cleanedTerms(typed);
    std::vector<SearchTerm> terms;
    if (forms == IdForms::Any || (!cleanedUp.empty() && cleanedUp.front().kind == SearchKind::CartId))
        terms = exactTerms(text, forms);
    for (SearchTerm& term : cleanedUp)
        add(terms, std::move(term));
    if (forms == IdForms::Any)
        addOtherReference(terms, typed);
    return terms;
}

// The name of a cart and a key of another form are free text, so they are not repeated.
std::string wordsOf(const std::vector<SearchTerm>& terms)
{
    std::string words;
    std::vector<std::string> told;
    for (const SearchTerm& term : terms) {
        std::string word(nameOf(term.kind));
        if (term.kind == SearchKind::Email)
            word += ' ' + maskedEmail(term.value);
        else if (term.kind != SearchKind::CartId && term.kind != SearchKind::OtherReference &&
                 (term.kind != SearchKind::ActionId || values::ActionId::parse(term.value)))
            word += ' ' + term.value;
        if (std::find(told.begin(), told.end(), word) != told.end())
            continue;
        words += (words.empty() ? "" : " or ") + word;
        told.push_back(std::move(word));
    }
    return words.empty() ? "nothing that is an ID" : words;
}

std::string maskedEmail(std::string_view email)
{
    const auto at = email.rfind('@');
    if (email.empty())
        return {};
    // A letter may be several bytes of UTF-8.
    std::size_t first = 1;
    while (first < email.size() && (static_cast<unsigned char>(email[first]) & 0xC0U) == 0x80U)
        ++first;
    if (at == std::string_view::npos || at < first)
        return "***";
    return std::string(email.substr(0, first)) + "***" + std::string(email.substr(at));
}

} // namespace payonce::console
