#include "faults/control_orders.h"

#include "faults/json_text.h"
#include "protocol/scenario_json.h"
#include "protocol/strict_json.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <limits>
#include <string_view>

namespace payonce::faults {

namespace {

using nlohmann::json;
using values::Failure;
using values::Result;

Result<json, std::string> objectOf(const QByteArray& body, std::initializer_list<std::string_view> members)
{
    auto object = protocol::parseStrict(body.toStdString());
    if (!object)
        return Failure(protocol::wordsOf(object.error()));
    if (!object->is_object())
        return Failure(std::string("the body is no object"));
    for (auto member = object->begin(); member != object->end(); ++member)
        if (std::find(members.begin(), members.end(), member.key()) == members.end())
            return Failure("unknown member \"" + member.key() + '"');
    return *std::move(object);
}

/// `absent` where there is none; a failure where it is no integer from `least` to `most`.
Result<std::int64_t, std::string> integerIn(const json& object, const char* name, std::int64_t least, std::int64_t most,
                                            std::optional<std::int64_t> absent)
{
    const auto found = object.find(name);
    if (found == object.end() && absent)
        return *absent;
    if (found != object.end() && found->is_number_integer() && *found >= least && *found <= most)
        return found->get<std::int64_t>();
    return Failure(std::string(1, '"').append(name).append("\" must be an integer from ") + std::to_string(least) + " to " +
                   std::to_string(most));
}

Result<std::string, std::string> textIn(const json& object, const char* name)
{
    const auto found = object.find(name);
    const auto* text = found == object.end() ? nullptr : found->get_ptr<const std::string*>();
    if (text == nullptr)
        return Failure(std::string(1, '"').append(name).append("\" must be a text"));
    return *text;
}

} // namespace

std::optional<console::Point> serverPointIn(std::string_view text)
{
    const auto place = console::placeIn(text);
    return place && !console::isClientPoint(place->point) ? std::optional(place->point) : std::nullopt;
}

Result<AwaitOrder, std::string> awaitOrderOf(const QByteArray& body)
{
    const auto object = objectOf(body, {"point", "action", "nth", "timeout_ms"});
    if (!object)
        return Failure(object.error());
    AwaitOrder order;
    const auto name = textIn(*object, "point");
    if (!name)
        return Failure(name.error());
    const auto point = serverPointIn(*name);
    if (!point)
        return Failure("unknown point \"" + *name + '"');
    order.point = *point;
    if (object->contains("action")) {
        const auto action = textIn(*object, "action");
        if (!action)
            return Failure(action.error());
        order.actionId = *action;
    }
    const auto nth = integerIn(*object, "nth", 1, std::numeric_limits<int>::max(), 0);
    const auto timeout = integerIn(*object, "timeout_ms", 0, kLongestAwait.count(), kUsualAwait.count());
    if (!nth || !timeout)
        return Failure(nth ? timeout.error() : nth.error());
    if (*nth > 0)
        order.nth = static_cast<int>(*nth);
    order.timeout = std::chrono::milliseconds(*timeout);
    return order;
}

Result<HeldWork::Token, std::string> tokenOf(const QByteArray& body)
{
    const auto object = objectOf(body, {"token"});
    if (!object)
        return Failure(object.error());
    const auto text = textIn(*object, "token");
    if (!text)
        return Failure(text.error());
    HeldWork::Token token = 0;
    const char* const end = text->data() + text->size();
    const auto [stop, error] = std::from_chars(text->data(), end, token);
    if (error != std::errc() || stop != end)
        return Failure(std::string("\"token\" is none that POST /await gave"));
    return token;
}

QByteArray tokenBody(HeldWork::Token token)
{
    return QByteArray::fromStdString(textOf({{"token", std::to_string(token)}}));
}

Result<std::chrono::milliseconds, std::string> advanceOf(const QByteArray& body)
{
    const auto object = objectOf(body, {"advance_ms"});
    if (!object)
        return Failure(object.error());
    const auto advance = integerIn(*object, "advance_ms", 0, protocol::kLargestClockStep.count(), {});
    if (!advance)
        return Failure(advance.error());
    return std::chrono::milliseconds(*advance);
}

QByteArray timeBody(values::WallTime time)
{
    return QByteArray::fromStdString(textOf({{"time", values::toRfc3339(time)}}));
}

} // namespace payonce::faults
