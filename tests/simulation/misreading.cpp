#include "simulation/misreading.h"

#include "simulation/answers.h"

namespace payonce::simulation {

using idempotency::ProblemCode;
using retry::State;
using retry::TransportError;
using retry::WireResult;

namespace {

WireResult declined(const Request& request)
{
    WireResult answer = problem(request.id, ProblemCode::CardDeclined);
    answer.body->state = values::RecordState::Failed;
    return answer;
}

bool isOpen(const WireResult& result)
{
    return result.body && result.body->state && !values::isTerminal(*result.body->state);
}

/// The status and code that a client with this fault takes for an end; empty: it reads this answer as it is.
std::optional<WireResult> falseEnd(Planted planted, const Request& request, const WireResult& result)
{
    const bool isPost = request.kind == Request::Kind::Post;
    const int status = result.status.value_or(0);
    const bool isRefusal = isPost && (status == 400 || status == 413 || status == 422 || status == 501);
    const bool isClosed = (planted == Planted::NotFoundIsFinal && request.kind == Request::Kind::Probe && status == 404) ||
                          (planted == Planted::RefusalIsFinal && isRefusal) ||
                          (planted == Planted::OpenFenceIsFinal && request.kind == Request::Kind::Abandon && isOpen(result));
    if (isClosed)
        return problem(request.id, ProblemCode::ActionAbandoned);
    const bool isDecline = (planted == Planted::ConflictIsFailure && status == 409) ||
                           (planted == Planted::ServerErrorIsFinal && isPost && status >= 500);
    return isDecline ? std::optional(declined(request)) : std::nullopt;
}

} // namespace

WireResult misread(Planted planted, const Request& request, WireResult result)
{
    if (planted == Planted::LostAnswerIsNotSent && result.error != TransportError::None)
        result.bytesTaken = 0;
    if (planted == Planted::DigestIsNotChecked)
        result.digestMatches = true;
    if (planted == Planted::ActionIsNotChecked && result.body)
        result.body->actionId = request.id;
    auto end = falseEnd(planted, request, result);
    if (!end)
        return result;
    end->bytesTaken = result.bytesTaken;
    return *std::move(end);
}

retry::Snapshot misshown(Planted planted, const retry::Snapshot& snapshot, bool fenceIsOpen)
{
    retry::Snapshot shown = snapshot;
    if (planted == Planted::WorkingAfterFence && snapshot.state == State::Fencing && fenceIsOpen)
        shown.state = State::ServerWorking;
    if (planted == Planted::OfflineThoughSent && snapshot.state == State::OfflineUnknown)
        shown.state = State::Offline;
    return shown;
}

} // namespace payonce::simulation
