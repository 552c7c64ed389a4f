// A person's hand: presses and types where a person could, and refuses where not.
#pragma once

#include "automation/refusal.h"

#include <QtWidgets/QWidget>

namespace payonce::automation {

/// Scrolls the widget into sight if it has to. Refused unless it is visible, enabled, and top-most at its middle, with no
/// dialog or menu before it. The place of the middle, in its window.
[[nodiscard]] Outcome<QPoint> reach(QWidget& widget);
/// Presses and lets go of the left button at the middle of it. What that did has been done when this returns.
[[nodiscard]] Outcome<void> click(QWidget& widget);
/// Replaces what stands in a field by `text`, key by key; an empty text clears it.
[[nodiscard]] Outcome<void> type(QWidget& widget, const QString& text);

} // namespace payonce::automation
