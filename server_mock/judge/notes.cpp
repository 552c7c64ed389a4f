#include "judge/notes.h"

#include "protocol/json_text.h"
#include "protocol/strict_json.h"

#include <algorithm>
#include <array>

namespace payonce::judge {

namespace {

using console::Said;
using console::Sighting;
using console::SightingEnd;
using protocol::Json;
using protocol::OrderedJson;

/// By their place in it, which is what the file keeps: it is read by nobody but the next start of the same program.
constexpr std::array kEnds = {SightingEnd::Open, SightingEnd::Told, SightingEnd::Lost, SightingEnd::Silent, SightingEnd::Left};
constexpr std::array kSaid = {Said::Nothing, Said::Refused, Said::NotCharged, Said::Charged};

template <class List, class Value> std::size_t placeOf(const List& list, Value value)
{
    return static_cast<std::size_t>(std::find(list.begin(), list.end(), value) - list.begin());
}

OrderedJson arrivalJson(const Sighting& sighting)
{
    return {{"number", sighting.number},
            {"connection", sighting.connection},
            {"account", sighting.account},
            {"key", sighting.key},
            {"action_id", sighting.actionId},
            {"attempt", sighting.attempt},
            {"op", std::string(console::nameOf(sighting.operation))},
            {"cart_id", sighting.cartId},
            {"email", sighting.email},
            {"amount", sighting.amount},
            {"at", values::toRfc3339(sighting.at.wall)},
            {"mono_us", sighting.at.mono.time_since_epoch().count()},
            {"head_only", sighting.isHeadOnly}};
}

OrderedJson endJson(const Sighting& sighting)
{
    OrderedJson json{{"number", sighting.number},
                     {"mono_us", sighting.endedAt.value_or(sighting.at.mono).time_since_epoch().count()},
                     {"end", placeOf(kEnds, sighting.end)},
                     {"status", sighting.status},
                     {"said", placeOf(kSaid, sighting.said)},
                     {"retry_after_s", nullptr},
                     {"paid", sighting.paidActions}};
    if (sighting.retryAfter)
        json["retry_after_s"] = sighting.retryAfter->count();
    return json;
}

values::MonotonicTime timeIn(const Json& json)
{
    return values::MonotonicTime(std::chrono::microseconds(json.at("mono_us").get<std::int64_t>()));
}

Sighting arrivalOf(const Json& json)
{
    Sighting sighting;
    sighting.number = json.at("number").get<std::uint64_t>();
    sighting.connection = json.at("connection").get<std::uint64_t>();
    sighting.account = json.at("account").get<std::string>();
    sighting.key = json.at("key").get<std::string>();
    sighting.actionId = json.at("action_id").get<std::string>();
    sighting.attempt = json.at("attempt").get<std::string>();
    sighting.operation = console::operationOf(json.at("op").get<std::string>()).value_or(console::Operation::Pay);
    sighting.cartId = json.at("cart_id").get<std::string>();
    sighting.email = json.at("email").get<std::string>();
    sighting.amount = json.at("amount").get<std::string>();
    sighting.at = {values::fromRfc3339(json.at("at").get<std::string>()).value_or(values::WallTime()), timeIn(json)};
    sighting.isHeadOnly = json.at("head_only").get<bool>();
    // Until the line of its end is read, or for ever.
    sighting.end = SightingEnd::Lost;
    sighting.endedAt = sighting.at.mono;
    return sighting;
}

void readEnd(const Json& json, std::vector<Sighting>& past)
{
    const auto number = json.at("number").get<std::uint64_t>();
    const auto found = std::find_if(past.rbegin(), past.rend(), [&](const Sighting& known) { return known.number == number; });
    if (found == past.rend())
        return;
    found->endedAt = timeIn(json);
    found->end = kEnds.at(json.at("end").get<std::size_t>());
    found->status = json.at("status").get<int>();
    found->said = kSaid.at(json.at("said").get<std::size_t>());
    if (!json.at("retry_after_s").is_null())
        found->retryAfter = std::chrono::seconds(json.at("retry_after_s").get<std::int64_t>());
    found->paidActions = json.at("paid").get<std::vector<std::string>>();
}

/// A line that is torn or damaged says nothing.
void readLine(const std::string& line, std::vector<Sighting>& past)
try {
    const auto json = protocol::parseStrict(line);
    if (json && json->contains("arrived"))
        past.push_back(arrivalOf(json->at("arrived")));
    else if (json && json->contains("ended"))
        readEnd(json->at("ended"), past);
} catch (const std::exception&) {
    return;
}

} // namespace

std::unique_ptr<Notes> Notes::open(const QString& path)
{
    std::unique_ptr<Notes> notes(new Notes(path)); // NOLINT: the constructor is private
    if (!notes->m_file.open(QIODevice::ReadWrite | QIODevice::Append | QIODevice::Unbuffered) ||
        !notes->m_file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner))
        return nullptr;
    notes->read();
    return notes;
}

void Notes::read()
{
    m_file.seek(0);
    for (const QByteArray& line : m_file.readAll().split('\n'))
        if (!line.isEmpty())
            readLine(line.toStdString(), m_past);
    m_file.write("\n"); // a torn line ends here
}

void Notes::arrived(const Sighting& sighting)
{
    write(protocol::textOf({{"arrived", arrivalJson(sighting)}}));
}

void Notes::ended(const Sighting& sighting)
{
    write(protocol::textOf({{"ended", endJson(sighting)}}));
}

void Notes::write(std::string line)
{
    line += '\n';
    static_cast<void>(m_file.write(line.data(), static_cast<qint64>(line.size())));
}

} // namespace payonce::judge
