#include "checkout/headless_run.h"

#include "retry/action.h"
#include "widgets/object_names.h"

#include <QtCore/QFileInfo>
#include <QtCore/QJsonDocument>
#include <QtWidgets/QAbstractButton>

namespace payonce::checkout {

HeadlessRun::HeadlessRun(QWidget& window, viewmodels::CheckoutViewModel& viewModel, QObject* parent)
    : QObject(parent), m_window(window), m_viewModel(viewModel)
{
    m_limit.setSingleShot(true);
    m_look.setSingleShot(true);
    m_look.setInterval(0);
    connect(&m_limit, &QTimer::timeout, this, &HeadlessRun::finish);
    connect(&m_look, &QTimer::timeout, this, &HeadlessRun::look);
    connect(&m_viewModel, &viewmodels::CheckoutViewModel::changed, &m_look, qOverload<>(&QTimer::start));
}

void HeadlessRun::start(const QString& screenshot, std::chrono::seconds limit)
{
    m_screenshot = screenshot;
    m_limit.start(limit);
    m_look.start();
}

void HeadlessRun::look()
{
    if (m_ended)
        return;
    if (isFinalState(m_viewModel.stateName()))
        finish();
    else if (!m_pressed && m_viewModel.isPayEnabled())
        press();
}

void HeadlessRun::press()
{
    auto* button = m_window.findChild<QAbstractButton*>(widgets::names::kPay);
    if (button == nullptr || !button->isEnabled())
        return;
    m_pressed = true;
    m_sincePress.start();
    button->click();
}

void HeadlessRun::finish()
{
    if (m_ended)
        return;
    m_ended = true;
    m_limit.stop();
    HeadlessResult result;
    result.state = m_viewModel.stateName();
    result.reference = m_viewModel.reference();
    result.actionId = QJsonDocument::fromJson(m_viewModel.stateJson().toUtf8())[QLatin1String("action_id")].toString();
    if (m_pressed && isFinalState(result.state))
        result.confirmMs = m_sincePress.elapsed();
    if (m_window.grab().save(m_screenshot, "PNG"))
        result.screenshot = QFileInfo(m_screenshot).absoluteFilePath();
    Q_EMIT ended(result);
}

bool isFinalState(const QString& state)
{
    for (const auto final : {retry::State::Paid, retry::State::Declined, retry::State::NotCharged, retry::State::Cancelled})
        if (state == QLatin1String(retry::nameOf(final)))
            return true;
    return false;
}

} // namespace payonce::checkout
