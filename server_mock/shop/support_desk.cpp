#include "shop/support_desk.h"

#include "protocol/support_json.h"
#include "shop/replies.h"
#include "values/check.h"

#include <algorithm>
#include <utility>

namespace payonce::shop {

using console::SearchKind;
using console::SearchTerm;
using idempotency::ProblemCode;

// A charge is found by the bank, which also knows those that the shop never heard of.
void SupportDesk::search(const std::shared_ptr<Incoming>& incoming)
{
    const std::string text = incoming->request().query.queryItemValue(QStringLiteral("q"), QUrl::FullyDecoded).toStdString();
    if (text.empty() || text.size() > console::kLongestSearch)
        return refuseSearch(incoming);
    const auto forms = m_parts.keys == protocol::KeyForm::Any ? console::IdForms::Any : console::IdForms::UuidV7;
    const auto terms = console::searchTermsOf(text, forms);
    const std::string searched = console::wordsOf(terms);
    const auto charge =
        std::find_if(terms.begin(), terms.end(), [](const SearchTerm& term) { return term.kind == SearchKind::ChargeId; });
    if (charge == terms.end())
        return find(incoming, terms, searched);
    m_evidence.ask({{}, {}, charge->value}, [this, incoming, terms, searched](const KnownRows& rows) {
        std::vector<SearchTerm> meant = terms;
        for (const bank::EvidenceRow& row : rows.value_or(EvidenceRows()))
            meant.push_back({SearchKind::ActionId, row.actionId});
        find(incoming, meant, searched);
    });
}

void SupportDesk::refuseSearch(const std::shared_ptr<Incoming>& incoming)
{
    protocol::Problem problem{ProblemCode::MemberInvalid, "`q` must be 1 to 254 bytes long.", incoming->echo()};
    problem.instance = incoming->request().path.toStdString();
    m_parts.faults.answer(incoming->arrival, responseOf(problem));
}

void SupportDesk::find(const std::shared_ptr<Incoming>& incoming, const std::vector<SearchTerm>& terms,
                       const std::string& searched)
{
    storage::AuditRow audit = auditRow(*incoming, "search");
    audit.reason = searched;
    m_parts.records.work<FoundActions>(
        [terms, audit](ShopStore& store) -> Outcome<FoundActions> {
            if (const auto written = store.support().audit(audit); !written)
                return values::Failure(written.error());
            return findActions(store, terms);
        },
        [this, incoming](const Outcome<FoundActions>& actions) {
            if (actions)
                found(incoming, *actions);
            else
                cannotRead(incoming);
        });
}

void SupportDesk::found(const std::shared_ptr<Incoming>& incoming, const FoundActions& actions)
{
    m_evidence.ask(evidenceQueryFor(actions.actions), [this, incoming, actions](const KnownRows& rows) {
        console::SupportPage page;
        page.hasMore = actions.hasMore;
        page.isBankSilent = !rows;
        for (const FoundAction& action : actions.actions)
            page.hits.push_back(hitOf(action, rows));
        tell(incoming, protocol::renderSupportPage(page));
    });
}

void SupportDesk::look(const std::shared_ptr<Incoming>& incoming)
{
    CHECK(incoming->action);
    Arrivals arrivals = m_sources.arrivals(*incoming->action, incoming->saidAccount());
    const std::string came = arrivals.account;
    storage::AuditRow audit = auditRow(*incoming, "look");
    audit.actionId = incoming->action->toString();
    audit.account = incoming->saidAccount();
    m_parts.records.work<Material>(
        [id = *incoming->action, said = incoming->saidAccount(), came, audit](ShopStore& store) mutable -> Outcome<Material> {
            auto material = gatherMaterial(store, id, said, came);
            if (material)
                audit.account = material->account;
            if (const auto written = store.support().audit(audit); !written)
                return values::Failure(written.error());
            return material;
        },
        [this, incoming, arrivals = std::move(arrivals)](const Outcome<Material>& material) mutable {
            if (material)
                gathered(incoming, *material, std::move(arrivals));
            else
                cannotRead(incoming);
        });
}

// The shop first: a payment that settles between the two reads then shows as charged and not yet finished, never as paid
// without a charge.
void SupportDesk::gathered(const std::shared_ptr<Incoming>& incoming, const Material& material, Arrivals arrivals)
{
    const std::string said = incoming->saidAccount();
    if (material.isOthers || (!material.action && !said.empty() && !m_hasAccount(said)))
        return isUnknown(incoming, "This account has never used this action.");
    std::vector<FoundAction> actions = material.neighbours;
    if (material.action)
        actions.push_back(*material.action);
    bank::EvidenceQuery query = evidenceQueryFor(actions);
    query.actionIds.push_back(incoming->action->toString());
    if (arrivals.account != material.account)
        arrivals = m_sources.arrivals(*incoming->action, material.account);
    m_evidence.ask(query, [this, incoming, material, arrivals = std::move(arrivals)](const KnownRows& rows) {
        tellView(incoming, {*incoming->action, material, rows, arrivals, m_parts.clock()});
    });
}

void SupportDesk::tellView(const std::shared_ptr<Incoming>& incoming, const ViewParts& parts)
{
    const console::SupportView view = viewOf(parts);
    const std::size_t rowsOfSilence = view.isBankSilent ? 1 : 0;
    if (parts.material.action || view.timeline.size() > rowsOfSilence)
        return tell(incoming, protocol::renderSupportView(view));
    isUnknown(incoming, view.isBankSilent ? "The shop has never seen this action, and the bank does not answer now."
                                          : "Neither the shop nor the bank has ever seen this action.");
}

void SupportDesk::isUnknown(const std::shared_ptr<Incoming>& incoming, const char* detail)
{
    m_parts.faults.answer(incoming->arrival,
                          responseOf(protocol::Problem{ProblemCode::ActionUnknown, detail, incoming->action}));
}

storage::AuditRow SupportDesk::auditRow(const Incoming& incoming, const char* deed) const
{
    return {m_parts.clock(), incoming.arrival.account, deed, {}, {}, {}, {}};
}

void SupportDesk::tell(const std::shared_ptr<Incoming>& incoming, const std::string& body)
{
    m_parts.faults.answer(incoming->arrival, okResponse(body, incoming->echo()));
}

void SupportDesk::cannotRead(const std::shared_ptr<Incoming>& incoming)
{
    m_parts.faults.answer(incoming->arrival, storeUnavailable(*incoming, m_parts.numbers.retryAfter));
}

} // namespace payonce::shop
