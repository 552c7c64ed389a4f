#include "faults/control_api.h"

#include "faults/control_answers.h"
#include "faults/verdict_maker.h"
#include "protocol/constant_time.h"
#include "protocol/scenario_json.h"
#include "protocol/verdict_json.h"

#include <QtCore/QFuture>
#include <QtCore/QPointer>
#include <QtCore/QPromise>
#include <QtCore/QThreadPool>

#include <algorithm>
#include <utility>

namespace payonce::faults {

namespace {

using idempotency::ProblemCode;
using Shared = std::shared_ptr<http::Exchange>;

/// `/rules/` and the name behind it; other paths are whole.
bool isFor(QByteArrayView route, const QByteArray& path)
{
    return route.endsWith('/') ? path.size() > route.size() && path.startsWith(route) : path == route;
}

} // namespace

ControlApi::ControlApi(Parts parts, QByteArray token, QObject* parent)
    : QObject(parent),
      m_parts(parts),
      m_token(std::move(token)),
      m_readers(parts.journal, parts.engine),
      m_pauses(parts.engine.held()),
      m_listener([this](const Shared& exchange) { route(exchange); })
{
}

const std::array<ControlApi::Route, 14>& ControlApi::routes()
{
    static constexpr std::array<Route, 14> kRoutes = {{{"GET", "/scenario", &ControlApi::showScenario},
                                                       {"PUT", "/scenario", &ControlApi::putScenario},
                                                       {"DELETE", "/scenario", &ControlApi::dropScenario},
                                                       {"POST", "/rules", &ControlApi::addRule},
                                                       {"DELETE", "/rules/", &ControlApi::removeRule},
                                                       {"GET", "/points", &ControlApi::showPoints},
                                                       {"GET", "/journal", &ControlApi::showJournal},
                                                       {"GET", "/ledger", &ControlApi::showLedger},
                                                       {"GET", "/verdict", &ControlApi::showVerdict},
                                                       {"GET", "/snapshot", &ControlApi::showSnapshot},
                                                       {"POST", "/await", &ControlApi::await},
                                                       {"POST", "/release", &ControlApi::release},
                                                       {"POST", "/clock", &ControlApi::moveClock},
                                                       {"POST", "/reset", &ControlApi::reset}}};
    return kRoutes;
}

bool ControlApi::isAllowed(const http::Request& request) const
{
    constexpr QByteArrayView kScheme = "Bearer ";
    const auto line = request.value("Authorization");
    return QByteArrayView(line).first(std::min(line.size(), kScheme.size())).compare(kScheme, Qt::CaseInsensitive) == 0 &&
           protocol::equalInConstantTime(QByteArrayView(line).sliced(kScheme.size()).trimmed(), m_token);
}

void ControlApi::route(const Shared& exchange)
{
    const auto& request = exchange->request();
    if (!isAllowed(request))
        return refuse(exchange, ProblemCode::Unauthorized, "Send the control token as a bearer token.",
                      {{"WWW-Authenticate", "Bearer"}});
    QByteArrayList methods;
    for (const auto& route : routes()) {
        if (!isFor(route.path, request.path))
            continue;
        if (route.method == request.method)
            return (this->*route.serve)(exchange);
        methods.append(route.method.toByteArray());
    }
    if (methods.isEmpty())
        return refuse(exchange, ProblemCode::NotFound, "The control API has no such path.");
    refuse(exchange, ProblemCode::MethodNotAllowed, "This path knows " + methods.join(", ") + '.',
           {{"Allow", methods.join(", ")}});
}

// NOLINTNEXTLINE(readability-make-member-function-const): a handler, of the type they all have.
void ControlApi::showScenario(const Shared& exchange)
{
    answer(exchange, scenarioBody(m_parts.engine.scenario(), m_parts.journal.tally()));
}

void ControlApi::putScenario(const Shared& exchange)
{
    auto scenario = protocol::parseScenario(exchange->request().body.toStdString());
    if (!scenario)
        return refuse(exchange, ProblemCode::MemberInvalid, QByteArray::fromStdString(scenario.error().detail));
    m_parts.engine.load(std::move(*scenario));
    showScenario(exchange);
}

void ControlApi::dropScenario(const Shared& exchange)
{
    m_parts.engine.load({});
    answer(exchange, {}, 204);
}

void ControlApi::addRule(const Shared& exchange)
{
    auto rule = protocol::parseRule(exchange->request().body.toStdString());
    if (!rule)
        return refuse(exchange, ProblemCode::MemberInvalid, QByteArray::fromStdString(rule.error().detail));
    if (!m_parts.engine.addRule(*std::move(rule)))
        return refuse(exchange, ProblemCode::MemberInvalid, "There is a rule of this id, or there are too many.");
    answer(exchange, scenarioBody(m_parts.engine.scenario(), m_parts.journal.tally()), 201);
}

void ControlApi::removeRule(const Shared& exchange)
{
    constexpr QByteArrayView kRules = "/rules/";
    const auto id = QByteArray::fromPercentEncoding(exchange->request().path.mid(kRules.size())).toStdString();
    if (m_parts.engine.removeRule(id))
        answer(exchange, {}, 204);
    else
        refuse(exchange, ProblemCode::NotFound, "There is no rule of this id.");
}

// NOLINTNEXTLINE(readability-make-member-function-const): a handler, of the type they all have.
void ControlApi::moveClock(const Shared& exchange)
{
    const auto advance = advanceOf(exchange->request().body);
    if (!advance)
        return refuse(exchange, ProblemCode::MemberInvalid, QByteArray::fromStdString(advance.error()));
    m_parts.clock.advance(*advance);
    answer(exchange, timeBody(m_parts.clock.wall()));
}

void ControlApi::showPoints(const Shared& exchange)
{
    answer(exchange, pointsBody());
}

void ControlApi::readLedger(const Shared& exchange, std::function<Render()> prepare)
{
    m_parts.ledger.read(
        [self = QPointer<ControlApi>(this), exchange, prepare = std::move(prepare)](std::optional<LedgerView> view) {
            if (!self)
                return;
            if (!view)
                return refuse(exchange, ProblemCode::StoreUnavailable, "A ledger cannot be read.");
            self->renderAside(exchange, [view = *std::move(view), render = prepare()] { return render(view); });
        });
}

// What is told of many actions takes a while, and requests must not wait for it. The exchange stays on this thread.
void ControlApi::renderAside(const Shared& exchange, std::function<QByteArray()> render)
{
    const auto number = ++m_lastRendered;
    m_rendered.emplace(number, exchange);
    const auto promise = std::make_shared<QPromise<QByteArray>>();
    promise->start();
    promise->future().then(this, [this, number](const QByteArray& body) {
        if (const auto asked = m_rendered.extract(number); !asked.empty())
            answer(asked.mapped(), body);
    });
    QThreadPool::globalInstance()->start([promise, render = std::move(render)] {
        promise->addResult(render());
        promise->finish();
    });
}

void ControlApi::showLedger(const Shared& exchange)
{
    readLedger(exchange, [] { return Render(ledgerBody); });
}

void ControlApi::showVerdict(const Shared& exchange)
{
    readLedger(exchange, [this] {
        return Render([tally = m_parts.journal.tally(), scenario = m_parts.engine.scenario()](const LedgerView& view) {
            return QByteArray::fromStdString(protocol::renderVerdict(makeVerdict(view, tally, scenario)));
        });
    });
}

void ControlApi::showSnapshot(const Shared& exchange)
{
    readLedger(exchange, [this] {
        auto& held = m_parts.engine.held();
        const auto& rows = m_parts.journal.rows();
        const Snapshot snapshot{
            m_parts.journal.epoch(), rows.empty() ? 0 : rows.back().seq, m_parts.clock.wall(),   held.paused(), held.sleeping(),
            held.silent(),           m_parts.engine.scenario(),          m_parts.journal.tally()};
        return Render([snapshot](const LedgerView& view) { return snapshotBody(snapshot, view); });
    });
}

// First all work is dropped, and what the bank has on its way comes to its end; then what it came to is forgotten too.
void ControlApi::reset(const Shared& exchange)
{
    m_parts.engine.dropWork();
    m_parts.ledger.quieten([self = QPointer<ControlApi>(this), exchange] {
        if (self)
            self->emptyLedger(exchange);
    });
}

void ControlApi::emptyLedger(const Shared& exchange)
{
    m_parts.engine.reset();
    m_parts.clock.setRight();
    m_parts.ledger.reset([exchange](bool isDone) {
        if (isDone)
            answer(exchange, {}, 204);
        else
            refuse(exchange, ProblemCode::StoreUnavailable, "A ledger cannot be emptied.");
    });
}

} // namespace payonce::faults
