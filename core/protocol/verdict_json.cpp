#include "protocol/verdict_json.h"

#include "protocol/json_member.h"

#include <utility>

namespace payonce::protocol {

namespace {

using console::ActionVerdict;
using console::VerdictCode;

std::optional<VerdictCode> codeMember(const Json& json)
{
    const auto name = textMember(json, "code");
    return name ? console::verdictCodeOf(*name) : std::nullopt;
}

/// `client` is what only the client knows; the server writes null, the headless app fills it in.
OrderedJson actionJson(const ActionVerdict& action)
{
    return {{"action_id", action.facts.actionId},
            {"verdict", std::string(console::phraseOf(action.code))},
            {"code", std::string(console::codeOf(action.code))},
            {"words", std::string(console::wordsOf(action.code))},
            {"charges", action.facts.charges},
            {"posts", action.facts.posts},
            {"attempts", action.facts.attempts},
            {"probes", action.facts.probes},
            {"client", nullptr},
            {"evidence", action.facts.evidence}};
}

std::optional<std::vector<std::string>> textsMember(const Json& json, std::string_view name)
{
    const auto* array = memberOf(json, name);
    if (array == nullptr || !array->is_array())
        return {};
    std::vector<std::string> texts;
    for (const auto& element : *array) {
        if (!element.is_string())
            return {};
        texts.push_back(element.get<std::string>());
    }
    return texts;
}

/// Order and record are not in the JSON as such; the code says them.
std::optional<ActionVerdict> actionOf(const Json& json)
{
    auto id = textMember(json, "action_id");
    const auto code = codeMember(json);
    const auto charges = intMember(json, "charges");
    const auto posts = intMember(json, "posts");
    const auto attempts = intMember(json, "attempts");
    const auto probes = intMember(json, "probes");
    auto evidence = textsMember(json, "evidence");
    if (!id || !code || !charges || !posts || !attempts || !probes || !evidence)
        return {};
    const bool open = *code == VerdictCode::UnknownBeingChecked;
    const bool paid = *code == VerdictCode::ChargedOnce;
    const bool closed = *code == VerdictCode::ChargedOrderCancelled;
    return ActionVerdict{{std::move(*id), *charges, paid, open, *posts, *attempts, *probes, std::move(*evidence), closed},
                         *code};
}

std::optional<RuleHits> hitsOf(const Json& json)
{
    auto id = textMember(json, "id");
    const auto* member = memberOf(json, "hits");
    const auto hits = intMember(json, "hits");
    if (!id || member == nullptr || (!hits && !member->is_null()))
        return {};
    return RuleHits{std::move(*id), hits};
}

/// Every element of the array member by `read`; empty if one of them is of no known form.
template <class T>
std::optional<std::vector<T>> listMember(const Json& json, const char* name, std::optional<T> (*read)(const Json&))
{
    const auto* array = memberOf(json, name);
    if (array == nullptr || !array->is_array())
        return {};
    std::vector<T> list;
    for (const auto& element : *array) {
        auto item = read(element);
        if (!item)
            return {};
        list.push_back(std::move(*item));
    }
    return list;
}

} // namespace

std::string renderVerdict(const VerdictReport& report)
{
    OrderedJson json;
    json["verdict"] = std::string(console::phraseOf(report.code));
    json["code"] = std::string(console::codeOf(report.code));
    json["holds"] = report.holds();
    json["complete"] = report.isComplete;
    json["unmet"] = report.unmet;
    json["actions"] = OrderedJson::array();
    for (const auto& action : report.actions)
        json["actions"].push_back(actionJson(action));
    json["rules"] = OrderedJson::array();
    for (const auto& rule : report.rules)
        json["rules"].push_back(
            OrderedJson{{"id", rule.id}, {"hits", rule.hits ? OrderedJson(*rule.hits) : OrderedJson(nullptr)}});
    return textOf(json);
}

std::optional<VerdictReport> parseVerdict(std::string_view body)
{
    const auto json = parseStrict(body);
    if (!json)
        return {};
    const auto code = codeMember(*json);
    const auto holds = boolMember(*json, "holds");
    const auto complete = boolMember(*json, "complete");
    auto unmet = textsMember(*json, "unmet");
    auto actions = listMember<ActionVerdict>(*json, "actions", actionOf);
    auto rules = listMember<RuleHits>(*json, "rules", hitsOf);
    if (!code || !holds || !unmet || *holds != unmet->empty() || !actions || !rules)
        return {};
    return VerdictReport{*code, std::move(*unmet), std::move(*actions), std::move(*rules), complete.value_or(true)};
}

} // namespace payonce::protocol
