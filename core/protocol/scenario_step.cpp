#include "protocol/scenario_step.h"

#include "protocol/card_request.h"
#include "protocol/named_alternative.h"
#include "retry/action.h"
#include "values/overloaded.h"

#include <algorithm>
#include <array>
#include <utility>

namespace payonce::protocol {

namespace {

using retry::State;

constexpr std::array kStates = {State::Editing,        State::Saving,        State::NotStarted, State::Sending,
                                State::Confirming,     State::ServerWorking, State::RetryWait,  State::Offline,
                                State::OfflineUnknown, State::Paid,          State::Declined,   State::NotCharged,
                                State::Fencing,        State::Cancelled,     State::Unresolved, State::Conflict};
constexpr std::size_t kLongestName = 200;

std::string readCard(PlacedValue& json)
{
    auto card = json.needed("card");
    if (!card)
        return {};
    auto number = card->text();
    if (number.size() < kShortestCardNumber || number.size() > kLongestCardNumber ||
        number.find_first_not_of("0123456789") != std::string::npos)
        card->fail(ScenarioErrorKind::OutOfRange, "not a card number of 12 to 19 digits");
    return number;
}

/// Steps without details have this reader, too.
template <class Step> Step read(PlacedValue json)
{
    static_assert(std::is_empty_v<Step>);
    json.allowOnly({"do"});
    return {};
}

template <> console::PayStep read(PlacedValue json)
{
    json.allowOnly({"do", "card"});
    return {readCard(json)};
}

template <> console::OtherCardStep read(PlacedValue json)
{
    json.allowOnly({"do", "card"});
    return {readCard(json)};
}

template <> console::PressStep read(PlacedValue json)
{
    json.allowOnly({"do", "name"});
    auto name = json.needed("name");
    if (!name)
        return {};
    auto text = name->text();
    if (text.empty() || text.size() > kLongestName)
        name->fail(ScenarioErrorKind::OutOfRange, "not the name of a widget");
    return {std::move(text)};
}

template <> console::WaitStep read(PlacedValue json)
{
    json.allowOnly({"do", "state"});
    auto state = json.needed("state");
    return {state ? readClientState(*state) : std::string()};
}

template <> console::CableStep read(PlacedValue json)
{
    json.allowOnly({"do", "to"});
    auto position = json.needed("to");
    if (!position)
        return {};
    const auto text = position->text();
    if (text != "out" && text != "in")
        position->fail(ScenarioErrorKind::OutOfRange, R"(neither "out" nor "in")");
    return {text == "in" ? console::Cable::In : console::Cable::Out};
}

template <> console::MoveClockStep read(PlacedValue json)
{
    json.allowOnly({"do", "advance_ms"});
    auto by = json.needed("advance_ms");
    return {std::chrono::milliseconds(by ? by->integer(1, kLargestClockStep.count()) : 0)};
}

template <> console::PostStep read(PlacedValue json)
{
    constexpr int kFirstStatus = 200;
    constexpr int kLastStatus = 599;
    json.allowOnly({"do", "body", "status"});
    console::PostStep post;
    if (auto body = json.needed("body")) {
        post.body = body->text();
        if (post.body.size() > kLongestStepText)
            body->fail(ScenarioErrorKind::OutOfRange, "longer than " + std::to_string(kLongestStepText) + " bytes");
    }
    if (auto status = json.member("status"))
        post.status = static_cast<int>(status->integer(kFirstStatus, kLastStatus));
    return post;
}

void addDetails(OrderedJson& json, const console::Step& step)
{
    std::visit(values::Overloaded{
                   [&](const console::PayStep& pay) { json["card"] = pay.card; },
                   [&](const console::OtherCardStep& other) { json["card"] = other.card; },
                   [&](const console::PressStep& press) { json["name"] = press.name; },
                   [&](const console::WaitStep& wait) { json["state"] = wait.state; },
                   [&](const console::CableStep& cable) { json["to"] = cable.position == console::Cable::In ? "in" : "out"; },
                   [&](const console::MoveClockStep& clock) { json["advance_ms"] = clock.by.count(); },
                   [&](const console::PostStep& post) {
                       json["body"] = post.body;
                       if (post.status)
                           json["status"] = *post.status;
                   },
                   [](const auto& /*no details*/) {},
               },
               step);
}

} // namespace

console::Step readStep(PlacedValue& json)
{
    auto verb = json.needed("do");
    if (!verb)
        return {};
    console::Step step;
    const auto name = verb->text();
    if (!readNamed(name, step, [&](auto empty) { return read<decltype(empty)>(json); }))
        verb->fail(ScenarioErrorKind::UnknownStep, "unknown step \"" + name + '"');
    return step;
}

OrderedJson stepJson(const console::Step& step)
{
    OrderedJson json{{"do", std::string(console::nameOf(step))}};
    addDetails(json, step);
    return json;
}

std::string readClientState(PlacedValue& json)
{
    auto name = json.text();
    if (std::none_of(kStates.begin(), kStates.end(), [&](State state) { return name == retry::nameOf(state); }))
        json.fail(ScenarioErrorKind::OutOfRange, "unknown state \"" + name + '"');
    return name;
}

} // namespace payonce::protocol
