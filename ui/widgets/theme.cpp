#include "widgets/theme.h"

#include <QtCore/QEvent>
#include <QtGui/QFontDatabase>
#include <QtWidgets/QApplication>
#include <QtWidgets/QWidget>

namespace payonce::widgets {

namespace {

constexpr int kBodySize = 14;
constexpr int kSmallSize = 12;
constexpr int kTitleSize = 20;
constexpr int kBrandSize = 15;
constexpr int kTotalSize = 16;
constexpr int kHoverShade = 108;
constexpr int kPressShade = 120;

QFont baseFont(int pixels, QFont::Weight weight)
{
    static const bool hasInter = QFontDatabase::hasFamily(QStringLiteral("Inter"));
    QFont font = hasInter ? QFont(QStringLiteral("Inter")) : QApplication::font();
    font.setPixelSize(pixels);
    font.setWeight(weight);
#if QT_VERSION >= QT_VERSION_CHECK(6, 7, 0)
    font.setFeature(QFont::Tag("tnum"), 1);
#endif
    return font;
}

// %1 ground, %2 surface, %3 text, %4 muted, %5 line, %6 accent, %7 on accent, %8 accent hovered, %9 accent pressed, %10 bad
const QString& sheetPattern()
{
    static const QString pattern = QStringLiteral(R"(
#checkout, QScrollArea, QScrollArea > QWidget > QWidget { background: %1; }
QScrollArea { border: none; }
QLabel { color: %3; background: transparent; }
QLabel[tone="quiet"] { color: %4; }
QLabel[tone="wrong"] { color: %10; }
QFrame[part="header"] { background: %2; border: none; border-bottom: 1px solid %5; }
QFrame[part="card"] { background: %2; border: 1px solid %5; border-radius: 12px; }
QFrame[part="rule"] { background: %5; border: none; min-height: 1px; max-height: 1px; }
QLineEdit { background: transparent; color: %3; border: none; padding: 0; lineedit-password-character: 8226; selection-background-color: %6; selection-color: %7; }
QPushButton { border-radius: 8px; outline: none; }
QPushButton[look="primary"] { background: %6; color: %7; border: 2px solid %6; min-height: 40px; padding: 0 16px; }
QPushButton[look="primary"]:hover { background: %8; border-color: %8; }
QPushButton[look="primary"]:pressed { background: %9; border-color: %9; }
QPushButton[look="primary"]:disabled { background: %5; color: %4; border-color: %5; }
QPushButton[look="second"] { background: %2; color: %3; border: 1px solid %5; min-height: 34px; padding: 0 16px; }
QPushButton[look="second"]:hover { border-color: %4; }
QPushButton[look="second"]:focus { border-color: %6; }
QPushButton[look="link"] { background: transparent; color: %6; border: none; padding: 2px 0; }
QPushButton[look="link"]:hover, QPushButton[look="link"]:focus { text-decoration: underline; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar::handle:vertical { background: %5; border-radius: 4px; min-height: 32px; margin: 1px; }
QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page { background: transparent; height: 0; }
)");
    return pattern;
}

QString sheetFor(const Tokens& tokens)
{
    return sheetPattern()
        .arg(tokens.ground.name(), tokens.surface.name(), tokens.text.name(), tokens.muted.name(), tokens.line.name(),
             tokens.accent.name(), tokens.onAccent.name(), tokens.accent.darker(kHoverShade).name(),
             tokens.accent.darker(kPressShade).name())
        .arg(tokens.bad.name());
}

QPalette paletteFor(const Tokens& tokens)
{
    QPalette palette;
    palette.setColor(QPalette::Window, tokens.ground);
    palette.setColor(QPalette::WindowText, tokens.text);
    palette.setColor(QPalette::Base, tokens.surface);
    palette.setColor(QPalette::Text, tokens.text);
    palette.setColor(QPalette::PlaceholderText, tokens.muted);
    palette.setColor(QPalette::Button, tokens.surface);
    palette.setColor(QPalette::ButtonText, tokens.text);
    palette.setColor(QPalette::Highlight, tokens.accent);
    palette.setColor(QPalette::HighlightedText, tokens.onAccent);
    palette.setColor(QPalette::ToolTipBase, tokens.surface);
    palette.setColor(QPalette::ToolTipText, tokens.text);
    return palette;
}

} // namespace

const Tokens& lightTokens()
{
    static const Tokens tokens{QColor(0xF5F6F8), QColor(0xFFFFFF), QColor(0x141821), QColor(0x5B6472), QColor(0xE2E5EA),
                               QColor(0x3B5BFD), QColor(0xFFFFFF), QColor(0x12805C), QColor(0x9A5B00), QColor(0xC0362C)};
    return tokens;
}

const Tokens& darkTokens()
{
    static const Tokens tokens{QColor(0x0F1218), QColor(0x181C24), QColor(0xE8EBF0), QColor(0x9AA3B2), QColor(0x2A303B),
                               QColor(0x8A9DFF), QColor(0x0F1218), QColor(0x3CCB9A), QColor(0xF0B254), QColor(0xFF7A70)};
    return tokens;
}

const Tokens& tokensFor(const QPalette& system)
{
    const bool dark = system.color(QPalette::Window).lightness() < system.color(QPalette::WindowText).lightness();
    return dark ? darkTokens() : lightTokens();
}

QFont fontFor(TextRole role)
{
    switch (role) {
    case TextRole::Title: return baseFont(kTitleSize, QFont::DemiBold);
    case TextRole::Brand: return baseFont(kBrandSize, QFont::Bold);
    case TextRole::Body: return baseFont(kBodySize, QFont::Normal);
    case TextRole::Strong: return baseFont(kBodySize, QFont::DemiBold);
    case TextRole::Total: return baseFont(kTotalSize, QFont::DemiBold);
    case TextRole::Small: return baseFont(kSmallSize, QFont::Normal);
    }
    return {};
}

int lineHeightFor(TextRole role)
{
    switch (role) {
    case TextRole::Title: return 28;
    case TextRole::Brand:
    case TextRole::Body:
    case TextRole::Strong: return 20;
    case TextRole::Total: return 24;
    case TextRole::Small: return 16;
    }
    return 0;
}

Theme::Theme(QWidget& window) : QObject(&window), m_window(window), m_tokens(&tokensFor(QApplication::palette()))
{
    qApp->installEventFilter(this);
    apply();
}

bool Theme::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::ApplicationPaletteChange && watched == qApp) {
        const Tokens* tokens = &tokensFor(QApplication::palette());
        if (tokens != m_tokens) {
            m_tokens = tokens;
            apply();
            Q_EMIT changed();
        }
    }
    return QObject::eventFilter(watched, event);
}

void Theme::apply()
{
    m_window.setPalette(paletteFor(*m_tokens));
    m_window.setStyleSheet(sheetFor(*m_tokens));
}

} // namespace payonce::widgets
