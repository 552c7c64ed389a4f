#include "widgets/app_icon.h"

#include "widgets/theme.h"

#include <QtGui/QPainter>
#include <QtGui/QPainterPath>

namespace payonce::widgets {

namespace {

constexpr qreal kCanvas = 128;

QPixmap picture(int size)
{
    QPixmap pixmap(size, size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(size / kCanvas, size / kCanvas);
    painter.setPen(Qt::NoPen);
    painter.setBrush(lightTokens().accent);
    painter.drawRoundedRect(QRectF(4, 4, 120, 120), 28, 28);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(QColor(0xFF, 0xFF, 0xFF, 0x59), 8));
    painter.drawEllipse(QPointF(64, 64), 38, 38);
    QPainterPath tick(QPointF(45, 65));
    tick.lineTo(59, 79);
    tick.lineTo(85, 51);
    painter.setPen(QPen(Qt::white, 11, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPath(tick);
    return pixmap;
}

} // namespace

QIcon appIcon()
{
    QIcon icon;
    for (const int size : {16, 24, 32, 48, 64, 128, 256})
        icon.addPixmap(picture(size));
    return icon;
}

} // namespace payonce::widgets
