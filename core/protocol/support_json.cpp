#include "protocol/support_json.h"

#include "protocol/money_json.h"

namespace payonce::protocol {

namespace {

using console::SupportAction;
using console::SupportHit;
using console::TimelineRow;

OrderedJson textOrNull(const std::string& text)
{
    return text.empty() ? OrderedJson(nullptr) : OrderedJson(text);
}

OrderedJson timeOrNull(const std::optional<values::WallTime>& time)
{
    return time ? OrderedJson(values::toRfc3339(*time)) : OrderedJson(nullptr);
}

OrderedJson moneyOrNull(const std::optional<values::Money>& money)
{
    return money ? moneyJson(*money) : OrderedJson(nullptr);
}

OrderedJson hitJson(const SupportHit& hit)
{
    return {{"action_id", hit.id.toString()},
            {"reference", values::reference(hit.id)},
            {"account", textOrNull(hit.account)},
            {"kind", hit.kind},
            {"state", hit.state ? values::nameOf(*hit.state) : "absent"},
            {"code", std::string(console::codeOf(hit.code))},
            {"amount", moneyOrNull(hit.amount)},
            {"email", textOrNull(hit.email)},
            {"last4", textOrNull(hit.lastFour)},
            {"order_number", textOrNull(hit.orderNumber)},
            {"at", values::toRfc3339(hit.at)}};
}

OrderedJson actionJson(const SupportAction& action)
{
    OrderedJson json = hitJson(action.hit);
    json["purged"] = action.isPurged;
    json["cancel_requested"] = action.cancelRequested;
    json["discrepancy"] = action.hasDiscrepancy;
    json["reason"] = textOrNull(action.reason);
    json["held_by"] = textOrNull(action.heldBy);
    json["cart_id"] = textOrNull(action.cartId);
    json["order"] = action.order == console::OrderStanding::None
                        ? OrderedJson(nullptr)
                        : OrderedJson{{"id", action.orderId},
                                      {"number", action.hit.orderNumber},
                                      {"status", std::string(console::nameOf(action.order))}};
    json["payment_id"] = textOrNull(action.paymentId);
    json["charge_id"] = textOrNull(action.chargeId);
    json["decline_code"] = textOrNull(action.declineCode);
    json["bank_key"] = textOrNull(action.bankKey);
    json["charges"] = action.charges;
    json["settled_at"] = timeOrNull(action.settledAt);
    json["valid_until"] = timeOrNull(action.validUntil);
    return json;
}

OrderedJson rowJson(const TimelineRow& row)
{
    OrderedJson ids = OrderedJson::object();
    for (const auto& [name, value] : row.ids)
        ids[name] = value;
    return {{"seq", row.seq},
            {"at", timeOrNull(row.at)},
            {"source", std::string(console::nameOf(row.source))},
            {"kind", row.kind},
            {"attempt", row.attempt ? OrderedJson(*row.attempt) : OrderedJson(nullptr)},
            {"words", row.words},
            {"amount", moneyOrNull(row.amount)},
            {"ids", std::move(ids)},
            {"replay_of", row.replayOf ? OrderedJson(*row.replayOf) : OrderedJson(nullptr)}};
}

OrderedJson hitsJson(const std::vector<SupportHit>& hits)
{
    OrderedJson json = OrderedJson::array();
    for (const SupportHit& hit : hits)
        json.push_back(hitJson(hit));
    return json;
}

} // namespace

std::string renderSupportPage(const console::SupportPage& page)
{
    return textOf({{"results", hitsJson(page.hits)}, {"more", page.hasMore}, {"bank_answers", !page.isBankSilent}});
}

std::string renderSupportView(const console::SupportView& view)
{
    OrderedJson timeline = OrderedJson::array();
    for (const TimelineRow& row : view.timeline)
        timeline.push_back(rowJson(row));
    OrderedJson action = actionJson(view.action);
    if (view.isBankSilent)
        action["charges"] = nullptr;
    OrderedJson allowed = OrderedJson::array();
    for (const console::Permission& permission : view.allowed)
        allowed.push_back(
            {{"do", std::string(console::nameOf(permission.deed))}, {"unsafe_because", textOrNull(permission.unsafeBecause)}});
    return textOf({{"verdict", std::string(console::phraseOf(view.action.hit.code))},
                   {"code", std::string(console::codeOf(view.action.hit.code))},
                   {"customer_sentence", view.customerSentence},
                   {"as_of", values::toRfc3339(view.asOf)},
                   {"bank_answers", !view.isBankSilent},
                   {"action", std::move(action)},
                   {"timeline", std::move(timeline)},
                   {"neighbours", hitsJson(view.neighbours)},
                   {"allowed", std::move(allowed)}});
}

std::string renderSupportDone(const SupportDone& done)
{
    OrderedJson json{{"action_id", done.id.toString()},
                     {"kind", "support"},
                     {"state", "succeeded"},
                     {"do", std::string(console::nameOf(done.deed))},
                     {"target", done.target.toString()},
                     {"words", done.words}};
    if (!done.email.empty())
        json["email"] = done.email;
    return textOf(json);
}

} // namespace payonce::protocol
