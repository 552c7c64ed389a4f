#include "protocol/scenario_rule.h"

#include "protocol/structured_field.h"

namespace payonce::protocol {

namespace {

using console::Point;

constexpr std::int64_t kMostTimes = 1'000'000;
constexpr std::int64_t kMostOffset = 1'000'000'000;
constexpr std::size_t kMostHeaders = 50;

bool isReplyPart(Point point)
{
    return point == Point::ReplyHead || point == Point::ReplyBody;
}

void readPlace(PlacedValue json, console::Rule& rule)
{
    const auto text = json.text();
    const auto at = std::min(text.find('@'), text.size());
    const auto point = console::pointOf(text.substr(0, at));
    const bool hasOffset = at < text.size();
    if (!point || (hasOffset && !isReplyPart(*point))) {
        json.fail(ScenarioErrorKind::UnknownPoint, "unknown point \"" + text + '"');
        return;
    }
    rule.point = *point;
    if (!isReplyPart(*point))
        return;
    const auto offset = hasOffset ? wholeInteger(text.substr(at + 1)) : std::nullopt;
    if (!offset || *offset < 0 || *offset > kMostOffset)
        json.fail(ScenarioErrorKind::UnknownPoint, "\"" + text + R"(" needs a count of bytes, as in "reply.body@7")");
    else
        rule.offset = *offset;
}

console::Match readMatch(PlacedValue json)
{
    json.allowOnly({"op", "nth"});
    console::Match match;
    if (auto operation = json.member("op")) {
        const auto name = operation->text();
        match.operation = console::operationOf(name);
        if (!match.operation)
            operation->fail(ScenarioErrorKind::UnknownOperation, "unknown operation \"" + name + '"');
    }
    if (auto nth = json.member("nth"))
        match.nth = static_cast<int>(nth->integer(1, kMostTimes));
    return match;
}

console::Delay readDelay(PlacedValue json)
{
    json.allowOnly({"ms"});
    auto milliseconds = json.needed("ms");
    return {std::chrono::milliseconds(milliseconds ? milliseconds->integer(0, kLongestDelay.count()) : 0)};
}

console::Cut readCut(PlacedValue json)
{
    json.allowOnly({"end"});
    auto end = json.member("end");
    if (!end)
        return {};
    const auto name = end->text();
    if (name != "fin" && name != "rst")
        end->fail(ScenarioErrorKind::OutOfRange, R"(neither "fin" nor "rst")");
    return {name == "rst" ? console::ConnectionEnd::Rst : console::ConnectionEnd::Fin};
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

console::Reply readReply(PlacedValue json)
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

console::FaultAction readAction(PlacedValue json)
{
    const auto name = json.onlyName();
    auto inner = json.member(name);
    if (!inner)
        return {};
    if (name == "delay")
        return readDelay(*inner);
    if (name == "cut")
        return readCut(*inner);
    if (name == "reply")
        return readReply(*inner);
    inner->allowOnly({});
    if (name == "hang")
        return console::Hang{};
    if (name == "fin")
        return console::Fin{};
    if (name == "rst")
        return console::Rst{};
    if (name == "crash")
        return console::Crash{};
    json.fail(ScenarioErrorKind::UnknownAction, "unknown action \"" + name + '"');
    return {};
}

/// A cut needs bytes to count; another answer cannot begin amid the bytes of the real one.
void checkTogether(PlacedValue& json, const console::Rule& rule)
{
    const bool cut = std::holds_alternative<console::Cut>(rule.action);
    const bool wholeAnswer = std::holds_alternative<console::Reply>(rule.action);
    if (cut && !isReplyPart(rule.point))
        json.fail(ScenarioErrorKind::WrongPlace,
                  "\"cut\" is only for reply.head@n and reply.body@n, not for " + placeText(rule));
    if (wholeAnswer && isReplyPart(rule.point))
        json.fail(ScenarioErrorKind::WrongPlace,
                  "\"reply\" is too late at " + placeText(rule) + ": bytes of the real answer have left");
}

} // namespace

std::string placeText(const console::Rule& rule)
{
    std::string text(console::nameOf(rule.point));
    return isReplyPart(rule.point) ? text + '@' + std::to_string(rule.offset) : text;
}

console::Rule readRule(PlacedValue& json)
{
    json.allowOnly({"id", "match", "at", "do", "times"});
    console::Rule rule;
    if (auto id = json.needed("id")) {
        rule.id = id->text();
        if (rule.id.empty())
            id->fail(ScenarioErrorKind::OutOfRange, "empty id");
    }
    if (auto match = json.member("match"))
        rule.match = readMatch(*match);
    if (auto at = json.needed("at"))
        readPlace(*at, rule);
    if (auto action = json.needed("do")) {
        rule.action = readAction(*action);
        checkTogether(*action, rule);
    }
    if (auto times = json.member("times"))
        rule.times = static_cast<int>(times->integer(1, kMostTimes));
    return rule;
}

} // namespace payonce::protocol
