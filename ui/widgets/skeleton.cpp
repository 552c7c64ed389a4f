#include "widgets/skeleton.h"

#include <QtGui/QPainter>

#include <array>

namespace payonce::widgets {

namespace {

constexpr int kHeight = 148;
constexpr qreal kBar = 12;
constexpr qreal kAmountShare = 0.12;

struct Bar
{
    qreal top;
    qreal share; ///< of the width
};
constexpr std::array kBars = {Bar{4, 0.42}, Bar{24, 0.2}, Bar{56, 0.5}, Bar{76, 0.2}, Bar{128, 0.16}};

} // namespace

Skeleton::Skeleton(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme)
{
    setFixedHeight(kHeight);
    connect(&theme, &Theme::changed, this, [this] { update(); });
}

void Skeleton::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.tokens().line);
    const qreal amount = width() * kAmountShare;
    for (const Bar& bar : kBars)
        painter.drawRoundedRect(QRectF(0, bar.top, width() * bar.share, kBar), kBar / 2, kBar / 2);
    for (const qreal top : {kBars[0].top, kBars[2].top, kBars[4].top})
        painter.drawRoundedRect(QRectF(width() - amount, top, amount, kBar), kBar / 2, kBar / 2);
}

} // namespace payonce::widgets
