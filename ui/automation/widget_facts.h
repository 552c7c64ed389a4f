// What the socket tells of a widget.
#pragma once

#include "automation/refusal.h"

#include <QtCore/QJsonObject>
#include <QtWidgets/QWidget>

namespace payonce::automation {

/// `name`, `class`, `window`, `visible`, `enabled`, `text` (null where it shows none; a password field tells only that
/// something is in it), `rect` (x, y, width, height in its window).
[[nodiscard]] QJsonObject factsOf(const QWidget& widget);
/// `png`: the widget as a picture, in base64.
[[nodiscard]] Outcome<QJsonObject> pictureOf(QWidget& widget);

} // namespace payonce::automation
