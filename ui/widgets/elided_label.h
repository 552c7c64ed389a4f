// ElidedLabel: one line that ends in "…" where there is no room, with the whole text as tool tip.
#pragma once

#include "widgets/theme.h"

#include <QtWidgets/QLabel>

namespace payonce::widgets {

class ElidedLabel : public QLabel
{
    Q_OBJECT

public:
    ElidedLabel(const QString& text, TextRole role, QWidget* parent);

    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace payonce::widgets
