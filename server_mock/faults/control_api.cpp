#include "faults/control_api.h"

#include "faults/verdict_maker.h"
#include "protocol/constant_time.h"
#include "protocol/fields.h"
#include "protocol/scenario_json.h"
#include "protocol/verdict_json.h"

#include <QtCore/QPointer>
#include <QtCore/QPromise>
#include <QtCore/QThreadPool>
#include <QtCore/QTimer>

#include <algorithm>
#include <limits>
#include <utility>

namespace payonce::faults {

namespace {

using idempotency::ProblemCode;
using Shared = std::shared_ptr<http::Exchange>;

void answer(const Shared& exchange, QByteArray body, int status = 200)
{
    http::Response response;
    response.status = status;
    response.body = std::move(body);
    exchange->answer(response);
}

void refuse(const Shared& exchange, ProblemCode code, QByteArray detail, const http::Headers& lines = {})
{
    auto response = http::renderProblem({code, std::move(detail)}, exchange->request());
    response.headers += lines;
    exchange->answer(response);
}

/// A query item that is a whole number from `least` to `most`; `absent` where there is none; empty where it is no such number.
std::optional<qint64> numberIn(const QUrlQuery& query, const QString& name, qint64 absent, qint64 most)
{
    if (!query.hasQueryItem(name))
        return absent;
    bool isNumber = false;
    const auto number = query.queryItemValue(name).toLongLong(&isNumber);
    if (!isNumber || number < 0 || number > most)
        return {};
    return number;
}

} // namespace

ControlApi::ControlApi(Parts parts, QByteArray token, QObject* parent)
    : QObject(parent),
      m_parts(parts),
      m_token(std::move(token)),
      m_listener([this](const Shared& exchange) { route(exchange); })
{
    connect(&m_parts.journal, &ArrivalJournal::appended, this, &ControlApi::serveWaiters);
}

const std::array<ControlApi::Route, 8>& ControlApi::routes()
{
    static constexpr std::array<Route, 8> kRoutes = {{{"GET", "/scenario", &ControlApi::showScenario},
                                                      {"PUT", "/scenario", &ControlApi::putScenario},
                                                      {"DELETE", "/scenario", &ControlApi::dropScenario},
                                                      {"GET", "/points", &ControlApi::showPoints},
                                                      {"GET", "/journal", &ControlApi::showJournal},
                                                      {"GET", "/ledger", &ControlApi::showLedger},
                                                      {"GET", "/verdict", &ControlApi::showVerdict},
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
        if (route.path != request.path)
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

void ControlApi::showPoints(const Shared& exchange)
{
    answer(exchange, pointsBody());
}

void ControlApi::showJournal(const Shared& exchange)
{
    const auto& query = exchange->request().query;
    const auto after = numberIn(query, QStringLiteral("after"), 0, std::numeric_limits<qint64>::max());
    const auto wait = numberIn(query, QStringLiteral("wait"), 0, protocol::kLongestWait.count());
    if (!after || !wait)
        return refuse(exchange, ProblemCode::MemberInvalid,
                      R"("after" is a sequence number, "wait" are seconds from 0 to 25.)");
    const RowFilter filter{*after, query.queryItemValue(QStringLiteral("action")).toStdString()};
    auto rows = rowsBody(m_parts.journal.rows(), m_parts.journal.epoch(), filter);
    if (!rows.isEmpty || *wait == 0)
        return answer(exchange, std::move(rows.body));
    waitForRows(exchange, filter, std::chrono::seconds(*wait));
}

void ControlApi::waitForRows(const Shared& exchange, RowFilter filter, std::chrono::seconds wait)
{
    std::erase_if(m_waiters, [](const Waiter& waiter) { return !waiter.exchange->isOpen(); });
    if (m_waiters.size() >= kMostWaiters)
        return refuse(exchange, ProblemCode::RateLimited, "Too many wait for the journal.");
    const auto number = ++m_lastWaiter;
    m_waiters.push_back({exchange, std::move(filter), number});
    QTimer::singleShot(wait, Qt::PreciseTimer, this, [this, number] { endWait(number); });
}

void ControlApi::serveWaiters()
{
    if (m_waiters.empty())
        return;
    // Only the newest row can have ended a wait.
    const auto& newest = m_parts.journal.rows().back();
    std::deque<Waiter> served;
    std::erase_if(m_waiters, [&](Waiter& waiter) {
        if (!waiter.filter.actionId.empty() && waiter.filter.actionId != newest.actionId)
            return false;
        if (newest.seq <= waiter.filter.after)
            return false;
        served.push_back(std::move(waiter));
        return true;
    });
    for (const auto& waiter : served)
        answer(waiter.exchange, rowsBody(m_parts.journal.rows(), m_parts.journal.epoch(), waiter.filter).body);
}

void ControlApi::endWait(quint64 number)
{
    const auto found =
        std::find_if(m_waiters.begin(), m_waiters.end(), [&](const Waiter& waiter) { return waiter.number == number; });
    if (found == m_waiters.end())
        return;
    const auto waiter = std::move(*found);
    m_waiters.erase(found);
    answer(waiter.exchange, rowsBody(m_parts.journal.rows(), m_parts.journal.epoch(), waiter.filter).body);
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

void ControlApi::reset(const Shared& exchange)
{
    m_parts.engine.reset(); // first: what still runs for the old epoch comes to its end
    m_parts.ledger.reset([exchange](bool isDone) {
        if (isDone)
            answer(exchange, {}, 204);
        else
            refuse(exchange, ProblemCode::StoreUnavailable, "A ledger cannot be emptied.");
    });
}

} // namespace payonce::faults
