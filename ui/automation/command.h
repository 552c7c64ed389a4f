// One line of the automation socket, read and checked.
#pragma once

#include "automation/refusal.h"

#include <QtCore/QByteArray>
#include <QtCore/QJsonValue>

#include <chrono>

namespace payonce::automation {

enum class Verb { List, Get, Click, Type, WaitFor, Idle, Grab, State, Quit };

struct Command
{
    QJsonValue id; ///< given back with the answer; null where there was none
    Verb verb = Verb::State;
    QString window; ///< object name of the window it is about; empty: any
    QString name;   ///< object name of the widget
    QString text;
    QString state;
    qint64 after = -1; ///< the revision must be greater
    std::chrono::milliseconds timeout{5000};
};

inline constexpr qsizetype kLongestName = 200;
inline constexpr qsizetype kLongestText = 4096;
inline constexpr std::chrono::milliseconds kLongestWait{600'000};

/// A line that is no command, and whose it was as far as that can be told.
struct BadLine
{
    QJsonValue id;
    QString detail;
};

/// A member that the verb does not know, or lacks, is as bad as one of a wrong type.
[[nodiscard]] values::Result<Command, BadLine> parseCommand(const QByteArray& line);

} // namespace payonce::automation
