#include "widgets/brand_mark.h"

#include <QtGui/QPainter>

namespace payonce::widgets {

namespace {

constexpr int kWidth = 40;
constexpr int kHeight = 24;

void paintWord(QPainter& painter, const QRect& rect, const QString& word, const QColor& color)
{
    QFont font = fontFor(TextRole::Strong);
    font.setItalic(true);
    font.setWeight(QFont::ExtraBold);
    painter.setFont(font);
    painter.setPen(color);
    painter.drawText(rect, Qt::AlignRight | Qt::AlignVCenter, word);
}

void paintCircles(QPainter& painter, const QRect& rect)
{
    constexpr qreal kRadius = 9;
    constexpr qreal kApart = 11;
    const QPointF right(rect.right() + 1 - kRadius, rect.center().y() + 0.5);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(0xEB001B));
    painter.drawEllipse(right - QPointF(kApart, 0), kRadius, kRadius);
    painter.setBrush(QColor(0xF7, 0x9E, 0x1B, 0xE0));
    painter.drawEllipse(right, kRadius, kRadius);
}

void paintOutline(QPainter& painter, const QRect& rect, const QColor& color)
{
    const QRectF card = QRectF(rect).adjusted(10.75, 2.75, -0.75, -2.75);
    painter.setPen(QPen(color, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(card, 3, 3);
    painter.fillRect(QRectF(card.left(), card.top() + 4.5, card.width(), 3), color);
}

} // namespace

BrandMark::BrandMark(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme)
{
    setFixedSize(kWidth, kHeight);
    connect(&theme, &Theme::changed, this, [this] { update(); });
}

void BrandMark::setBrand(viewmodels::CardBrand brand)
{
    if (m_brand == brand)
        return;
    m_brand = brand;
    update();
}

QSize BrandMark::sizeHint() const
{
    return {kWidth, kHeight};
}

void BrandMark::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool dark = &m_theme.tokens() == &darkTokens();
    switch (m_brand) {
    case viewmodels::CardBrand::Visa:
        paintWord(painter, rect(), QStringLiteral("VISA"), dark ? m_theme.tokens().accent : QColor(0x1A1F71));
        return;
    case viewmodels::CardBrand::Mastercard: paintCircles(painter, rect()); return;
    case viewmodels::CardBrand::Amex:
        paintWord(painter, rect(), QStringLiteral("AMEX"), dark ? m_theme.tokens().accent : QColor(0x016FD0));
        return;
    case viewmodels::CardBrand::Other: paintOutline(painter, rect(), m_theme.tokens().muted); return;
    }
}

} // namespace payonce::widgets
