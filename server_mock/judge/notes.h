// The witness's notes on disk, so that a judge that its own scenario killed goes on where it was.
#pragma once

#include "console/sighting.h"

#include <QtCore/QFile>
#include <QtCore/QString>

#include <memory>
#include <string>
#include <vector>

namespace payonce::judge {

/// One line a sighting when it comes, and one when it ends, each written at once. What the disk refuses is missing only to a
/// judge that is started anew.
class Notes
{
public:
    /// Empty: the file (0600) cannot be opened.
    [[nodiscard]] static std::unique_ptr<Notes> open(const QString& path);

    /// What an earlier judge wrote down. Requests that had no end when it died are lost.
    [[nodiscard]] const std::vector<console::Sighting>& past() const { return m_past; }
    void arrived(const console::Sighting& sighting);
    void ended(const console::Sighting& sighting);

private:
    explicit Notes(const QString& path) : m_file(path) {}
    void read();
    void write(std::string line);

    QFile m_file;
    std::vector<console::Sighting> m_past;
};

} // namespace payonce::judge
