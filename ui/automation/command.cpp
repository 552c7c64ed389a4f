#include "automation/command.h"

#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>

namespace payonce::automation {

namespace {

struct Form
{
    const char* name;
    Verb verb;
    std::initializer_list<const char*> needed;
    std::initializer_list<const char*> allowed;
};

const std::array<Form, 9>& forms()
{
    static const std::array<Form, 9> kForms = {{{"list", Verb::List, {}, {"window"}},
                                                {"get", Verb::Get, {"name"}, {"window"}},
                                                {"click", Verb::Click, {"name"}, {"window"}},
                                                {"type", Verb::Type, {"name", "text"}, {"window"}},
                                                {"waitFor", Verb::WaitFor, {"state"}, {"window", "after", "timeout_ms"}},
                                                {"idle", Verb::Idle, {}, {"window", "timeout_ms"}},
                                                {"grab", Verb::Grab, {}, {"window", "name"}},
                                                {"state", Verb::State, {}, {"window"}},
                                                {"quit", Verb::Quit, {}, {}}}};
    return kForms;
}

bool contains(const std::initializer_list<const char*>& names, const QString& name)
{
    return std::any_of(names.begin(), names.end(), [&](const char* known) { return name == QLatin1String(known); });
}

const Form* formOf(const QString& verb)
{
    const auto form =
        std::find_if(forms().begin(), forms().end(), [&](const Form& known) { return verb == QLatin1String(known.name); });
    return form == forms().end() ? nullptr : form;
}

std::optional<qint64> wholeNumber(const QJsonValue& value, qint64 least, qint64 most)
{
    constexpr qint64 kNever = -1;
    const auto number = value.toInteger(kNever);
    const bool isWhole = value.isDouble() && number != kNever;
    return isWhole && number >= least && number <= most ? std::optional(number) : std::nullopt;
}

/// Reads the members; the first that is wrong is told.
class Reader
{
public:
    explicit Reader(const QJsonObject& object) : m_object(object) {}

    void checkNames(const Form& form)
    {
        for (const auto& name : m_object.keys())
            if (name != QLatin1String("id") && name != QLatin1String("do") && !contains(form.needed, name) &&
                !contains(form.allowed, name))
                fail(QStringLiteral("%1 has no \"%2\"").arg(QLatin1String(form.name), name));
        for (const auto* name : form.needed)
            if (!m_object.contains(QLatin1String(name)))
                fail(QStringLiteral("%1 needs \"%2\"").arg(QLatin1String(form.name), QLatin1String(name)));
    }
    void readText(const char* name, qsizetype longest, QString& target)
    {
        const auto value = m_object.value(QLatin1String(name));
        if (value.isUndefined())
            return;
        target = value.toString();
        if (!value.isString() || target.size() > longest)
            fail(QStringLiteral("\"%1\" is no text of at most %2 characters").arg(QLatin1String(name)).arg(longest));
    }
    [[nodiscard]] qint64 readNumber(const char* name, qint64 absent, qint64 most)
    {
        const auto value = m_object.value(QLatin1String(name));
        if (value.isUndefined())
            return absent;
        const auto number = wholeNumber(value, 0, most);
        if (!number)
            fail(QStringLiteral("\"%1\" is no whole number from 0 to %2").arg(QLatin1String(name)).arg(most));
        return number.value_or(absent);
    }
    void fail(const QString& detail)
    {
        if (m_problem.isEmpty())
            m_problem = detail;
    }
    [[nodiscard]] const QString& problem() const { return m_problem; }

private:
    const QJsonObject& m_object;
    QString m_problem;
};

} // namespace

values::Result<Command, BadLine> parseCommand(const QByteArray& line)
{
    constexpr qint64 kLargest = 9'007'199'254'740'991;
    QJsonParseError error{};
    const auto document = QJsonDocument::fromJson(line, &error);
    if (!document.isObject())
        return values::Failure(BadLine{QJsonValue::Null, QStringLiteral("not a JSON object: %1").arg(error.errorString())});
    const auto object = document.object();
    const auto id = object.value(QLatin1String("id"));
    if (!id.isUndefined() && !id.isNull() && !wholeNumber(id, 0, kLargest))
        return values::Failure(BadLine{QJsonValue::Null, QStringLiteral("\"id\" is no whole number")});
    Command command;
    command.id = id.isDouble() ? id : QJsonValue(QJsonValue::Null);
    const auto verb = object.value(QLatin1String("do")).toString();
    const auto* form = formOf(verb);
    if (form == nullptr)
        return values::Failure(BadLine{command.id, QStringLiteral("\"do\": there is no \"%1\"").arg(verb.left(kLongestName))});
    command.verb = form->verb;
    Reader reader(object);
    reader.checkNames(*form);
    reader.readText("window", kLongestName, command.window);
    reader.readText("name", kLongestName, command.name);
    reader.readText("state", kLongestName, command.state);
    reader.readText("text", kLongestText, command.text);
    command.after = reader.readNumber("after", command.after, kLargest);
    command.timeout = std::chrono::milliseconds(reader.readNumber("timeout_ms", command.timeout.count(), kLongestWait.count()));
    if (!reader.problem().isEmpty())
        return values::Failure(BadLine{command.id, reader.problem()});
    return command;
}

} // namespace payonce::automation
