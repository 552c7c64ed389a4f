#include "automation/scenario_run.h"

#include "automation/commands.h"
#include "console/timeline_marks.h"
#include "support/bank_rows.h"
#include "support/shop_rows.h"
#include "values/overloaded.h"

#include <QtCore/QFile>
#include <QtCore/QJsonDocument>
#include <QtTest/QTest>

#include <algorithm>
#include <array>

namespace payonce::support {

namespace {

constexpr int kPatience = 20'000;
constexpr qint64 kMostLog = 4'000;

std::optional<console::Teller> tellerOf(const QString& name)
{
    using console::Teller;
    for (const auto teller :
         {Teller::Client, Teller::Arrival, Teller::Record, Teller::Bank, Teller::Webhook, Teller::Mail, Teller::Staff})
        if (name.toStdString() == console::nameOf(teller))
            return teller;
    return {};
}

std::vector<console::TimelineRow> rowsOf(const QJsonArray& json)
{
    std::vector<console::TimelineRow> rows;
    for (const auto& value : json) {
        const auto object = value.toObject();
        console::TimelineRow row;
        row.source = tellerOf(text(object, "source")).value_or(console::Teller::Staff);
        row.kind = text(object, "kind").toStdString();
        if (const auto attempt = object.value(QLatin1String("attempt")); attempt.isDouble())
            row.attempt = attempt.toInt();
        const auto ids = object.value(QLatin1String("ids")).toObject();
        for (auto id = ids.begin(); id != ids.end(); ++id)
            row.ids.emplace_back(id.key().toStdString(), id.value().toString().toStdString());
        rows.push_back(std::move(row));
    }
    return rows;
}

/// What the server misses, but for the rules that are not its own.
bool isSettled(const QJsonObject& verdict, const console::Scenario& scenario)
{
    if (!verdict.value(QLatin1String("unmet")).isArray())
        return false;
    for (const auto& words : verdict.value(QLatin1String("unmet")).toArray()) {
        const bool isOurs = std::any_of(scenario.rules.begin(), scenario.rules.end(), [&](const console::Rule& rule) {
            return console::isClientPoint(rule.point) &&
                   words.toString() == QStringLiteral("rule %1 never fired").arg(QString::fromStdString(rule.id));
        });
        if (!isOurs)
            return false;
    }
    return true;
}

QByteArray tailOf(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    file.seek(qMax(qint64(0), file.size() - kMostLog));
    return file.readAll();
}

int paidIn(const QJsonObject& ledger)
{
    if (!ledger.value(QLatin1String("orders")).isArray())
        return -1;
    int paid = 0;
    for (const auto& order : ledger.value(QLatin1String("orders")).toArray())
        paid += text(order.toObject(), "status") == QLatin1String("paid") ? 1 : 0;
    return paid;
}

} // namespace

ScenarioRun::ScenarioRun(QString file, console::Scenario scenario)
    : m_file(std::move(file)), m_scenario(std::move(scenario)), m_shop(m_dir.path())
{
}

RunResult ScenarioRun::play()
{
    m_result.failure = startApp();
    for (const auto& step : m_scenario.steps) {
        if (!m_result.failure.isEmpty())
            break;
        if (const auto failure = carryOut(step); !failure.isEmpty())
            m_result.failure = QString::fromStdString(std::string(console::nameOf(step))) + QStringLiteral(": ") + failure;
    }
    settle();
    collect();
    endAll();
    return std::move(m_result);
}

QStringList ScenarioRun::arguments() const
{
    return {QStringLiteral("--data-dir"), m_dir.path(), QStringLiteral("--scenario"), m_file, QStringLiteral("--time-scale"),
            QString::number(kTimeScale)};
}

ScenarioRun::Failure ScenarioRun::startApp()
{
    if (m_app)
        m_result.log += m_app->output();
    m_app = std::make_unique<AppProcess>(m_dir.filePath(QStringLiteral("app-%1").arg(++m_starts)), arguments());
    return m_app->start() ? Failure() : QStringLiteral("payonce does not start");
}

ScenarioRun::Failure ScenarioRun::carryOut(const console::Step& step)
{
    using namespace console;
    return std::visit(
        values::Overloaded{
            [&](const PayStep& pay) { return this->pay(pay.card); },
            [&](const PressStep& press) { return this->press(QString::fromStdString(press.name)); },
            [&](const CancelStep&) { return press(QStringLiteral("checkout.cancel")); },
            [&](const OtherCardStep& other) {
                const auto failure = press(QStringLiteral("checkout.next"));
                return failure.isEmpty() ? pay(other.card) : failure;
            },
            [&](const WaitStep& wait) { return waitForState(wait.state); },
            [&](const KillAppStep&) {
                m_app->killHard();
                return Failure();
            },
            [&](const StartAppStep&) { return startAgain(); },
            [&](const SecondWindowStep&) {
                m_second = std::make_unique<AppProcess>(path("second"), arguments());
                // It may be told that the first has the directory; that is an answer, too.
                static_cast<void>(m_second->start());
                return Failure();
            },
            [&](const KillServerStep&) {
                m_killedServer = m_shop.pid();
                m_shop.killServer();
                return m_killedServer > 0 ? Failure() : QStringLiteral("there is no server");
            },
            [&](const StartServerStep&) {
                return m_shop.waitForServer(m_killedServer) ? Failure() : QStringLiteral("no other server answers");
            },
            [&](const CableStep& cable) { return pull(cable.position); },
            [&](const MoveClockStep& clock) {
                return m_shop.advanceClock(clock.by.count()) ? Failure() : QStringLiteral("the server's clock stays");
            },
            [&](const PostStep& post) { return this->post(post); },
        },
        step);
}

ScenarioRun::Failure ScenarioRun::pay(const std::string& card)
{
    auto failure = waitForState("Editing");
    const std::array<std::pair<const char*, QString>, 3> fields = {{{"checkout.card.number", QString::fromStdString(card)},
                                                                    {"checkout.card.expiry", QStringLiteral("12/31")},
                                                                    {"checkout.card.cvc", QStringLiteral("123")}}};
    for (const auto& [name, content] : fields)
        if (failure.isEmpty())
            failure = type(QLatin1String(name), content);
    return failure.isEmpty() ? press(QStringLiteral("checkout.pay")) : failure;
}

ScenarioRun::Failure ScenarioRun::press(const QString& name)
{
    const auto answer = m_app->askUntilDone(on("click", name));
    // A client that ends by its own fault may do so before it could answer.
    if (isOk(answer) || (answer.isEmpty() && m_app->waitForEnd()))
        return {};
    return name + QStringLiteral(": ") + text(answer, "error") + QStringLiteral(": ") + text(answer, "detail");
}

ScenarioRun::Failure ScenarioRun::type(const QString& name, const QString& content)
{
    const auto answer = m_app->askUntilDone(typed(name, content));
    return isOk(answer) ? Failure() : name + QStringLiteral(": ") + text(answer, "detail");
}

ScenarioRun::Failure ScenarioRun::waitForState(const std::string& state)
{
    const auto answer = m_app->ask(waitFor(QString::fromStdString(state)));
    const auto seen = text(answer.value(QLatin1String("state")).toObject(), "action_id");
    if (!seen.isEmpty())
        m_actionId = seen;
    if (isOk(answer))
        return {};
    return m_app->isRunning() ? text(answer, "detail") : QStringLiteral("payonce has ended");
}

ScenarioRun::Failure ScenarioRun::startAgain()
{
    if (!m_app->waitForEnd())
        return QStringLiteral("payonce still runs");
    return startApp();
}

// The rule closes what is open and lets nobody in for a while; the knock is what it fires on.
ScenarioRun::Failure ScenarioRun::pull(console::Cable position) const
{
    constexpr auto kOut = R"({"id":"runner-cable","at":"accept","do":{"refuse":{"ms":4000}},"times":1})";
    if (position == console::Cable::In)
        return QTest::qWaitFor([this] { return m_shop.knock(); }, kPatience) ? Failure() : QStringLiteral("it stays out");
    // A form without its cart cannot be paid: the cable is for what comes after.
    const auto hasCart = [this] {
        const auto state = m_app->state();
        return text(state, "state") != QLatin1String("Editing") ||
               state.value(QLatin1String("primary")).toObject().value(QLatin1String("enabled")).toBool();
    };
    if (!QTest::qWaitFor(hasCart, kPatience))
        return QStringLiteral("there is no cart");
    if (!m_shop.addRule(kOut))
        return QStringLiteral("the server takes no such rule");
    static_cast<void>(m_shop.knock());
    return QTest::qWaitFor([this] { return !m_shop.knock(); }, kPatience) ? Failure() : QStringLiteral("it stays in");
}

ScenarioRun::Failure ScenarioRun::post(const console::PostStep& step)
{
    if (const auto seen = text(m_app->state(), "action_id"); !seen.isEmpty())
        m_actionId = seen;
    const int status = m_shop.post(m_actionId, QByteArray::fromStdString(step.body));
    if (step.status && status != *step.status)
        return QStringLiteral("status %1, expected %2").arg(status).arg(*step.status);
    return {};
}

/// The end is when everything expected is so; else what there is after a while.
void ScenarioRun::settle()
{
    if (!m_result.failure.isEmpty())
        return;
    if (m_scenario.expect.state && m_app->isRunning())
        if (const auto failure = waitForState(*m_scenario.expect.state); !failure.isEmpty())
            m_result.log += "\nwaiting for the expected state: " + failure.toUtf8();
    static_cast<void>(QTest::qWaitFor([this] { return isSettled(m_shop.verdict(), m_scenario); }, kPatience));
}

void ScenarioRun::collect()
{
    const auto state = m_app->state();
    m_result.state = text(state, "state");
    m_result.sentence = text(state, "sentence");
    if (const auto seen = text(state, "action_id"); !seen.isEmpty())
        m_actionId = seen;
    m_result.charges = chargesIn(m_dir.path());
    m_result.ordersPaid = paidIn(m_shop.ledger());
    m_result.mails = static_cast<int>(mailsAskedForIn(path("shop.sqlite")).size());
    const auto verdict = m_shop.verdict();
    m_result.verdict = text(verdict, "code");
    for (const auto& words : verdict.value(QLatin1String("unmet")).toArray())
        m_result.unmet.append(words.toString());
    countHits(verdict.value(QLatin1String("rules")).toArray());
    readTimeline();
    m_result.log += "\npayonce:\n" + m_app->output() + "\npayonce-server:\n" + tailOf(path("server.log")) +
                    "\nstate: " + QJsonDocument(state).toJson(QJsonDocument::Compact) +
                    "\nverdict: " + QJsonDocument(verdict).toJson(QJsonDocument::Compact) +
                    "\narrivals: " + QJsonDocument(m_shop.arrivals()).toJson(QJsonDocument::Compact) + '\n';
}

/// The shop may just be refusing connections.
void ScenarioRun::readTimeline()
{
    QJsonArray rows;
    const auto read = [&] {
        rows = m_shop.supportView(m_actionId).value(QLatin1String("timeline")).toArray();
        return !rows.isEmpty();
    };
    if (!m_actionId.isEmpty() && !m_scenario.expect.timeline.empty())
        static_cast<void>(QTest::qWaitFor(read, kPatience));
    m_result.marks = console::marksOf(rowsOf(rows));
}

void ScenarioRun::countHits(const QJsonArray& rules)
{
    for (const auto& rule : rules)
        m_result.hits[text(rule.toObject(), "id")] += rule.toObject().value(QLatin1String("hits")).toInt();
    QFile ours(path("client-hits.jsonl"));
    if (!ours.open(QIODevice::ReadOnly))
        return;
    for (const auto& line : ours.readAll().split('\n'))
        if (const auto id = text(QJsonDocument::fromJson(line).object(), "id"); !id.isEmpty())
            ++m_result.hits[id];
}

void ScenarioRun::endAll()
{
    if (m_second)
        m_second->killHard();
    const auto server = m_shop.pid();
    if (!m_app->isRunning() || !m_app->quit())
        m_shop.killServer(); // nobody is there to end it
    // Its files are removed next.
    if (server > 0 && !QTest::qWaitFor([&] { return ShopControl::hasEnded(server); }, kPatience))
        m_shop.killServer();
}

} // namespace payonce::support
