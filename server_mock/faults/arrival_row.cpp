#include "faults/arrival_row.h"

#include "faults/json_line.h"

#include <array>

namespace payonce::faults {

namespace {

using console::Point;

constexpr std::array kEnds = {RowEnd::Fin, RowEnd::Rst, RowEnd::Silence, RowEnd::Answer, RowEnd::Crash, RowEnd::Closed};

const char* nameOf(RowEnd end)
{
    switch (end) {
    case RowEnd::None: return "";
    case RowEnd::Fin: return "fin";
    case RowEnd::Rst: return "rst";
    case RowEnd::Silence: return "silence";
    case RowEnd::Answer: return "answer";
    case RowEnd::Crash: return "crash";
    case RowEnd::Closed: return "closed";
    }
    return "";
}

RowEnd endOf(const std::string& name)
{
    for (const auto end : kEnds)
        if (name == nameOf(end))
            return end;
    return RowEnd::None;
}

std::string textIn(const nlohmann::json& json, const char* name)
{
    const auto& member = json.at(name);
    return member.is_null() ? std::string() : member.get<std::string>();
}

bool readPlace(const nlohmann::json& json, ArrivalRow& row)
{
    const auto name = textIn(json, "op");
    const auto operation = name.empty() ? std::optional(console::Operation::Pay) : console::operationOf(name);
    const auto at = values::fromRfc3339(json.at("at").get<std::string>());
    const auto place = console::placeIn(json.at("point").get<std::string>());
    if (!operation || !at || !place)
        return false;
    row.operation = *operation;
    row.point = place->point;
    row.offset = place->offset.value_or(0);
    row.time = {*at, values::MonotonicTime(std::chrono::microseconds(json.at("mono_us").get<std::int64_t>()))};
    return true;
}

} // namespace

void appendLine(std::string& text, const ArrivalRow& row)
{
    const bool isEnd = row.end != RowEnd::None;
    JsonLine line(text);
    line.number("seq", row.seq)
        .number("epoch", row.epoch)
        .number("mono_us", row.time.mono.time_since_epoch().count())
        .text("at", values::toRfc3339(row.time.wall))
        .number("connection", row.connection)
        .number("request", row.request)
        .textOrNull("account", row.account)
        .textOrNull("action_id", row.actionId)
        .textOrNull("attempt", row.attempt)
        .textOrNull("op", row.point == Point::Accept ? "" : console::nameOf(row.operation)) // not known there
        .text("point", console::placeName(row.point, row.offset))
        .textOrNull("rule", row.rule)
        .number("bytes_in", row.bytesIn)
        .number("bytes_out", row.bytesOut)
        .textOrNull("end", nameOf(row.end))
        .textOrNull("end_by", !isEnd                      ? ""
                              : row.end == RowEnd::Closed ? "client"
                                                          : "server");
    if (!row.refusal.empty())
        line.text("refusal", row.refusal);
    line.end();
}

OrderedJson toJson(const ArrivalRow& row)
{
    std::string text;
    appendLine(text, row);
    return OrderedJson::parse(text);
}

std::optional<ArrivalRow> rowOf(const nlohmann::json& json)
try {
    ArrivalRow row;
    if (!readPlace(json, row))
        return {};
    row.seq = json.at("seq").get<std::int64_t>();
    row.epoch = json.at("epoch").get<int>();
    row.connection = json.at("connection").get<std::uint64_t>();
    row.request = json.at("request").get<std::uint64_t>();
    row.account = textIn(json, "account");
    row.actionId = textIn(json, "action_id");
    row.attempt = textIn(json, "attempt");
    row.rule = textIn(json, "rule");
    row.bytesIn = json.at("bytes_in").get<std::int64_t>();
    row.bytesOut = json.at("bytes_out").get<std::int64_t>();
    row.end = endOf(textIn(json, "end"));
    if (json.contains("refusal"))
        row.refusal = textIn(json, "refusal");
    return row;
} catch (const nlohmann::json::exception&) {
    return {};
}

} // namespace payonce::faults
