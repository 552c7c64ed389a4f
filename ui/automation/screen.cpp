#include "automation/screen.h"

#include "values/check.h"

#include <QtCore/QJsonDocument>

namespace payonce::automation {

void Screen::add(QWidget& window, std::function<QString()> stateJson)
{
    std::erase_if(m_windows, [](const Window& known) { return known.widget.isNull(); });
    CHECK(m_windows.size() < kMostWindows);
    m_windows.push_back({&window, std::move(stateJson)});
    Q_EMIT changed();
}

std::optional<QJsonObject> Screen::stateOf(const QString& window) const
{
    for (const auto& known : m_windows)
        if (!known.widget.isNull() && (window.isEmpty() || known.widget->objectName() == window))
            return QJsonDocument::fromJson(known.stateJson().toUtf8()).object();
    return {};
}

} // namespace payonce::automation
