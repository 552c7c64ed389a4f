#include "widgets/progress_line.h"

#include <QtGui/QPainter>

#include <algorithm>

namespace payonce::widgets {

namespace {

using viewmodels::StepStatus;

constexpr int kHeight = 40;
constexpr int kMinimumWidth = 280;
constexpr int kPreferredWidth = 360;
constexpr qreal kDotY = 8;
constexpr qreal kDotRadius = 7;
constexpr qreal kRing = 2.5;
constexpr int kWordTop = 22;

} // namespace

ProgressLine::ProgressLine(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&theme, &Theme::changed, this, [this] { update(); });
}

void ProgressLine::setSteps(const std::vector<viewmodels::Step>& steps)
{
    m_steps = steps;
    QStringList done;
    for (const auto& step : steps)
        if (step.status == StepStatus::Done)
            done += step.text;
    setAccessibleDescription(done.join(QStringLiteral(", ")));
    update();
}

QSize ProgressLine::minimumSizeHint() const
{
    return {kMinimumWidth, kHeight};
}

QSize ProgressLine::sizeHint() const
{
    return {kPreferredWidth, kHeight};
}

qreal ProgressLine::centreOf(std::size_t index) const
{
    const auto gaps = static_cast<qreal>(std::max<std::size_t>(m_steps.size(), 2) - 1);
    const qreal first = kDotRadius + 1;
    return first + (width() - 2 * first) * static_cast<qreal>(index) / gaps;
}

void ProgressLine::paintLines(QPainter& painter) const
{
    for (std::size_t i = 0; i + 1 < m_steps.size(); ++i) {
        const bool passed = m_steps[i].status == StepStatus::Done && m_steps[i + 1].status != StepStatus::Ahead;
        painter.setPen(QPen(passed ? m_theme.tokens().good : m_theme.tokens().line, 2));
        painter.drawLine(QPointF(centreOf(i) + kDotRadius, kDotY), QPointF(centreOf(i + 1) - kDotRadius, kDotY));
    }
}

void ProgressLine::paintDot(QPainter& painter, std::size_t index) const
{
    const Tokens& tokens = m_theme.tokens();
    const QPointF centre(centreOf(index), kDotY);
    const qreal ringRadius = kDotRadius - kRing / 2;
    const StepStatus step = m_steps[index].status;
    switch (step) {
    case StepStatus::Done:
        painter.setPen(Qt::NoPen);
        painter.setBrush(tokens.good);
        painter.drawEllipse(centre, kDotRadius, kDotRadius);
        return;
    case StepStatus::Current:
        painter.setPen(QPen(tokens.accent, kRing + 0.5));
        painter.setBrush(tokens.surface);
        painter.drawEllipse(centre, ringRadius, ringRadius);
        return;
    case StepStatus::Ahead:
        painter.setPen(QPen(tokens.line, kRing));
        painter.setBrush(tokens.surface);
        painter.drawEllipse(centre, ringRadius, ringRadius);
        return;
    case StepStatus::Stopped:
    case StepStatus::Closed:
        painter.setPen(Qt::NoPen);
        painter.setBrush(step == StepStatus::Closed ? tokens.muted : tokens.bad);
        painter.drawEllipse(centre, kDotRadius, kDotRadius);
        return;
    }
}

void ProgressLine::paintWord(QPainter& painter, std::size_t index) const
{
    const auto& step = m_steps[index];
    const bool isNow =
        step.status == StepStatus::Current || step.status == StepStatus::Stopped || step.status == StepStatus::Closed;
    QFont font = fontFor(TextRole::Small);
    font.setWeight(isNow ? QFont::DemiBold : QFont::Normal);
    painter.setFont(font);
    painter.setPen(step.status == StepStatus::Ahead ? m_theme.tokens().muted : m_theme.tokens().text);
    // The first and last word keep to the edges; the others stand under their dot.
    const int room = width() / static_cast<int>(m_steps.size());
    const qreal half = room / 2.0;
    if (index == 0)
        painter.drawText(QRectF(0, kWordTop, room, kHeight - kWordTop), Qt::AlignLeft | Qt::AlignTop, step.text);
    else if (index + 1 == m_steps.size())
        painter.drawText(QRectF(width() - room, kWordTop, room, kHeight - kWordTop), Qt::AlignRight | Qt::AlignTop, step.text);
    else
        painter.drawText(QRectF(centreOf(index) - half, kWordTop, room, kHeight - kWordTop), Qt::AlignHCenter | Qt::AlignTop,
                         step.text);
}

void ProgressLine::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintLines(painter);
    for (std::size_t i = 0; i < m_steps.size(); ++i) {
        paintDot(painter, i);
        paintWord(painter, i);
    }
}

} // namespace payonce::widgets
