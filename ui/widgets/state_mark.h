// StateMark: the spinner, tick, cross or exclamation mark beside the title of a status.
#pragma once

#include "viewmodels/words.h"
#include "widgets/theme.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QTimer>
#include <QtWidgets/QWidget>

namespace payonce::widgets {

enum class Animations { On, Off };

/// `theme` must outlive it. Turns only while it is shown. Decoration only: the title says the same in words.
class StateMark : public QWidget
{
    Q_OBJECT

public:
    StateMark(const Theme& theme, Animations animations, QWidget* parent);

    void setMood(viewmodels::Mood mood);

protected:
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void followMood();

    const Theme& m_theme;
    Animations m_animations;
    viewmodels::Mood m_mood = viewmodels::Mood::Working;
    QTimer m_frames;
    QElapsedTimer m_clock;
};

} // namespace payonce::widgets
