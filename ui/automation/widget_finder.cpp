#include "automation/widget_finder.h"

#include <QtWidgets/QApplication>

#include <algorithm>

namespace payonce::automation {

namespace {

bool isIn(const QWidget& widget, const QString& window)
{
    return window.isEmpty() || widget.window()->objectName() == window;
}

/// What Qt names for itself, e.g. the viewport of a scroll area.
bool isQtsOwn(const QString& name)
{
    return name.startsWith(QLatin1String("qt_"));
}

} // namespace

Outcome<QWidget*> findOne(const QString& name, const QString& window)
{
    QList<QWidget*> all;
    QList<QWidget*> visible;
    for (auto* widget : QApplication::allWidgets()) {
        if (widget->objectName() != name || !isIn(*widget, window))
            continue;
        all.append(widget);
        if (widget->isVisible())
            visible.append(widget);
    }
    const auto& candidates = visible.isEmpty() ? all : visible;
    if (candidates.isEmpty() || name.isEmpty())
        return refuse(RefusalKind::NotFound, QStringLiteral("no widget is called \"%1\"").arg(name));
    if (candidates.size() > 1)
        return refuse(RefusalKind::Ambiguous, QStringLiteral("%1 widgets are called \"%2\"").arg(candidates.size()).arg(name));
    return candidates.constFirst();
}

QList<QWidget*> namedWidgets(const QString& window)
{
    QList<QWidget*> named;
    for (auto* widget : QApplication::allWidgets())
        if (!widget->objectName().isEmpty() && !isQtsOwn(widget->objectName()) && isIn(*widget, window))
            named.append(widget);
    std::sort(named.begin(), named.end(), [](const QWidget* a, const QWidget* b) { return a->objectName() < b->objectName(); });
    return named;
}

} // namespace payonce::automation
