// doubleClick: what a system sends for one (QTest::mouseDClick sends only the second half).
#pragma once

#include <QtTest/QTest>
#include <QtWidgets/QApplication>
#include <QtWidgets/QWidget>

namespace payonce::tests {

/// The second half alone, as a widget gets it that came up between the halves.
inline void secondHalfOfDoubleClick(QWidget& widget)
{
    const QPointF centre = widget.rect().center();
    const QPointF onScreen = widget.mapToGlobal(centre);
    QMouseEvent second(QEvent::MouseButtonDblClick, centre, onScreen, Qt::LeftButton, Qt::LeftButton, Qt::NoModifier);
    QMouseEvent release(QEvent::MouseButtonRelease, centre, onScreen, Qt::LeftButton, Qt::NoButton, Qt::NoModifier);
    QApplication::sendEvent(&widget, &second);
    QApplication::sendEvent(&widget, &release);
}

inline void doubleClick(QWidget& widget)
{
    QTest::mouseClick(&widget, Qt::LeftButton);
    secondHalfOfDoubleClick(widget);
}

} // namespace payonce::tests
