#include "shop/problem_pages.h"

#include "shop/problem_words.h"

#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>

#include <array>
#include <vector>

namespace payonce::shop {

namespace {

using idempotency::ProblemRule;

/// What is told about one name; most have one rule.
struct Page
{
    std::vector<ProblemRule> rules; ///< at least one
    ProblemWords words;
};

QByteArray bytesOf(std::string_view text)
{
    return {text.data(), static_cast<qsizetype>(text.size())};
}

std::optional<Page> pageOf(const QByteArray& code)
{
    const std::string_view name(code.constData(), static_cast<std::size_t>(code.size()));
    const ProblemWords* const words = wordsOf(name);
    if (words == nullptr)
        return {};
    Page page{{}, *words};
    for (const ProblemRule& rule : idempotency::problemRules())
        if (rule.name == name)
            page.rules.push_back(rule);
    return page;
}

// Our own words have no markup in them; nothing of the request is written back.
constexpr const char* kHtml = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{code} · PayOnce</title>
<style>
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5b6675; --paper: #f5f6f8; --card: #fff; --line: #dfe3e8; --mark: #1f5fd0 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8ebf0; --soft: #9aa6b6; --paper: #12161c; --card: #1a2029; --line: #2c3542; --mark: #86b1ff }
}
body { margin: 0; padding: 8vh 1rem 2rem; background: var(--paper); color: var(--ink); font: 1rem/1.6 Inter, system-ui, sans-serif }
main { max-width: 40rem; margin: auto; padding: 2rem 2.25rem; background: var(--card); border: 1px solid var(--line); border-radius: 12px }
p { margin: .25rem 0 0 }
h1 { margin: .5rem 0 1.5rem; font-size: 1.5rem; line-height: 1.25 }
h2 { margin: 1.5rem 0 0; color: var(--soft); font-size: .8rem; letter-spacing: .04em; text-transform: uppercase }
code { font: .9rem ui-monospace, monospace }
.code { color: var(--mark) }
footer { max-width: 40rem; margin: 1rem auto; color: var(--soft); font-size: .85rem }
</style>
</head>
<body>
<main>
<p class="code"><code>{code}</code> · HTTP {statuses}</p>
<h1>{title}</h1>
<h2>What it means</h2>
<p>{meaning}</p>
<h2>What to do</h2>
<p>{todo}</p>
<h2>Is it safe to send it again?</h2>
<p>{retry}</p>
</main>
<footer>For programs: <code>retry: {advice}</code>. The whole contract: <a href="/openapi.yaml">/openapi.yaml</a></footer>
</body>
</html>
)";

constexpr const char* kText = R"({code} (HTTP {statuses})
{title}

What it means: {meaning}
What to do: {todo}
Is it safe to send it again? {retry}
)";

QByteArray filled(const char* form, const Page& page)
{
    QByteArray statuses;
    for (const ProblemRule& rule : page.rules)
        statuses += (statuses.isEmpty() ? "" : ", ") + QByteArray::number(rule.status);
    const ProblemRule& first = page.rules.front();
    return QByteArray(form)
        .replace("{code}", bytesOf(page.words.name))
        .replace("{statuses}", statuses)
        .replace("{title}", bytesOf(first.title))
        .replace("{meaning}", bytesOf(page.words.meaning))
        .replace("{todo}", bytesOf(page.words.toDo))
        .replace("{retry}", bytesOf(sentenceOf(first.retry)))
        .replace("{advice}", bytesOf(nameOf(first.retry)));
}

QByteArray asHtml(const Page& page)
{
    return filled(kHtml, page);
}

QByteArray asText(const Page& page)
{
    return filled(kText, page);
}

QString textOf(std::string_view text)
{
    return QString::fromUtf8(bytesOf(text));
}

QByteArray asJson(const Page& page)
{
    QJsonArray statuses;
    for (const ProblemRule& rule : page.rules)
        statuses.append(rule.status);
    const ProblemRule& first = page.rules.front();
    const QJsonObject json{{QStringLiteral("type"), QStringLiteral("/problems/") + textOf(page.words.name)},
                           {QStringLiteral("code"), textOf(page.words.name)},
                           {QStringLiteral("statuses"), statuses},
                           {QStringLiteral("title"), textOf(first.title)},
                           {QStringLiteral("retry"), textOf(nameOf(first.retry))},
                           {QStringLiteral("meaning"), textOf(page.words.meaning)},
                           {QStringLiteral("what_to_do"), textOf(page.words.toDo)},
                           {QStringLiteral("safe_to_retry"), textOf(sentenceOf(first.retry))}};
    return QJsonDocument(json).toJson(QJsonDocument::Compact);
}

struct Form
{
    QByteArrayView type; ///< as Accept names it
    const char* contentType;
    QByteArray (*render)(const Page&);
};
constexpr std::array kForms{Form{"text/html", "text/html; charset=utf-8", asHtml},
                            Form{"application/json", "application/json", asJson},
                            Form{"text/plain", "text/plain; charset=utf-8", asText}};

/// RFC 9110, 12.5.1. How much an Accept value wants `type`, in thousandths; the most specific range that fits counts.
int weightOf(const QByteArray& accept, QByteArrayView type)
{
    constexpr int kFull = 1000;
    int weight = 0;
    int specificity = 0;
    for (const QByteArray& part : accept.split(',')) {
        const QList<QByteArray> pieces = part.split(';');
        const QByteArray range = pieces.first().trimmed().toLower();
        const int fits = range == type                                                 ? 3
                         : range == type.first(type.indexOf('/')).toByteArray() + "/*" ? 2
                         : range == "*/*"                                              ? 1
                                                                                       : 0;
        if (fits <= specificity)
            continue;
        specificity = fits;
        weight = kFull;
        for (const QByteArray& piece : pieces)
            if (const QByteArray parameter = piece.trimmed().toLower(); parameter.startsWith("q="))
                weight = static_cast<int>(parameter.mid(2).toDouble() * kFull);
    }
    return weight;
}

const Form& formFor(const QByteArray& accept)
{
    const Form* best = kForms.data();
    int most = weightOf(accept, best->type);
    for (const Form& form : kForms)
        if (const int weight = weightOf(accept, form.type); weight > most) {
            best = &form;
            most = weight;
        }
    return *best;
}

} // namespace

std::optional<http::Response> problemPage(const QByteArray& code, const QByteArray& accept)
{
    const auto page = pageOf(code);
    if (!page)
        return {};
    const Form& form = formFor(accept);
    http::Response response;
    response.contentType = form.contentType;
    response.body = form.render(*page);
    response.headers = {{"Vary", "Accept"},
                        {"Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'"},
                        {"X-Content-Type-Options", "nosniff"}};
    return response;
}

} // namespace payonce::shop
