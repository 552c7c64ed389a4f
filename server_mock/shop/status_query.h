// GET /v1/actions/{id}: what became of this ID. Terminal and not found answer at once; an open record may be waited for.
#pragma once

#include "shop/incoming.h"
#include "shop/shop_parts.h"

#include <functional>
#include <memory>
#include <optional>

namespace payonce::shop {

class StatusQuery
{
public:
    explicit StatusQuery(ShopParts& parts) : m_parts(parts) {}

    /// The request is authenticated and its path ends in an action ID.
    void look(const std::shared_ptr<Incoming>& incoming);

private:
    void ask(const std::shared_ptr<Incoming>& incoming, std::function<void(const std::optional<idempotency::KeyRecord>&)> told);
    void lookedUp(const std::shared_ptr<Incoming>& incoming, const std::optional<idempotency::KeyRecord>& record);
    void found(const std::shared_ptr<Incoming>& incoming, const idempotency::KeyRecord& record);
    void absent(const std::shared_ptr<Incoming>& incoming);
    void unknownAction(const std::shared_ptr<Incoming>& incoming);
    void lookAgain(const std::shared_ptr<Incoming>& incoming);
    void tell(const std::shared_ptr<Incoming>& incoming, const idempotency::KeyRecord& record);

    ShopParts& m_parts;
};

} // namespace payonce::shop
