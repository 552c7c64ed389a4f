#include "widgets/state_mark.h"

#include <QtGui/QPainter>
#include <QtGui/QPainterPath>

namespace payonce::widgets {

namespace {

using viewmodels::Mood;

constexpr int kSize = 28;
constexpr qreal kStroke = 3;
constexpr std::chrono::milliseconds kFrame(16);
constexpr qint64 kTurnMs = 1000;
constexpr int kDegree = 16; // QPainter counts in sixteenths of a degree
constexpr int kArc = 100 * kDegree;
constexpr int kTop = 90 * kDegree;
constexpr int kCircle = 360 * kDegree;

QPainterPath tick()
{
    QPainterPath path(QPointF(8.5, 14.5));
    path.lineTo(12.5, 18.5);
    path.lineTo(19.5, 10.5);
    return path;
}

QPainterPath cross()
{
    QPainterPath path(QPointF(10, 10));
    path.lineTo(18, 18);
    path.moveTo(18, 10);
    path.lineTo(10, 18);
    return path;
}

QPainterPath exclamation()
{
    QPainterPath path(QPointF(14, 8));
    path.lineTo(14, 15);
    path.moveTo(14, 19.5);
    path.lineTo(14, 19.6);
    return path;
}

void paintDisc(QPainter& painter, const QColor& color, const QColor& ink, const QPainterPath& sign)
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawEllipse(QRectF(1, 1, kSize - 2, kSize - 2));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(ink, 2.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPath(sign);
}

void paintSpinner(QPainter& painter, const Tokens& tokens, int turned)
{
    const QRectF ring(kStroke, kStroke, kSize - 2 * kStroke, kSize - 2 * kStroke);
    painter.setPen(QPen(tokens.line, kStroke));
    painter.drawEllipse(ring);
    painter.setPen(QPen(tokens.accent, kStroke, Qt::SolidLine, Qt::RoundCap));
    painter.drawArc(ring, kTop - turned, -kArc);
}

} // namespace

StateMark::StateMark(const Theme& theme, Animations animations, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_animations(animations)
{
    setFixedSize(kSize, kSize);
    m_frames.setInterval(kFrame);
    connect(&m_frames, &QTimer::timeout, this, [this] { update(); });
    connect(&theme, &Theme::changed, this, [this] { update(); });
    m_clock.start();
}

void StateMark::setMood(Mood mood)
{
    m_mood = mood;
    followMood();
    update();
}

void StateMark::followMood()
{
    if (m_mood == Mood::Working && m_animations == Animations::On && isVisible())
        m_frames.start();
    else
        m_frames.stop();
}

void StateMark::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    followMood();
}

void StateMark::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    m_frames.stop();
}

void StateMark::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Tokens& tokens = m_theme.tokens();
    const qint64 part = m_animations == Animations::On ? m_clock.elapsed() % kTurnMs : 0;
    switch (m_mood) {
    case Mood::Working: paintSpinner(painter, tokens, static_cast<int>(part * kCircle / kTurnMs)); return;
    case Mood::Good: paintDisc(painter, tokens.good, tokens.surface, tick()); return;
    case Mood::Refused: paintDisc(painter, tokens.bad, tokens.surface, cross()); return;
    case Mood::Closed: paintDisc(painter, tokens.muted, tokens.surface, cross()); return;
    case Mood::Attention: paintDisc(painter, tokens.warning, tokens.surface, exclamation()); return;
    }
}

} // namespace payonce::widgets
