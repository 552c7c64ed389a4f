// Small building blocks: labels, rules and buttons that look the same in every window.
#pragma once

#include "widgets/theme.h"

#include <QtCore/QElapsedTimer>
#include <QtWidgets/QFrame>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>

namespace payonce::widgets {

enum class Tone { Plain, Quiet, Wrong };
enum class Look { Primary, Second, Link };

/// Plain text only: what comes from the network is never read as markup.
[[nodiscard]] QLabel* makeLabel(const QString& text, TextRole role, Tone tone, QWidget* parent);
/// As makeLabel, with lines that break.
[[nodiscard]] QLabel* makeParagraph(const QString& text, TextRole role, Tone tone, QWidget* parent);
/// A thin line across.
[[nodiscard]] QFrame* makeRule(QWidget* parent);
/// A frame dressed by the style sheet: `header` or `card`.
[[nodiscard]] QFrame* makeFrame(const char* part, QWidget* parent);

/// A button that Enter presses too, and that a double click presses once: the second half of a double click that began
/// on another button in the same place does nothing, nor does a key that is held down. A key that follows new words faster
/// than a double click was meant for the old ones, and does nothing either.
class CalmButton : public QPushButton
{
    Q_OBJECT

public:
    CalmButton(Look look, QLatin1String name, QWidget* parent);

    /// Text and accessible name are one.
    void setWords(const QString& words);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    [[nodiscard]] bool saysSomethingNew() const;

    Look m_look;
    QElapsedTimer m_sinceWords;
};

} // namespace payonce::widgets
