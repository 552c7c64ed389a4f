#include "checkout/run_summary.h"

#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>

namespace payonce::checkout {

namespace {

QJsonValue orNull(const QString& text)
{
    return text.isEmpty() ? QJsonValue() : QJsonValue(text);
}

QString phrase(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// What arrived at the server of this action; nothing, if none of it did.
console::ActionFacts factsOf(const Books& books, const QString& actionId)
{
    for (const auto& action : books.verdict.actions)
        if (QString::fromStdString(action.facts.actionId) == actionId)
            return action.facts;
    return {};
}

QJsonObject bookMembers(const Books& books, const QString& actionId)
{
    const auto facts = factsOf(books, actionId);
    return {{QStringLiteral("verdict"), phrase(console::phraseOf(books.verdict.code))},
            {QStringLiteral("code"), phrase(console::codeOf(books.verdict.code))},
            {QStringLiteral("charges"), books.charges},
            {QStringLiteral("orders"), books.orders},
            {QStringLiteral("posts"), facts.posts},
            {QStringLiteral("attempts"), facts.attempts},
            {QStringLiteral("probes"), facts.probes}};
}

QStringList unmetBy(const HeadlessResult& result, const std::optional<Books>& books, const QString& expectedState)
{
    QStringList unmet;
    if (!books)
        unmet << QStringLiteral("the simulator cannot be asked, so nothing is proven");
    else
        for (const auto& words : books->verdict.unmet)
            unmet << QString::fromStdString(words);
    if (expectedState.isEmpty() && !isFinalState(result.state))
        unmet << QStringLiteral("state: %1, which is not final").arg(result.state);
    if (!expectedState.isEmpty() && result.state != expectedState)
        unmet << QStringLiteral("state: %1, expected %2").arg(result.state, expectedState);
    return unmet;
}

} // namespace

RunSummary summarise(const HeadlessResult& result, const std::optional<Books>& books, const QString& expectedState)
{
    RunSummary summary;
    summary.unmet = unmetBy(result, books, expectedState);
    summary.holds = summary.unmet.isEmpty();

    QJsonObject object;
    if (books)
        object = bookMembers(*books, result.actionId);
    else
        for (const auto* name : {"verdict", "code", "charges", "orders", "posts", "attempts", "probes"})
            object.insert(QLatin1String(name), QJsonValue());
    object.insert(QLatin1String("holds"), books ? QJsonValue(summary.holds) : QJsonValue());
    object.insert(QLatin1String("state"), result.state);
    object.insert(QLatin1String("reference"), orNull(result.reference));
    object.insert(QLatin1String("confirm_ms"), result.confirmMs ? QJsonValue(*result.confirmMs) : QJsonValue());
    object.insert(QLatin1String("screenshot"), orNull(result.screenshot));
    summary.line = QJsonDocument(object).toJson(QJsonDocument::Compact);
    return summary;
}

} // namespace payonce::checkout
