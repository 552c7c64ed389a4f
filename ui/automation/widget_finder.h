// Looks for a widget by its object name, in every window of the application.
#pragma once

#include "automation/refusal.h"

#include <QtWidgets/QWidget>

namespace payonce::automation {

/// The one widget of this name. `window`: only in the windows of that name; empty: in all. Where several have the name, the one
/// that is visible is meant; more than one visible is Ambiguous. A widget that exists but is hidden is found.
[[nodiscard]] Outcome<QWidget*> findOne(const QString& name, const QString& window);
/// Every widget that has a name, in the order of the names.
[[nodiscard]] QList<QWidget*> namedWidgets(const QString& window);

} // namespace payonce::automation
