// Connection: one client of the automation socket.
#pragma once

#include "automation/command.h"
#include "automation/screen.h"

#include <QtCore/QJsonObject>
#include <QtCore/QObject>
#include <QtCore/QTimer>
#include <QtNetwork/QLocalSocket>

#include <functional>
#include <optional>
#include <vector>

namespace payonce::automation {

/// A command is answered when it is done, so a `waitFor` may be answered after commands that came later. A client that sends a
/// line without end, or does not read its answers, is let go.
class Connection : public QObject
{
    Q_OBJECT

public:
    static constexpr qsizetype kLongestLine = 65'536;
    static constexpr std::size_t kMostWaits = 16;
    static constexpr qint64 kMostUnread = 16LL * 1024 * 1024;

    /// Takes the socket over. `screen` must outlive this.
    Connection(QLocalSocket* socket, Screen& screen, QObject* parent);

Q_SIGNALS:
    void quitWanted();
    void ended();

private:
    struct Wait
    {
        Command command;
        QTimer* timer = nullptr; ///< a child of this
    };

    void read();
    /// Empty: no whole line is there.
    [[nodiscard]] std::optional<QByteArray> takeLine();
    void carryOut(const QByteArray& line);
    void carryOut(const Command& command);
    void handle(const Command& command, const std::function<Outcome<QJsonObject>(QWidget&)>& deed);
    void wait(const Command& command);
    void look();
    [[nodiscard]] bool isOver(const Command& command) const;
    void expire(const QTimer* timer);
    void answer(const Command& command, const Outcome<QJsonObject>& outcome);
    void refuse(const QJsonValue& id, const Refusal& refusal);
    void write(const QJsonObject& object);

    QLocalSocket* m_socket;
    Screen& m_screen;
    QByteArray m_buffer;
    std::vector<Wait> m_waits;
};

} // namespace payonce::automation
