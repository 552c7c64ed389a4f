// Small building blocks: labels, rules and buttons that look the same in every window.
#pragma once

#include "widgets/theme.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QTimer>
#include <QtWidgets/QFrame>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>

namespace payonce::widgets {

enum class Tone { Plain, Quiet, Wrong };
enum class Look { Primary, Second, Link };
/// First: Alt and the first letter of the words press the button.
enum class Mnemonic { None, First };

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
    void setWords(const QString& words, Mnemonic mnemonic = Mnemonic::None);
    /// Says something else for a moment, e.g. "Copied", to eyes and ears; then what it said before, or new words sooner.
    void sayBriefly(const QString& words);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    [[nodiscard]] bool saysSomethingNew() const;
    void showWords();

    Look m_look;
    QString m_words;
    QString m_name; ///< the accessible name that comes back after a brief word
    Mnemonic m_mnemonic = Mnemonic::None;
    QTimer m_briefly;
    QElapsedTimer m_sinceWords;
};

} // namespace payonce::widgets
