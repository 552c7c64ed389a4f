#include "widgets/paragraph.h"

#include <QtGui/QPainter>
#include <QtGui/QTextLayout>

#include <algorithm>

namespace payonce::widgets {

namespace {

constexpr int kPreferredWidth = 320;
constexpr int kNarrowest = 160;

} // namespace

Paragraph::Paragraph(const QString& text, TextRole role, QWidget* parent)
    : QLabel(text, parent), m_lineHeight(lineHeightFor(role))
{
    setTextFormat(Qt::PlainText);
    setFont(fontFor(role));
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

int Paragraph::breakLines(QTextLayout& layout, int width) const
{
    QTextOption option(alignment());
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    layout.beginLayout();
    int count = 0;
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(std::max(width, 1));
        const qreal lead = (m_lineHeight - line.height()) / 2;
        line.setPosition(QPointF(0, count * m_lineHeight + lead));
        ++count;
    }
    layout.endLayout();
    return count;
}

int Paragraph::heightForWidth(int width) const
{
    QTextLayout layout(text(), font());
    return std::max(breakLines(layout, width), 1) * m_lineHeight;
}

QSize Paragraph::sizeHint() const
{
    return {kPreferredWidth, heightForWidth(kPreferredWidth)};
}

QSize Paragraph::minimumSizeHint() const
{
    return {kNarrowest, m_lineHeight};
}

void Paragraph::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    QTextLayout layout(text(), font());
    breakLines(layout, width());
    layout.draw(&painter, QPointF(0, 0));
}

} // namespace payonce::widgets
