// CheckoutSession: the client of one shop, wired: wire, journal, runner, and what the screen shows of them.
#pragma once

#include "points/faulty_transport.h"
#include "points/stepped_environment.h"
#include "runner/action_runner.h"
#include "runner/system_environment.h"
#include "storage/presence.h"
#include "transport/http_transport.h"
#include "transport/shop_client.h"
#include "viewmodels/checkout_view_model.h"
#include "viewmodels/runner_payment_control.h"

#include <QtCore/QObject>
#include <QtCore/QTimer>

#include <cstdint>
#include <memory>
#include <optional>

namespace payonce::checkout {

struct SessionSetup
{
    transport::ShopAddress address;
    QString journalFile;
    std::shared_ptr<storage::Presence> presence; ///< among the processes that use that file
    std::optional<std::uint64_t> seed{};
    retry::Numbers numbers{};
    std::shared_ptr<points::FaultPoints> faults{}; ///< none: the client as it is
};

/// start() asks the shop who it is and whom it takes us for, resumes what the journal holds under exactly that, and
/// fetches the cart. A shop that does not answer is asked again, every half second at first, then every five.
class CheckoutSession : public QObject
{
    Q_OBJECT

public:
    explicit CheckoutSession(const SessionSetup& setup, QObject* parent = nullptr);

    void start();
    /// The shop answers again: a reason to try sooner, never more.
    void shopCameBack();

    [[nodiscard]] viewmodels::CheckoutViewModel& viewModel() { return m_viewModel; }

Q_SIGNALS:
    /// Nothing can be paid with this journal.
    void journalFailed(payonce::retry::JournalError error);

private:
    void askPolicy();
    void policyCame(const values::Result<protocol::Policy, transport::ShopFailure>& policy);
    void askCart();
    void cartCame(const values::Result<protocol::Cart, transport::ShopFailure>& cart);
    void askAgainAfter(transport::ShopError error);
    void reportWhenOver();

    [[nodiscard]] runner::Environment& environment();
    [[nodiscard]] retry::Transport& wire();

    runner::SystemEnvironment m_environment;
    std::unique_ptr<points::SteppedEnvironment> m_stepped; ///< only with faults, as m_faulty
    transport::ShopClient m_shop;
    transport::HttpTransport m_transport;
    std::unique_ptr<points::FaultyTransport> m_faulty;
    runner::ActionRunner m_runner; // ends before the transport it uses
    viewmodels::RunnerPaymentControl m_control;
    viewmodels::CheckoutViewModel m_viewModel;
    QTimer m_again;
    int m_failures = 0;     ///< in a row
    bool m_started = false; ///< the runner has its scope
    retry::Scope m_here;
    std::optional<std::pair<values::ActionId, retry::State>> m_reported; ///< the newest one
};

} // namespace payonce::checkout
