#include "protocol/fields.h"

#include "protocol/structured_field.h"

#include <algorithm>
#include <array>
#include <utility>

namespace payonce::protocol {

namespace {

using retry::PreviousEnd;
using retry::State;

constexpr std::array<std::pair<PreviousEnd, std::string_view>, 6> kPreviousEnds = {{
    {PreviousEnd::None, "none"},
    {PreviousEnd::NotSent, "not_sent"},
    {PreviousEnd::Timeout, "timeout"},
    {PreviousEnd::Closed, "closed"},
    {PreviousEnd::BadAnswer, "bad_answer"},
    {PreviousEnd::Http5xx, "http_5xx"},
}};

constexpr std::array<std::pair<State, std::string_view>, 16> kStates = {{
    {State::Editing, "editing"},
    {State::Saving, "saving"},
    {State::NotStarted, "not_started"},
    {State::Sending, "sending"},
    {State::Confirming, "confirming"},
    {State::ServerWorking, "server_working"},
    {State::RetryWait, "retry_wait"},
    {State::Offline, "offline"},
    {State::OfflineUnknown, "offline_unknown"},
    {State::Paid, "paid"},
    {State::Declined, "declined"},
    {State::NotCharged, "not_charged"},
    {State::Fencing, "fencing"},
    {State::Cancelled, "cancelled"},
    {State::Unresolved, "unresolved"},
    {State::Conflict, "conflict"},
}};

template <class Table, class Value> std::string_view nameIn(const Table& table, Value value)
{
    return std::find_if(table.begin(), table.end(), [value](const auto& row) { return row.first == value; })->second;
}

/// Writes to `target` what `name` stands for; false if it stands for nothing.
template <class Table, class Value> bool lookUp(const Table& table, std::string_view name, Value& target)
{
    const auto row = std::find_if(table.begin(), table.end(), [name](const auto& entry) { return entry.second == name; });
    if (row == table.end())
        return false;
    target = row->first;
    return true;
}

tl::unexpected<KeyError> refused(KeyErrorKind kind, std::string detail, std::optional<values::ActionId> id = {})
{
    return values::Failure(KeyError{kind, std::move(detail), std::move(id)});
}

tl::unexpected<KeyError> tooLong()
{
    return refused(KeyErrorKind::Malformed, "The Idempotency-Key is longer than 255 characters.");
}

/// The characters of the key, out of the string or the bare form.
values::Result<std::string, KeyError> keyText(std::string_view line)
{
    if (line.empty() || line == "\"\"")
        return refused(KeyErrorKind::Empty, "The Idempotency-Key is empty.");
    if (line.front() == '"') {
        if (auto text = wholeString(line))
            return std::move(*text);
        return refused(KeyErrorKind::Malformed, "The Idempotency-Key is not one string of RFC 9651.");
    }
    const bool isBare = std::all_of(line.begin(), line.end(), [](char c) {
        return c > ' ' && c <= '~' && std::string_view("\",;\\").find(c) == std::string_view::npos;
    });
    if (!isBare)
        return refused(KeyErrorKind::Malformed, "The Idempotency-Key is not one key: it has a character that no bare key has.");
    return std::string(line);
}

/// What is well-formed and means nothing here is dropped: evidence is no reason to refuse anything.
bool readParameter(const Parameter& parameter, retry::AttemptNote& note)
{
    const bool isPrevious = parameter.name == "prev";
    if (isPrevious || parameter.name == "state") {
        if (parameter.value.size() > kLongestAttemptToken || !isToken(parameter.value))
            return false;
        [[maybe_unused]] const bool isKnown =
            isPrevious ? lookUp(kPreviousEnds, parameter.value, note.previous) : lookUp(kStates, parameter.value, note.state);
        return true;
    }
    if (parameter.name != "presses")
        return true;
    const auto presses = wholeInteger(parameter.value);
    if (presses)
        note.presses = static_cast<int>(std::clamp<std::int64_t>(*presses, 0, kMostAttempts));
    return presses.has_value();
}

} // namespace

values::Result<values::ActionId, KeyError> parseKey(const std::vector<std::string>& lines, values::WallTime now,
                                                    std::chrono::milliseconds aheadMost, KeyForm form)
{
    if (lines.empty())
        return refused(KeyErrorKind::Missing, "This request needs an Idempotency-Key.");
    if (lines.size() > 1)
        return refused(KeyErrorKind::Repeated, "There is more than one Idempotency-Key.");
    const auto line = trimmed(lines.front());
    if (line.size() > kLongestKeyLine)
        return tooLong();
    const auto text = keyText(line);
    if (!text)
        return values::Failure(text.error());
    if (text->size() > values::kLongestActionId)
        return tooLong();
    const auto id = form == KeyForm::Any ? values::ActionId::parseAnyForm(*text) : values::ActionId::parse(*text);
    if (!id)
        return refused(KeyErrorKind::NotUuidV7, "The Idempotency-Key is not a UUID of version 7 (RFC 9562).");
    const auto madeAt = id->madeAt();
    if (madeAt && *madeAt > now + aheadMost)
        return refused(KeyErrorKind::TooFarAhead,
                       "The Idempotency-Key was made too far in the future: it says " + values::toRfc3339(*madeAt) +
                           ", the server's time is " + values::toRfc3339(now) + '.',
                       *id);
    return *id;
}

std::string quoted(const values::ActionId& id)
{
    std::string field = "\"";
    for (const char c : id.toString()) {
        if (c == '"' || c == '\\')
            field += '\\';
        field += c;
    }
    return field + '"';
}

std::optional<values::ActionId> parseActionId(std::string_view field)
{
    const auto text = wholeString(trimmed(field));
    if (!text)
        return {};
    return values::ActionId::parse(*text);
}

std::string formatAttempt(const retry::AttemptNote& note)
{
    std::string field = std::to_string(note.number);
    field += ";prev=";
    field += nameIn(kPreviousEnds, note.previous);
    field += ";presses=" + std::to_string(note.presses) + ";state=";
    field += nameIn(kStates, note.state);
    return field;
}

std::optional<retry::AttemptNote> parseAttempt(std::string_view field)
{
    const auto item = itemOf(trimmed(field));
    if (!item)
        return {};
    const auto number = wholeInteger(item->value);
    if (!number || *number < 1 || *number > kMostAttempts)
        return {};
    retry::AttemptNote note;
    note.number = static_cast<int>(*number);
    for (const auto& parameter : item->parameters)
        if (!readParameter(parameter, note))
            return {};
    return note;
}

std::string_view nameOf(retry::PreviousEnd end)
{
    return nameIn(kPreviousEnds, end);
}

std::string_view nameOf(retry::State state)
{
    return nameIn(kStates, state);
}

std::optional<retry::State> clientStateOf(std::string_view name)
{
    State state{};
    if (lookUp(kStates, name, state))
        return state;
    return {};
}

std::string formatWait(std::chrono::seconds wait)
{
    return "wait=" + std::to_string(wait.count());
}

std::optional<std::chrono::seconds> parseWait(std::string_view field)
{
    for (const auto preference : splitOutsideQuotes(field, ',')) {
        const auto parts = splitOutsideQuotes(preference, ';');
        const auto first = parts.empty() ? std::string_view() : parts.front();
        const auto equals = std::min(first.find('='), first.size());
        if (!sameIgnoringCase(trimmed(first.substr(0, equals)), "wait"))
            continue;
        auto value = trimmed(first.substr(std::min(equals + 1, first.size())));
        if (value.size() >= 2 && value.front() == '"' && value.back() == '"')
            value = value.substr(1, value.size() - 2);
        const auto number = wholeInteger(value);
        if (!number || *number < 0)
            return {};
        return std::clamp(std::chrono::seconds(*number), kShortestWait, kLongestWait);
    }
    return {};
}

} // namespace payonce::protocol
