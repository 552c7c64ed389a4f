// GET /v1/support/actions and /v1/support/actions/{id}: support finds an action and reads its story. Every look-up is audited.
#pragma once

#include "console/support_search.h"
#include "shop/incoming.h"
#include "shop/shop_parts.h"
#include "shop/support_sources.h"
#include "shop/support_view_maker.h"

#include <functional>
#include <memory>

namespace payonce::shop {

class SupportDesk
{
public:
    /// `hasAccount`: is it an account of the shop?
    SupportDesk(ShopParts& parts, SupportSources sources, std::function<bool(const std::string&)> hasAccount)
        : m_parts(parts),
          m_sources(std::move(sources)),
          m_evidence(m_sources.evidence, parts.numbers.evidenceLimit),
          m_hasAccount(std::move(hasAccount))
    {
    }

    /// Both: the request came with a token of support. look(): its path names an action ID.
    void search(const std::shared_ptr<Incoming>& incoming);
    void look(const std::shared_ptr<Incoming>& incoming);

private:
    void refuseSearch(const std::shared_ptr<Incoming>& incoming);
    void find(const std::shared_ptr<Incoming>& incoming, const std::vector<console::SearchTerm>& terms,
              const std::string& searched);
    void found(const std::shared_ptr<Incoming>& incoming, const FoundActions& actions);
    void gathered(const std::shared_ptr<Incoming>& incoming, const Material& material, Arrivals arrivals);
    void tellView(const std::shared_ptr<Incoming>& incoming, const ViewParts& parts);
    void isUnknown(const std::shared_ptr<Incoming>& incoming, const char* detail);
    void tell(const std::shared_ptr<Incoming>& incoming, const std::string& body);
    void cannotRead(const std::shared_ptr<Incoming>& incoming);
    [[nodiscard]] storage::AuditRow auditRow(const Incoming& incoming, const char* deed) const;

    ShopParts& m_parts;
    SupportSources m_sources;
    SupportEvidence m_evidence;
    std::function<bool(const std::string&)> m_hasAccount;
};

} // namespace payonce::shop
