// SIGTERM and SIGINT as a Qt signal.
#pragma once

#include <QtCore/QObject>
#include <QtCore/QSocketNotifier>

#include <memory>

namespace payonce::program {

/// One a process: it owns the process's handlers for both signals.
class StopSignal : public QObject
{
    Q_OBJECT

public:
    explicit StopSignal(QObject* parent = nullptr);

Q_SIGNALS:
    /// Each time one of them came.
    void stopRequested();

private:
    std::unique_ptr<QSocketNotifier> m_notifier;
};

} // namespace payonce::program
