#include "viewmodels/runner_payment_control.h"

namespace payonce::viewmodels {

RunnerPaymentControl::RunnerPaymentControl(runner::ActionRunner& runner, runner::Environment& environment, QObject* parent)
    : PaymentControl(parent), m_runner(runner), m_environment(environment)
{
    connect(&runner, &runner::ActionRunner::snapshotChanged, this, &PaymentControl::snapshotChanged);
    connect(&runner, &runner::ActionRunner::ready, this, &PaymentControl::ready);
    connect(&runner, &runner::ActionRunner::journalFailed, this, &PaymentControl::journalFailed);
}

const retry::Snapshot& RunnerPaymentControl::snapshot() const
{
    return m_runner.snapshot();
}

values::Now RunnerPaymentControl::now() const
{
    return m_environment.now();
}

void RunnerPaymentControl::pay(const retry::Purchase& purchase, const retry::Card& card)
{
    m_runner.pay(purchase, card);
}

void RunnerPaymentControl::tryAgain()
{
    m_runner.tryAgain();
}

void RunnerPaymentControl::checkAgain()
{
    m_runner.checkAgain();
}

void RunnerPaymentControl::cancel()
{
    m_runner.cancel();
}

void RunnerPaymentControl::acknowledge()
{
    m_runner.acknowledge();
}

void RunnerPaymentControl::startOver()
{
    m_runner.startOver();
}

} // namespace payonce::viewmodels
