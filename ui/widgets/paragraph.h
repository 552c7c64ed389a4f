// Paragraph: a label whose lines break and stand as far apart as the design says (14/20, 20/28, 12/16).
#pragma once

#include "widgets/theme.h"

#include <QtWidgets/QLabel>

class QTextLayout;

namespace payonce::widgets {

/// Plain text only. `text()` is what a screen reader and a test see.
class Paragraph : public QLabel
{
    Q_OBJECT

public:
    Paragraph(const QString& text, TextRole role, QWidget* parent);

    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    /// Breaks the text into lines of `width`; returns how many.
    int breakLines(QTextLayout& layout, int width) const;

    int m_lineHeight;
};

} // namespace payonce::widgets
