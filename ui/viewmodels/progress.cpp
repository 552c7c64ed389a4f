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
};

using enum StepStatus;

// "Sent" is only ticked when some attempt is not proven unsent.
std::vector<Step> underWay(bool anyByteTaken)
{
    return anyByteTaken ? Progress::line(Done, Done, Current, Ahead, Progress::confirmed())
                        : Progress::line(Done, Current, Ahead, Ahead, Progress::confirmed());
}

std::vector<Step> notStarted(retry::Cause cause)
{
    return cause == retry::Cause::DiskRefused ? Progress::line(Stopped, Ahead, Ahead, Ahead, Progress::confirmed())
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
    case retry::State::Fencing:
    case retry::State::Conflict:
    case retry::State::Unresolved: return underWay(snapshot.anyByteTaken);
    case retry::State::Paid: return Progress::line(Done, Done, Done, Done, Progress::confirmed());
    case retry::State::Declined: return Progress::line(Done, Done, Done, Stopped, Progress::declined());
    case retry::State::NotCharged:
    case retry::State::Cancelled: return Progress::line(Done, Done, Done, Stopped, Progress::closed());
    }
    return {};
}

} // namespace payonce::viewmodels
