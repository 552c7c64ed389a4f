#include "points/point_rules.h"

#include <QtCore/QStringList>

#include <algorithm>
#include <array>
#include <iterator>

namespace payonce::points {

namespace {

using console::FaultAction;
using console::Rule;
using std::chrono::milliseconds;

/// One of each that a client can carry out somewhere.
const std::array<FaultAction, 4>& actions()
{
    static const std::array<FaultAction, 4> kActions = {console::Crash{}, console::Delay{}, console::StoreFail{},
                                                        console::ClockStep{}};
    return kActions;
}

QString text(std::string_view utf8)
{
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

bool takesTime(const FaultAction& action)
{
    return std::holds_alternative<console::Delay>(action) || std::holds_alternative<console::ClockStep>(action);
}

std::optional<FaultAction> actionOf(const QString& name, std::optional<milliseconds> time)
{
    for (auto action : actions()) {
        if (name != text(console::nameOf(action)) || takesTime(action) != time.has_value())
            continue;
        if (auto* delay = std::get_if<console::Delay>(&action))
            delay->time = *time;
        if (auto* step = std::get_if<console::ClockStep>(&action))
            step->by = *time;
        return action;
    }
    return {};
}

std::optional<milliseconds> timeOf(const QString& number)
{
    bool ok = false;
    const auto time = number.toLongLong(&ok);
    return ok ? std::optional(milliseconds(time)) : std::nullopt;
}

/// Empty: the words are no fault of this form.
std::optional<Rule> ruleOf(const QString& words)
{
    const auto sides = words.split(QLatin1Char('='));
    if (sides.size() != 2)
        return {};
    const auto place = sides[0].split(QLatin1Char(':'));
    const auto deed = sides[1].split(QLatin1Char(':'));
    const auto point = console::pointOf(place[0].toStdString());
    const auto time = deed.size() == 2 ? timeOf(deed[1]) : std::nullopt;
    const auto action = actionOf(deed[0], time);
    if (place.size() > 2 || deed.size() > 2 || !point || !action || !console::isClientPoint(*point))
        return {};
    Rule rule;
    rule.point = *point;
    rule.action = *action;
    if (place.size() == 1)
        return rule;
    bool ok = false;
    rule.match.nth = place[1].toInt(&ok);
    return ok && *rule.match.nth > 0 ? std::optional(rule) : std::nullopt;
}

} // namespace

values::Result<std::vector<Rule>, QString> rulesIn(const QString& variable)
{
    std::vector<Rule> rules;
    for (const auto& words : variable.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        auto rule = ruleOf(words.trimmed());
        if (!rule)
            return values::Failure(
                QStringLiteral("'%1' is no fault like sent:1=crash (payonce --points lists them)").arg(words.trimmed()));
        rule->id = "env-" + std::to_string(rules.size() + 1);
        if (const auto why = console::whyImpossible(*rule); !why.empty())
            return values::Failure(text(why));
        rules.push_back(std::move(*rule));
    }
    return rules;
}

std::vector<Rule> clientRules(const std::vector<Rule>& rules)
{
    std::vector<Rule> ours;
    std::copy_if(rules.begin(), rules.end(), std::back_inserter(ours),
                 [](const Rule& rule) { return console::isClientPoint(rule.point); });
    return ours;
}

QString pointsText()
{
    constexpr int kColumn = 16;
    QString lines;
    for (const auto point : console::kPoints) {
        if (!console::isClientPoint(point))
            continue;
        QStringList names;
        for (const auto& action : actions()) {
            Rule rule;
            rule.point = point;
            rule.action = action;
            if (console::whyImpossible(rule).empty())
                names << text(console::nameOf(action));
        }
        lines += text(console::nameOf(point)).leftJustified(kColumn) + names.join(QLatin1Char(' ')) + QLatin1Char('\n');
    }
    return lines;
}

} // namespace payonce::points
