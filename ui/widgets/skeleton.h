// Skeleton: pale bars where lines of text will be.
#pragma once

#include "widgets/theme.h"

#include <QtWidgets/QWidget>

namespace payonce::widgets {

/// `theme` must outlive it. Decoration only.
class Skeleton : public QWidget
{
    Q_OBJECT

public:
    Skeleton(const Theme& theme, QWidget* parent);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
};

} // namespace payonce::widgets
