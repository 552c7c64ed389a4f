// appIcon: the icon of the windows, the same picture as resources/icons/payonce.svg.
#pragma once

#include <QtGui/QIcon>

namespace payonce::widgets {

/// Painted, so that no SVG plugin is needed to show it.
[[nodiscard]] QIcon appIcon();

} // namespace payonce::widgets
