// RunnerPaymentControl: the real client behind the screen.
#pragma once

#include "runner/action_runner.h"
#include "viewmodels/payment_control.h"

namespace payonce::viewmodels {

/// Passes everything to an ActionRunner and its clock; both must outlive it.
class RunnerPaymentControl : public PaymentControl
{
    Q_OBJECT

public:
    RunnerPaymentControl(runner::ActionRunner& runner, runner::Environment& environment, QObject* parent = nullptr);

    [[nodiscard]] const retry::Snapshot& snapshot() const override;
    [[nodiscard]] values::Now now() const override;

    void pay(const retry::Purchase& purchase, const retry::Card& card) override;
    void tryAgain() override;
    void checkAgain() override;
    void cancel() override;
    void startOver() override;
    void acknowledge() override;

private:
    runner::ActionRunner& m_runner;
    runner::Environment& m_environment;
};

} // namespace payonce::viewmodels
