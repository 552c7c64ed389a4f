// HitsFile: which rules this client has carried out, also in processes that have ended by it.
#pragma once

#include <QtCore/QString>

#include <map>
#include <string>

namespace payonce::points {

/// One line a hit, `{"id":"r1","nth":2}`: the rule, and which arrival it was. Lines that are no such thing do not count.
class HitsFile
{
public:
    static constexpr qint64 kLongest = 1024 * 1024; ///< what is behind it is not read

    explicit HitsFile(QString path);

    /// By this process and those before.
    [[nodiscard]] int hitsOf(const std::string& rule) const;
    /// The line is with the system when this returns, so it outlives the process. False: it cannot be written.
    [[nodiscard]] bool add(const std::string& rule, int nth);

private:
    QString m_path;
    std::map<std::string, int> m_hits;
};

} // namespace payonce::points
