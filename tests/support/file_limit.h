// Files that cannot grow: what a process sees of a full disk.
#pragma once

#include <QtCore/QtGlobal>

#include <sys/resource.h>

#include <csignal>

namespace payonce::support {

/// As long as it lives, no file of this process grows beyond so many bytes.
class FileLimit
{
public:
    explicit FileLimit(qint64 most)
    {
        std::signal(SIGXFSZ, SIG_IGN);
        if (::getrlimit(RLIMIT_FSIZE, &m_before) != 0)
            qFatal("the limit of files cannot be read");
        auto limit = m_before;
        limit.rlim_cur = static_cast<rlim_t>(most);
        set(limit);
    }
    FileLimit(const FileLimit&) = delete;
    FileLimit& operator=(const FileLimit&) = delete;
    FileLimit(FileLimit&&) = delete;
    FileLimit& operator=(FileLimit&&) = delete;
    ~FileLimit() { set(m_before); }

private:
    static void set(const rlimit& limit)
    {
        if (::setrlimit(RLIMIT_FSIZE, &limit) != 0)
            qFatal("the limit of files cannot be set");
    }

    rlimit m_before{};
};

} // namespace payonce::support
