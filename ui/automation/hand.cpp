#include "automation/hand.h"

#include <QtCore/QPointer>
#include <QtGui/QKeyEvent>
#include <QtGui/QMouseEvent>
#include <QtGui/QWindow>
#include <QtWidgets/QApplication>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QScrollArea>

namespace payonce::automation {

namespace {

QString quoted(const QWidget& widget)
{
    return QLatin1Char('"') + widget.objectName() + QLatin1Char('"');
}

void scrollTo(QWidget& widget)
{
    for (auto* above = widget.parentWidget(); above != nullptr; above = above->parentWidget())
        if (auto* area = qobject_cast<QScrollArea*>(above))
            area->ensureWidgetVisible(&widget);
}

/// The dialog or menu that takes every press before this widget; null if there is none.
const QWidget* barrierBefore(const QWidget& widget)
{
    for (const auto* barrier : {QApplication::activePopupWidget(), QApplication::activeModalWidget()})
        if (barrier != nullptr && barrier != &widget && !barrier->isAncestorOf(&widget))
            return barrier;
    return nullptr;
}

void sendMouse(QWindow& window, QEvent::Type type, const QPointF& place)
{
    const auto pressed = type == QEvent::MouseButtonPress ? Qt::LeftButton : Qt::NoButton;
    QMouseEvent event(type, place, place, window.mapToGlobal(place), Qt::LeftButton, pressed, Qt::NoModifier);
    QCoreApplication::sendEvent(&window, &event);
}

void sendKey(QWidget& widget, int key, Qt::KeyboardModifiers modifiers, const QString& text)
{
    const QPointer<QWidget> alive(&widget);
    for (const auto type : {QEvent::KeyPress, QEvent::KeyRelease}) {
        QKeyEvent event(type, key, modifiers, text);
        if (alive)
            QCoreApplication::sendEvent(alive, &event);
    }
}

} // namespace

Outcome<QPoint> reach(QWidget& widget)
{
    if (!widget.isVisible())
        return refuse(RefusalKind::Hidden, QStringLiteral("%1 is not visible").arg(quoted(widget)));
    if (!widget.isEnabled())
        return refuse(RefusalKind::Disabled, QStringLiteral("%1 is disabled").arg(quoted(widget)));
    if (const auto* barrier = barrierBefore(widget))
        return refuse(RefusalKind::Covered, QStringLiteral("%1 is before %2").arg(quoted(*barrier), quoted(widget)));
    scrollTo(widget);
    const auto* window = widget.window();
    const auto place = widget.mapTo(window, widget.rect().center());
    if (!window->rect().contains(place) || window->windowHandle() == nullptr)
        return refuse(RefusalKind::Hidden, QStringLiteral("the middle of %1 is out of sight").arg(quoted(widget)));
    const auto* top = window->childAt(place);
    const bool isTop = top == &widget || (top == nullptr ? &widget == window : widget.isAncestorOf(top));
    if (!isTop)
        return refuse(RefusalKind::Covered,
                      QStringLiteral("%1 lies over %2").arg(quoted(*(top != nullptr ? top : window)), quoted(widget)));
    return place;
}

Outcome<void> click(QWidget& widget)
{
    const auto place = reach(widget);
    if (!place)
        return values::Failure(place.error());
    // Through the window, as a real press comes: whatever lies there gets it.
    const QPointer<QWindow> window(widget.window()->windowHandle());
    sendMouse(*window, QEvent::MouseButtonPress, *place);
    if (window)
        sendMouse(*window, QEvent::MouseButtonRelease, *place);
    return {};
}

Outcome<void> type(QWidget& widget, const QString& text)
{
    if (const auto place = reach(widget); !place)
        return values::Failure(place.error());
    const auto* edit = qobject_cast<const QLineEdit*>(&widget);
    if (edit == nullptr)
        return refuse(RefusalKind::BadRequest, QStringLiteral("%1 is no field to type in").arg(quoted(widget)));
    if (edit->isReadOnly())
        return refuse(RefusalKind::Disabled, QStringLiteral("%1 can only be read").arg(quoted(widget)));
    const QPointer<QWidget> alive(&widget);
    widget.setFocus(Qt::OtherFocusReason);
    sendKey(widget, Qt::Key_A, Qt::ControlModifier, {});
    if (alive && text.isEmpty())
        sendKey(widget, Qt::Key_Delete, Qt::NoModifier, {});
    for (const char32_t letter : text.toUcs4())
        if (alive)
            sendKey(widget, 0, Qt::NoModifier, QString::fromUcs4(&letter, 1));
    return {};
}

} // namespace payonce::automation
