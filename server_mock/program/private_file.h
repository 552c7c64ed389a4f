// Files that nobody but their owner may read.
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QString>

namespace payonce::program {

/// Replaces the file (0600): readers see the old content or the new, never a part. Why it could not be written; empty: it was.
[[nodiscard]] QString writePrivately(const QString& path, const QByteArray& content);

} // namespace payonce::program
