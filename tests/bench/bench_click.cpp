#include "bench/bench_click.h"

#include "runner/action_runner.h"
#include "runner/system_environment.h"
#include "support/fake_journal.h"
#include "values/check.h"
#include "viewmodels/checkout_view_model.h"
#include "viewmodels/runner_payment_control.h"
#include "widgets/checkout_window.h"
#include "widgets/object_names.h"

#include <QtCore/QEventLoop>
#include <QtTest/QTest>
#include <QtWidgets/QAbstractButton>

namespace payonce::bench {

namespace {

constexpr int kRuns = 120;
constexpr Microseconds kOneFrame(16'700);

/// No network: nothing may be sent while the save hangs, so every call is a broken belief.
class NoTransport : public retry::Transport
{
public:
    void post(const retry::PostRequest& /*request*/, std::function<void(retry::WireResult)> /*done*/) override { CHECK(false); }
    void abortPost(retry::EndReason /*reason*/) override {}
    void probe(const retry::ProbeRequest& /*request*/, std::function<void(retry::WireResult)> /*done*/) override
    {
        CHECK(false);
    }
    void abortProbe(retry::EndReason /*reason*/) override {}
    void exchangeCard(const retry::Card& /*card*/, std::function<void(retry::ExchangeResult)> /*done*/) override
    {
        CHECK(false);
    }
};

/// Says when the watched button has painted what it says now.
class PaintWatch : public QObject
{
public:
    PaintWatch(QAbstractButton& button, QString wanted) : m_button(button), m_wanted(std::move(wanted))
    {
        button.installEventFilter(this);
    }

    Microseconds waitSince(BenchClock::time_point start)
    {
        m_start = start;
        if (!m_painted)
            m_wait.exec();
        return *m_painted;
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() != QEvent::Paint || m_button.text() != m_wanted || m_painted)
            return QObject::eventFilter(watched, event);
        watched->removeEventFilter(this);
        watched->event(event); // paint first, then look at the clock
        m_painted = since(m_start);
        m_wait.quit();
        return true;
    }

private:
    QAbstractButton& m_button;
    QString m_wanted;
    BenchClock::time_point m_start;
    std::optional<Microseconds> m_painted;
    QEventLoop m_wait;
};

viewmodels::Cart cart()
{
    const auto euro = values::Currency::fromCode("EUR");
    CHECK(euro);
    return {QStringLiteral("cart_1"), {{QStringLiteral("Field notebook"), 2, {3529, *euro}}}, {671, *euro}, {4200, *euro}};
}

Microseconds clickToPainted()
{
    // A disk that does not answer for as long as the measurement runs.
    const auto disk = std::make_shared<support::FakeDisk>();
    disk->hold(support::JournalCall::SaveAction);
    disk->failNext(support::JournalCall::SaveAction, retry::JournalError::DiskFull);
    NoTransport transport;
    runner::SystemEnvironment environment;
    runner::ActionRunner runner(std::make_unique<support::FakeJournal>(disk), transport, environment, {});
    viewmodels::RunnerPaymentControl control(runner, environment);
    viewmodels::CheckoutViewModel viewModel(control);
    widgets::CheckoutOptions options;
    options.fields = {QStringLiteral("you@example.com"), QStringLiteral("4242424242424242"), QStringLiteral("12 / 31"),
                      QStringLiteral("123")};
    widgets::CheckoutWindow window(viewModel, options);
    viewModel.showCart(cart());
    window.resize(1280, 800);
    window.show();
    runner.start({"acct_bench", "srv_bench"});
    auto* pay = window.findChild<QAbstractButton*>(QLatin1String(widgets::names::kPay));
    CHECK(pay != nullptr);
    CHECK(QTest::qWaitForWindowExposed(&window));
    CHECK(QTest::qWaitFor([pay] { return pay->isEnabled(); }));
    PaintWatch watch(*pay, QStringLiteral("Processing…"));
    const auto start = BenchClock::now();
    QTest::mouseClick(pay, Qt::LeftButton);
    const auto painted = watch.waitSince(start);
    CHECK(!pay->isEnabled());
    disk->release();
    return painted;
}

} // namespace

std::vector<Figure> benchClick()
{
    Samples samples;
    for (int run = 0; run < kRuns; ++run)
        samples.add(clickToPainted());
    return {heldAgainst("Click to painted \"Processing…\" while the first save hangs in the disk", samples, 99, kOneFrame)};
}

} // namespace payonce::bench
