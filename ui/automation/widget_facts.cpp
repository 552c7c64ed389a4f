#include "automation/widget_facts.h"

#include <QtCore/QBuffer>
#include <QtCore/QJsonArray>
#include <QtWidgets/QAbstractButton>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QMessageBox>

namespace payonce::automation {

namespace {

/// The words of a button as a person reads them: `&` marks the letter of a key, `&&` is an ampersand.
QString withoutMnemonic(QString text)
{
    for (auto at = text.indexOf(QLatin1Char('&')); at >= 0; at = text.indexOf(QLatin1Char('&'), at + 1))
        text.remove(at, 1);
    return text;
}

QJsonValue textOf(const QWidget& widget)
{
    if (const auto* label = qobject_cast<const QLabel*>(&widget))
        return label->text();
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget))
        return withoutMnemonic(button->text());
    if (const auto* edit = qobject_cast<const QLineEdit*>(&widget))
        return edit->displayText();
    if (const auto* box = qobject_cast<const QMessageBox*>(&widget))
        return box->text();
    return widget.isWindow() ? QJsonValue(widget.windowTitle()) : QJsonValue(QJsonValue::Null);
}

} // namespace

QJsonObject factsOf(const QWidget& widget)
{
    const auto place = widget.mapTo(widget.window(), QPoint(0, 0));
    return {{QStringLiteral("name"), widget.objectName()},
            {QStringLiteral("class"), QString::fromLatin1(widget.metaObject()->className())},
            {QStringLiteral("window"), widget.window()->objectName()},
            {QStringLiteral("visible"), widget.isVisible()},
            {QStringLiteral("enabled"), widget.isEnabled()},
            {QStringLiteral("text"), textOf(widget)},
            {QStringLiteral("rect"), QJsonArray{place.x(), place.y(), widget.width(), widget.height()}}};
}

Outcome<QJsonObject> pictureOf(QWidget& widget)
{
    QByteArray png;
    QBuffer buffer(&png);
    if (!buffer.open(QIODevice::WriteOnly) || !widget.grab().save(&buffer, "PNG"))
        return refuse(RefusalKind::Hidden, QStringLiteral("\"%1\" has no picture").arg(widget.objectName()));
    return QJsonObject{{QStringLiteral("png"), QString::fromLatin1(png.toBase64())}};
}

} // namespace payonce::automation
