#include "protocol/scenario_action.h"

#include "protocol/named_alternative.h"
#include "values/overloaded.h"

#include <array>
#include <type_traits>
#include <utility>

namespace payonce::protocol {

namespace {

using std::chrono::milliseconds;

constexpr std::size_t kMostHeaders = 50;
constexpr std::int64_t kMostReads = 1'000'000;
constexpr std::int64_t kMostBytes = 1'000'000'000;
constexpr std::size_t kLongestLocation = 2'048;

/// Actions without details have this reader, too.
template <class Action> Action read(PlacedValue json)
{
    static_assert(std::is_empty_v<Action>);
    json.allowOnly({});
    return {};
}

milliseconds readTime(PlacedValue& json, std::int64_t shortest = 0)
{
    auto time = json.needed("ms");
    return milliseconds(time ? time->integer(shortest, kLongestDelay.count()) : 0);
}

template <> console::Delay read(PlacedValue json)
{
    json.allowOnly({"ms"});
    return {readTime(json)};
}

console::ConnectionEnd readEnd(PlacedValue json)
{
    json.allowOnly({"end"});
    auto end = json.member("end");
    if (!end)
        return console::ConnectionEnd::Fin;
    const auto name = end->text();
    if (name != "fin" && name != "rst")
        end->fail(ScenarioErrorKind::OutOfRange, R"(neither "fin" nor "rst")");
    return name == "rst" ? console::ConnectionEnd::Rst : console::ConnectionEnd::Fin;
}

template <> console::Cut read(PlacedValue json)
{
    return {readEnd(std::move(json))};
}

template <> console::ChunkedCut read(PlacedValue json)
{
    return {readEnd(std::move(json))};
}

template <> console::Drip read(PlacedValue json)
{
    json.allowOnly({"n", "ms"});
    console::Drip drip;
    if (auto bytes = json.needed("n"))
        drip.bytes = static_cast<int>(bytes->integer(1, kMostBytes));
    drip.every = readTime(json, 1);
    return drip;
}

bool isFieldText(const std::string& text)
{
    return text.find_first_of(std::string_view("\r\n\0", 3)) == std::string::npos;
}

std::pair<std::string, std::string> readHeader(PlacedValue json)
{
    auto parts = json.elements(2);
    if (parts.size() != 2) {
        json.fail(ScenarioErrorKind::WrongType, "not a pair of name and value");
        return {};
    }
    std::pair<std::string, std::string> header{parts[0].text(), parts[1].text()};
    if (header.first.empty() || !isFieldText(header.first) || !isFieldText(header.second))
        json.fail(ScenarioErrorKind::OutOfRange, "not a header field");
    return header;
}

template <> console::Reply read(PlacedValue json)
{
    constexpr int kFirstStatus = 200;
    constexpr int kLastStatus = 599;
    json.allowOnly({"status", "body", "headers"});
    console::Reply reply;
    if (auto status = json.needed("status"))
        reply.status = static_cast<int>(status->integer(kFirstStatus, kLastStatus));
    if (auto body = json.member("body"))
        reply.body = body->text();
    if (auto headers = json.member("headers"))
        for (const auto& header : headers->elements(kMostHeaders))
            reply.headers.push_back(readHeader(header));
    return reply;
}

constexpr std::array kMeanwhiles = {std::pair{console::Meanwhile::Hang, "hang"}, std::pair{console::Meanwhile::Fin, "fin"},
                                    std::pair{console::Meanwhile::Rst, "rst"}};

template <> console::HoldThenProcess read(PlacedValue json)
{
    json.allowOnly({"ms", "end"});
    console::HoldThenProcess hold{readTime(json)};
    auto end = json.member("end");
    if (!end)
        return hold;
    const auto text = end->text();
    for (const auto& [meanwhile, name] : kMeanwhiles)
        if (text == name) {
            hold.meanwhile = meanwhile;
            return hold;
        }
    end->fail(ScenarioErrorKind::OutOfRange, R"(neither "hang" nor "fin" nor "rst")");
    return hold;
}

template <> console::ProcessTwice read(PlacedValue json)
{
    json.allowOnly({"ms"});
    return {json.member("ms") ? readTime(json) : milliseconds(0)};
}

template <> console::Stale read(PlacedValue json)
{
    json.allowOnly({"k"});
    auto reads = json.needed("k");
    return {reads ? static_cast<int>(reads->integer(1, kMostReads)) : 1};
}

template <> console::Redirect read(PlacedValue json)
{
    constexpr int kFirstRedirect = 300;
    constexpr int kLastRedirect = 399;
    json.allowOnly({"status", "location"});
    console::Redirect redirect;
    if (auto status = json.member("status"))
        redirect.status = static_cast<int>(status->integer(kFirstRedirect, kLastRedirect));
    if (auto location = json.member("location")) {
        redirect.location = location->text();
        if (redirect.location.empty() || redirect.location.size() > kLongestLocation || !isFieldText(redirect.location))
            location->fail(ScenarioErrorKind::OutOfRange, "not a location");
    }
    return redirect;
}

template <> console::Refuse read(PlacedValue json)
{
    json.allowOnly({"ms"});
    return {readTime(json)};
}

template <> console::ClockStep read(PlacedValue json)
{
    json.allowOnly({"ms"});
    auto by = json.needed("ms");
    return {milliseconds(by ? by->integer(-kLargestClockStep.count(), kLargestClockStep.count()) : 0)};
}

OrderedJson replyJson(const console::Reply& reply)
{
    OrderedJson json = {{"status", reply.status}, {"body", reply.body}};
    for (const auto& [name, value] : reply.headers)
        json["headers"].push_back(OrderedJson::array({name, value}));
    return json;
}

OrderedJson endJson(console::ConnectionEnd end)
{
    return {{"end", end == console::ConnectionEnd::Rst ? "rst" : "fin"}};
}

OrderedJson timeJson(milliseconds time)
{
    return {{"ms", time.count()}};
}

OrderedJson holdJson(const console::HoldThenProcess& hold)
{
    auto json = timeJson(hold.time);
    for (const auto& [meanwhile, name] : kMeanwhiles)
        if (meanwhile == hold.meanwhile)
            json["end"] = name;
    return json;
}

OrderedJson redirectJson(const console::Redirect& redirect)
{
    OrderedJson json = {{"status", redirect.status}};
    if (!redirect.location.empty())
        json["location"] = redirect.location;
    return json;
}

OrderedJson detailsJson(const console::FaultAction& action)
{
    const values::Overloaded write{
        [](const console::Delay& delay) { return timeJson(delay.time); },
        [](const console::Cut& cut) { return endJson(cut.end); },
        [](const console::ChunkedCut& cut) { return endJson(cut.end); },
        [](const console::Drip& drip) {
            return OrderedJson{{"n", drip.bytes}, {"ms", drip.every.count()}};
        },
        [](const console::Reply& reply) { return replyJson(reply); },
        [](const console::HoldThenProcess& hold) { return holdJson(hold); },
        [](const console::ProcessTwice& twice) { return timeJson(twice.after); },
        [](const console::Stale& stale) {
            return OrderedJson{{"k", stale.reads}};
        },
        [](const console::Redirect& redirect) { return redirectJson(redirect); },
        [](const console::Refuse& refuse) { return timeJson(refuse.time); },
        [](const console::ClockStep& step) { return timeJson(step.by); },
        [](const auto& /*no details*/) { return OrderedJson::object(); },
    };
    return std::visit(write, action);
}

} // namespace

console::FaultAction readAction(PlacedValue& json)
{
    console::FaultAction action;
    const auto name = json.onlyName();
    const auto inner = json.member(name);
    if (inner && !readNamed(name, action, [&](auto empty) { return read<decltype(empty)>(*inner); }))
        json.fail(ScenarioErrorKind::UnknownAction, "unknown action \"" + name + '"');
    return action;
}

OrderedJson actionJson(const console::FaultAction& action)
{
    auto json = OrderedJson::object();
    json[std::string(console::nameOf(action))] = detailsJson(action);
    return json;
}

} // namespace payonce::protocol
