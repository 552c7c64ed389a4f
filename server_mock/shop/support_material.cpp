#include "shop/support_material.h"

#include <algorithm>

namespace payonce::shop {

namespace {

using console::SearchKind;
using storage::SupportColumn;
using storage::SupportRow;
using values::Failure;

/// Empty: the bank finds it, or no index does.
std::optional<SupportColumn> columnFor(SearchKind kind)
{
    switch (kind) {
    case SearchKind::ActionId: return SupportColumn::ActionId;
    case SearchKind::Reference: return SupportColumn::Reference;
    case SearchKind::OrderId: return SupportColumn::OrderId;
    case SearchKind::OrderNumber: return SupportColumn::OrderNumber;
    case SearchKind::PaymentId: return SupportColumn::PaymentId;
    case SearchKind::OtherReference:
    case SearchKind::ChargeId: return {};
    case SearchKind::BankKey: return SupportColumn::BankKey;
    case SearchKind::CartId: return SupportColumn::CartId;
    case SearchKind::Email: return SupportColumn::Email;
    case SearchKind::LastFour: return SupportColumn::LastFour;
    }
    return {};
}

bool isSame(const SupportRow& a, const SupportRow& b)
{
    return a.id == b.id && a.account == b.account;
}

FoundAction besides(const std::vector<SupportRow>& sameId, SupportRow row)
{
    FoundAction found{std::move(row), {}, {}};
    for (const SupportRow& other : sameId) {
        if (isSame(other, found.row))
            continue;
        if (other.bankKey)
            found.othersKeys.push_back(other.bankKey->toString());
        if (!other.chargeId.empty())
            found.othersCharges.push_back(other.chargeId);
    }
    return found;
}

Outcome<FoundAction> withOthers(ShopStore& store, SupportRow row)
{
    const auto sameId = store.support().find(SupportColumn::ActionId, row.id.toString(), kActionsToldMost);
    if (!sameId)
        return Failure(sameId.error());
    return besides(*sameId, std::move(row));
}

Outcome<std::vector<FoundAction>> allWithOthers(ShopStore& store, std::vector<SupportRow> rows)
{
    std::vector<FoundAction> actions;
    for (SupportRow& row : rows) {
        auto found = withOthers(store, std::move(row));
        if (!found)
            return Failure(found.error());
        actions.push_back(*std::move(found));
    }
    return actions;
}

/// The references of other forms become the IDs they are shown of.
Outcome<std::vector<console::SearchTerm>> withIdsOfReferences(ShopStore& store, std::vector<console::SearchTerm> terms)
{
    std::vector<console::SearchTerm> ids;
    for (const console::SearchTerm& term : terms) {
        if (term.kind != SearchKind::OtherReference)
            continue;
        const auto shown = store.support().idsByReference(term.value);
        if (!shown)
            return Failure(shown.error());
        for (const std::string& id : *shown)
            ids.push_back({SearchKind::ActionId, id});
    }
    terms.insert(terms.end(), ids.begin(), ids.end());
    return terms;
}

} // namespace

Outcome<FoundActions> findActions(ShopStore& store, const std::vector<console::SearchTerm>& terms)
{
    const auto meant = withIdsOfReferences(store, terms);
    if (!meant)
        return Failure(meant.error());
    std::vector<SupportRow> rows;
    for (const console::SearchTerm& term : *meant) {
        const auto column = columnFor(term.kind);
        if (!column)
            continue;
        auto found = store.support().find(*column, term.value, kActionsToldMost + 1);
        if (!found)
            return Failure(found.error());
        for (SupportRow& row : *found)
            if (std::none_of(rows.begin(), rows.end(), [&row](const SupportRow& known) { return isSame(known, row); }))
                rows.push_back(std::move(row));
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const SupportRow& a, const SupportRow& b) { return a.firstSeen > b.firstSeen; });
    const bool hasMore = rows.size() > kActionsToldMost;
    if (hasMore)
        rows.erase(rows.begin() + kActionsToldMost, rows.end());
    auto actions = allWithOthers(store, std::move(rows));
    if (!actions)
        return Failure(actions.error());
    return FoundActions{*std::move(actions), hasMore};
}

Outcome<std::optional<FoundAction>> findAction(ShopStore& store, const values::ActionId& id, const std::string& account)
{
    const auto rows = store.support().find(SupportColumn::ActionId, id.toString(), kActionsToldMost);
    if (!rows)
        return Failure(rows.error());
    const auto row = std::find_if(rows->begin(), rows->end(), [&account](const SupportRow& candidate) {
        return account.empty() || candidate.account == account;
    });
    if (row == rows->end())
        return std::optional<FoundAction>();
    return std::optional(besides(*rows, *row));
}

Outcome<bool> isOfAnother(ShopStore& store, const values::ActionId& id, const std::string& account)
{
    if (account.empty())
        return false;
    const auto rows = store.support().find(SupportColumn::ActionId, id.toString(), 1);
    return rows ? Outcome<bool>(!rows->empty()) : Failure(rows.error());
}

Outcome<Material> gatherMaterial(ShopStore& store, const values::ActionId& id, const std::string& said, const std::string& came)
{
    Material material;
    auto action = findAction(store, id, said);
    if (!action)
        return Failure(action.error());
    material.action = *std::move(action);
    material.account = material.action ? material.action->row.account : said.empty() ? came : said;
    auto mails = store.support().mails(material.account, id);
    auto deeds = store.support().deeds(material.account, id);
    auto reports = store.tables().reportsOf(material.account, id);
    if (!mails || !deeds || !reports)
        return Failure(!mails ? mails.error() : !deeds ? deeds.error() : reports.error());
    material.mails = *std::move(mails);
    material.deeds = *std::move(deeds);
    material.reports = *std::move(reports);
    if (!material.action) {
        const auto others = isOfAnother(store, id, said);
        if (!others)
            return Failure(others.error());
        material.isOthers = *others;
        return material;
    }
    if (material.action->row.bankKey) {
        auto events = store.support().events(*material.action->row.bankKey);
        if (!events)
            return Failure(events.error());
        material.events = *std::move(events);
    }
    const auto holder = store.support().otherHolder(material.action->row);
    auto near = store.support().neighbours(material.action->row, kNeighbourSpan, kNeighboursToldMost);
    if (!holder || !near)
        return Failure(!holder ? holder.error() : near.error());
    material.otherHolder = *holder;
    auto neighbours = allWithOthers(store, *std::move(near));
    if (!neighbours)
        return Failure(neighbours.error());
    material.neighbours = *std::move(neighbours);
    return material;
}

} // namespace payonce::shop
