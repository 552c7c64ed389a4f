// ProgressLine: Saved - Sent - Checking - Confirmed, as dots on a line with their words below.
#pragma once

#include "viewmodels/progress.h"
#include "widgets/theme.h"

#include <QtWidgets/QWidget>

namespace payonce::widgets {

/// `theme` must outlive it. Screen readers get the steps as its description.
class ProgressLine : public QWidget
{
    Q_OBJECT

public:
    ProgressLine(const Theme& theme, QWidget* parent);

    void setSteps(const std::vector<viewmodels::Step>& steps);

    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] qreal centreOf(std::size_t index) const;
    void paintLines(QPainter& painter) const;
    void paintDot(QPainter& painter, std::size_t index) const;
    void paintWord(QPainter& painter, std::size_t index) const;

    const Theme& m_theme;
    std::vector<viewmodels::Step> m_steps;
};

} // namespace payonce::widgets
