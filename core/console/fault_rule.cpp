#include "console/fault_rule.h"

#include "values/overloaded.h"

#include <algorithm>
#include <initializer_list>

namespace payonce::console {

namespace {

using Points = std::initializer_list<Point>;

bool isOneOf(Point point, Points points)
{
    return std::find(points.begin(), points.end(), point) != points.end();
}

bool isMail(Point point)
{
    return point == Point::OutboxBefore || point == Point::OutboxSent;
}

/// Something that may go out instead of the answer: its bytes are not under way yet.
bool isBeforeReply(Point point)
{
    return !isClientPoint(point) && !isMail(point) && !isReplyPart(point) && point != Point::Accept &&
           point != Point::ReplyFlushed;
}

/// Can the action be carried out there at all?
bool fits(const FaultAction& action, Point point)
{
    const bool isServers = !isClientPoint(point);
    const bool hasConnection = isServers && !isMail(point);
    const bool isInstead = isBeforeReply(point);
    const bool isBeforeSave =
        isOneOf(point, {Point::Received, Point::BankInside, Point::BankCommitted, Point::BankAnswered, Point::WebhookReceived,
                        Point::OutboxSent, Point::ActionSaved, Point::AttemptSaved, Point::OutcomeSaved});
    return std::visit(values::Overloaded{
                          [&](const Delay&) { return point != Point::Sent; }, // it has left already
                          [&](const Hang&) { return isServers; },
                          [](const ClockStep&) { return true; },
                          [](const Crash&) { return true; },
                          [&](const Pause&) { return isServers; },
                          [&](const Fin&) { return isServers; },
                          [&](const Rst&) { return isServers; },
                          [&](const HalfClose&) { return hasConnection; },
                          [&](const Refuse&) { return hasConnection && !isReplyPart(point); },
                          [&](const Reply&) { return isInstead || isMail(point); },
                          [&](const Garbage&) { return isInstead; },
                          [&](const Redirect&) { return isInstead; },
                          [&](const Cut&) { return isReplyPart(point); },
                          [&](const ChunkedCut&) { return point == Point::ReplyBody; },
                          [&](const Drip&) { return isReplyPart(point) || point == Point::ReplyBuilt; },
                          [&](const Double&) {
                              return isOneOf(point, {Point::ReplyBuilt, Point::ReplyFlushed});
                          },
                          [&](const Swap&) { return point == Point::ReplyBuilt; },
                          [&](const Stale&) { return point == Point::ReplyBuilt; },
                          [&](const HoldThenProcess&) { return point == Point::Received; },
                          [&](const ProcessTwice&) { return point == Point::Received; },
                          [&](const StoreFail&) { return isBeforeSave; },
                          [&](const Forget&) {
                              return isOneOf(point, {Point::Received, Point::ReplyFlushed});
                          },
                      },
                      action);
}

std::string quoted(std::string_view name)
{
    std::string text(1, '"');
    return text.append(name).append(1, '"');
}

std::uint64_t mixed(std::uint64_t bits)
{
    // The finaliser of SplitMix64 (Steele, Lea, Flood 2014).
    bits = (bits ^ (bits >> 30U)) * 0xBF58476D1CE4E5B9ULL;
    bits = (bits ^ (bits >> 27U)) * 0x94D049BB133111EBULL;
    return bits ^ (bits >> 31U);
}

/// FNV-1a, ended by a length so that ("ab", "c") is not ("a", "bc").
std::uint64_t hashed(std::uint64_t hash, std::string_view text)
{
    constexpr std::uint64_t kPrime = 0x100000001B3ULL;
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * kPrime;
    return mixed(hash ^ text.size());
}

} // namespace

std::string placeOf(const Rule& rule)
{
    return placeName(rule.point, rule.offset);
}

std::optional<Impossible> impossibilityOf(const Rule& rule)
{
    const auto action = quoted(nameOf(rule.action));
    if (!fits(rule.action, rule.point))
        return Impossible{RulePart::Action, action + " cannot be done at " + placeOf(rule)};
    if (rule.point == Point::Accept && rule.match.operation)
        return Impossible{RulePart::Operation, R"(at accept nobody knows yet what a request is for: leave out "op")"};
    if (rule.match.operation && !mayReach(*rule.match.operation, rule.point))
        return Impossible{RulePart::Operation, quoted(nameOf(*rule.match.operation)) + " never comes to " + placeOf(rule)};
    if (std::holds_alternative<Stale>(rule.action) && rule.match.operation != Operation::Status)
        return Impossible{rule.match.operation ? RulePart::Operation : RulePart::Action, action + R"( needs "op": "status")"};
    return {};
}

std::string whyImpossible(const Rule& rule)
{
    const auto impossible = impossibilityOf(rule);
    return impossible ? impossible->why : std::string();
}

double drawOf(std::uint64_t seed, std::string_view rule, std::string_view stream, int nth)
{
    constexpr std::uint64_t kBasis = 0xCBF29CE484222325ULL;
    constexpr unsigned kSpareBits = 11; // what is left are the 53 bits of a double
    const auto hash = hashed(hashed(mixed(kBasis ^ seed), rule), stream);
    const auto bits = mixed(hash + static_cast<std::uint64_t>(nth) * 0x9E3779B97F4A7C15ULL);
    return static_cast<double>(bits >> kSpareBits) * 0x1.0p-53;
}

} // namespace payonce::console
