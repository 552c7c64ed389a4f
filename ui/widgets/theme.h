// Theme: the design tokens of every window, light and dark, in one place.
#pragma once

#include <QtCore/QObject>
#include <QtGui/QColor>
#include <QtGui/QFont>
#include <QtGui/QPalette>

class QWidget;

namespace payonce::widgets {

/// Text on `ground`, `surface` and on its button keeps at least 4.5 : 1 (WCAG 2.2, 1.4.3); a test measures it.
struct Tokens
{
    QColor ground;
    QColor surface;
    QColor text;
    QColor muted;
    QColor line;
    QColor accent;
    QColor onAccent; ///< text on an accent button
    QColor good;
    QColor warning;
    QColor bad;
};

/// Lengths in device-independent pixels; the grid is 8.
inline constexpr int kGrid = 8;
inline constexpr int kCardRadius = 12;
inline constexpr int kFieldRadius = 8;
inline constexpr int kFieldHeight = 40;
inline constexpr int kButtonHeight = 44;
inline constexpr int kCardPadding = 24;

enum class TextRole { Title, Brand, Body, Strong, Total, Small };

[[nodiscard]] const Tokens& lightTokens();
[[nodiscard]] const Tokens& darkTokens();
/// Dark if the window colour of `system` is darker than its text.
[[nodiscard]] const Tokens& tokensFor(const QPalette& system);
/// Inter where it is installed, else the system's font; tabular figures where Qt can ask for them (6.7).
[[nodiscard]] QFont fontFor(TextRole role);
/// Distance of the lines of a paragraph.
[[nodiscard]] int lineHeightFor(TextRole role);

/// Dresses one window and follows the system's palette. `changed` fires when other tokens apply.
class Theme : public QObject
{
    Q_OBJECT

public:
    explicit Theme(QWidget& window);

    [[nodiscard]] const Tokens& tokens() const { return *m_tokens; }

    bool eventFilter(QObject* watched, QEvent* event) override;

Q_SIGNALS:
    void changed();

private:
    void apply();

    QWidget& m_window;
    const Tokens* m_tokens;
};

} // namespace payonce::widgets
