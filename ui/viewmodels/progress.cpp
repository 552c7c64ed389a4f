#include "viewmodels/progress.h"

#include <QtCore/QCoreApplication>

namespace payonce::viewmodels {

namespace {

class Progress
{
    Q_DECLARE_TR_FUNCTIONS(Progress)

public:
    static std::vector<Step> line(StepStatus saved, StepStatus sent, StepStatus checking, StepStatus end,
                                  const QString& endText)
    {
        return {{tr("Saved"), saved}, {tr("Sent"), sent}, {tr("Checking"), checking}, {endText, end}};
    }

    static QString confirmed() { return tr("Confirmed"); }
    static QString declined() { return tr("Declined"); }
    static QString closed() { return tr("Closed"); }
    static QString refused() { return tr("Refused"); }
    static QString closing() { return tr("Closing"); }
};

using enum StepStatus;

// "Sent" is only ticked when some attempt is not proven unsent.
std::vector<Step> underWay(bool anyByteTaken)
{
    return anyByteTaken ? Progress::line(Done, Done, Current, Ahead, Progress::confirmed())
                        : Progress::line(Done, Current, Ahead, Ahead, Progress::confirmed());
}

std::vector<Step> fencing(bool anyByteTaken)
{
    auto line = underWay(anyByteTaken);
    line[1].status = anyByteTaken ? Done : Ahead;
    line[2] = {Progress::closing(), Current};
    return line;
}

std::vector<Step> contradicted(bool anyByteTaken)
{
    auto line = underWay(anyByteTaken);
    line[anyByteTaken ? 2 : 1].status = Stopped;
    return line;
}

/// Over without a charge. What was never sent has no tick at "Sent".
std::vector<Step> endedUncharged(bool anyByteTaken, StepStatus end, const QString& endText)
{
    const StepStatus sent = anyByteTaken ? Done : Ahead;
    return Progress::line(Done, sent, sent, end, endText);
}

std::vector<Step> notStarted(retry::Cause cause)
{
    const bool unsaved = cause == retry::Cause::DiskRefused || cause == retry::Cause::CartHeld;
    return unsaved ? Progress::line(Stopped, Ahead, Ahead, Ahead, Progress::confirmed())
                   : Progress::line(Done, Stopped, Ahead, Ahead, Progress::confirmed());
}

} // namespace

std::vector<Step> stepsFor(const retry::Snapshot& snapshot)
{
    switch (snapshot.state) {
    case retry::State::Editing: return Progress::line(Ahead, Ahead, Ahead, Ahead, Progress::confirmed());
    case retry::State::Saving: return Progress::line(Current, Ahead, Ahead, Ahead, Progress::confirmed());
    case retry::State::NotStarted: return notStarted(snapshot.cause);
    case retry::State::Sending:
    case retry::State::Offline: return Progress::line(Done, Current, Ahead, Ahead, Progress::confirmed());
    case retry::State::Confirming:
    case retry::State::ServerWorking:
    case retry::State::RetryWait:
    case retry::State::OfflineUnknown:
    case retry::State::Unresolved: return underWay(snapshot.anyByteTaken);
    case retry::State::Paid: return Progress::line(Done, Done, Done, Done, Progress::confirmed());
    case retry::State::Declined: return Progress::line(Done, Done, Done, Stopped, Progress::declined());
    case retry::State::NotCharged: return endedUncharged(snapshot.anyByteTaken, Stopped, Progress::refused());
    case retry::State::Fencing: return fencing(snapshot.anyByteTaken);
    case retry::State::Cancelled: return endedUncharged(snapshot.anyByteTaken, Closed, Progress::closed());
    case retry::State::Conflict: return contradicted(snapshot.anyByteTaken);
    }
    return {};
}

} // namespace payonce::viewmodels
