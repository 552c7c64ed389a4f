// HeadlessRun: one payment without a person: press Pay once, wait for the end, take the picture.
#pragma once

#include "viewmodels/checkout_view_model.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QObject>
#include <QtCore/QTimer>
#include <QtWidgets/QWidget>

#include <chrono>
#include <optional>

namespace payonce::checkout {

/// What the person would have seen at the end.
struct HeadlessResult
{
    QString state;
    QString actionId; ///< empty: nothing was ever started
    QString reference;
    std::optional<qint64> confirmMs; ///< from the press to a final state; none without both
    QString screenshot;              ///< empty: the picture could not be written
};

/// Presses `checkout.pay` as soon as it can be pressed, once, and never where an earlier payment is being resumed.
/// Ends in a final state, or after the limit in whatever state there is.
class HeadlessRun : public QObject
{
    Q_OBJECT

public:
    /// Both must outlive this.
    HeadlessRun(QWidget& window, viewmodels::CheckoutViewModel& viewModel, QObject* parent = nullptr);

    void start(const QString& screenshot, std::chrono::seconds limit);

Q_SIGNALS:
    void ended(const payonce::checkout::HeadlessResult& result);

private:
    void look();
    void press();
    void finish();

    QWidget& m_window;
    viewmodels::CheckoutViewModel& m_viewModel;
    QTimer m_limit;
    QTimer m_look; ///< single shot, 0 ms: the window has followed the view model by then
    QElapsedTimer m_sincePress;
    QString m_screenshot;
    bool m_pressed = false;
    bool m_ended = false;
};

/// Paid, Declined or Cancelled.
[[nodiscard]] bool isFinalState(const QString& state);

} // namespace payonce::checkout
