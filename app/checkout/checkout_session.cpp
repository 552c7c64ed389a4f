#include "checkout/checkout_session.h"

#include "points/faulty_journal.h"
#include "protocol/client_report.h"
#include "storage/client_journal.h"

#include <chrono>

namespace payonce::checkout {

namespace {

constexpr std::chrono::milliseconds kSoon{500};
constexpr std::chrono::milliseconds kLater{5000};
/// A server that is just starting is not yet a reason to worry anybody.
constexpr int kQuietFailures = 4;

viewmodels::CartProblem problemOf(transport::ShopError error)
{
    switch (error) {
    case transport::ShopError::Unreachable:
    case transport::ShopError::TooSlow: return viewmodels::CartProblem::ShopUnreachable;
    case transport::ShopError::TlsFailed: return viewmodels::CartProblem::ShopNotTrusted;
    case transport::ShopError::SignInNeeded: return viewmodels::CartProblem::SignInRefused;
    case transport::ShopError::Refused:
    case transport::ShopError::NotUnderstood: return viewmodels::CartProblem::BadAnswer;
    }
    return viewmodels::CartProblem::BadAnswer;
}

viewmodels::Cart shown(const protocol::Cart& cart)
{
    viewmodels::Cart result{QString::fromStdString(cart.cartId), {}, cart.tax, cart.total};
    for (const auto& line : cart.lines)
        result.lines.push_back({QString::fromStdString(line.name), line.quantity, line.amount});
    return result;
}

std::unique_ptr<retry::Journal> journalFor(const SessionSetup& setup)
{
    std::unique_ptr<retry::Journal> journal = std::make_unique<storage::ClientJournal>(
        storage::ClientJournal::fileAt(setup.journalFile),
        storage::Membership{setup.presence, setup.numbers.heartbeat, setup.numbers.ownerLasts});
    if (setup.faults)
        journal = std::make_unique<points::FaultyJournal>(std::move(journal), setup.faults);
    return journal;
}

} // namespace

CheckoutSession::CheckoutSession(const SessionSetup& setup, QObject* parent)
    : QObject(parent),
      m_environment(setup.seed),
      m_stepped(setup.faults ? std::make_unique<points::SteppedEnvironment>(m_environment, setup.faults) : nullptr),
      m_shop(setup.address, setup.numbers),
      m_transport(setup.address, setup.numbers,
                  setup.faults ? [this](const values::ActionId& id) { m_faulty->bodyLeft(id); }
                               : transport::HttpTransport::BodyLeft()),
      m_faulty(setup.faults ? std::make_unique<points::FaultyTransport>(m_transport, setup.faults) : nullptr),
      m_runner(journalFor(setup), wire(), environment(), setup.numbers),
      m_control(m_runner, environment()),
      m_viewModel(m_control)
{
    m_again.setSingleShot(true);
    connect(&m_again, &QTimer::timeout, this, &CheckoutSession::start);
    connect(&m_runner, &runner::ActionRunner::journalFailed, this, &CheckoutSession::journalFailed);
    connect(&m_runner, &runner::ActionRunner::snapshotChanged, this, &CheckoutSession::reportWhenOver);
    connect(&m_viewModel, &viewmodels::CheckoutViewModel::cartWanted, this, &CheckoutSession::start);
}

runner::Environment& CheckoutSession::environment()
{
    return m_stepped ? static_cast<runner::Environment&>(*m_stepped) : m_environment;
}

retry::Transport& CheckoutSession::wire()
{
    return m_faulty ? static_cast<retry::Transport&>(*m_faulty) : m_transport;
}

void CheckoutSession::start()
{
    m_again.stop();
    if (m_started)
        askCart();
    else
        askPolicy();
}

void CheckoutSession::shopCameBack()
{
    if (m_again.isActive())
        start();
    m_runner.networkCameBack();
}

void CheckoutSession::askPolicy()
{
    m_shop.fetchPolicy([this](const auto& policy) { policyCame(policy); });
}

void CheckoutSession::policyCame(const values::Result<protocol::Policy, transport::ShopFailure>& policy)
{
    if (!policy)
        return askAgainAfter(policy.error().error);
    m_started = true;
    m_runner.serverTimeSeen(policy->time);
    m_here = {policy->account, policy->serverId};
    m_runner.start(m_here);
    askCart();
}

void CheckoutSession::askCart()
{
    m_shop.fetchCart([this](const auto& cart) { cartCame(cart); });
}

void CheckoutSession::cartCame(const values::Result<protocol::Cart, transport::ShopFailure>& cart)
{
    if (!cart)
        return askAgainAfter(cart.error().error);
    m_failures = 0;
    m_viewModel.showCart(shown(*cart));
}

/// Evidence for support, to the server and account it belongs to only (docs/client.md, invariants 10 and 14).
void CheckoutSession::reportWhenOver()
{
    const retry::Snapshot& snapshot = m_runner.snapshot();
    if (!snapshot.action || !retry::isOver(snapshot.state) || snapshot.action->scope != m_here)
        return;
    const std::pair over(snapshot.action->id, snapshot.state);
    if (m_reported == over)
        return;
    m_reported = over;
    m_shop.report(snapshot.action->id, protocol::buildReport(snapshot, m_runner.clockOffset()));
}

void CheckoutSession::askAgainAfter(transport::ShopError error)
{
    ++m_failures;
    const bool quiet = m_failures <= kQuietFailures && problemOf(error) == viewmodels::CartProblem::ShopUnreachable;
    if (!quiet)
        m_viewModel.showCartProblem(problemOf(error));
    m_again.start(quiet ? kSoon : kLater);
}

} // namespace payonce::checkout
