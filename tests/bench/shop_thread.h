// A shop and its bank on a thread of this process, with fault points of the caller's choice.
#pragma once

#include "faults/fault_points.h"

#include <QtCore/QTemporaryDir>
#include <QtCore/QThread>

#include <functional>
#include <memory>

namespace payonce::bench {

class ShopThread
{
public:
    /// Called on the thread; the directory is empty but for the databases.
    using MakePoints = std::function<std::shared_ptr<faults::FaultPoints>(const QString& directory)>;

    /// Listens when this returns.
    explicit ShopThread(MakePoints makePoints);
    ~ShopThread();
    ShopThread(const ShopThread&) = delete;
    ShopThread& operator=(const ShopThread&) = delete;
    ShopThread(ShopThread&&) = delete;
    ShopThread& operator=(ShopThread&&) = delete;

    [[nodiscard]] quint16 port() const { return m_port; }
    [[nodiscard]] static QByteArray token() { return "token-of-the-bench"; }

private:
    QTemporaryDir m_directory;
    quint16 m_port = 0;
    std::unique_ptr<QThread> m_thread;
};

} // namespace payonce::bench
