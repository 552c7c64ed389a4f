// FakePaymentControl: shows any snapshot, counts what was pressed.
#pragma once

#include "viewmodels/payment_control.h"

#include <utility>
#include <vector>

namespace payonce::tests {

/// pay() answers like the client: the snapshot is Saving when it returns.
class FakePaymentControl : public viewmodels::PaymentControl
{
    Q_OBJECT

public:
    [[nodiscard]] const retry::Snapshot& snapshot() const override { return m_snapshot; }
    [[nodiscard]] values::Now now() const override { return m_now; }

    void pay(const retry::Purchase& purchase, const retry::Card& card) override;
    void tryAgain() override { m_pressed.emplace_back("tryAgain"); }
    void checkAgain() override { m_pressed.emplace_back("checkAgain"); }
    void cancel() override { m_pressed.emplace_back("cancel"); }
    void startOver() override { m_pressed.emplace_back("startOver"); }
    void acknowledge() override { m_pressed.emplace_back("acknowledge"); }

    void show(const retry::Snapshot& snapshot);
    void advance(std::chrono::milliseconds time);

    [[nodiscard]] const std::vector<std::string>& pressed() const { return m_pressed; }
    [[nodiscard]] const std::vector<std::pair<retry::Purchase, retry::Card>>& paid() const { return m_paid; }

private:
    retry::Snapshot m_snapshot;
    values::Now m_now{values::WallTime(std::chrono::milliseconds(1'796'029'200'000)),
                      values::MonotonicTime()}; // 2026-11-30T09:00:00Z
    std::vector<std::string> m_pressed;
    std::vector<std::pair<retry::Purchase, retry::Card>> m_paid;
};

} // namespace payonce::tests
