// TextField: a label, a framed line to type in, and room for one short remark on what was typed.
#pragma once

#include "widgets/theme.h"

#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QWidget>

namespace payonce::widgets {

/// `theme` must outlive it. The object name and the accessible name belong to the line edit.
class TextField : public QWidget
{
    Q_OBJECT

public:
    TextField(const Theme& theme, const QString& label, QLatin1String name, QWidget* parent);

    [[nodiscard]] QLineEdit& edit() { return *m_edit; }
    /// A widget at the end of the line, inside the frame. Takes it over.
    void addTrailing(QWidget* widget);
    /// Empty: nothing is wrong.
    void setProblem(const QString& problem);

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    class Frame;

    void dress();

    const Theme& m_theme;
    QLabel* m_problem;
    Frame* m_frame;
    QLineEdit* m_edit;
};

} // namespace payonce::widgets
