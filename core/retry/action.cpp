#include "retry/action.h"

#include <algorithm>

namespace payonce::retry {

int attemptsPerhapsSent(const StoredAction& action)
{
    return static_cast<int>(std::count_if(action.attempts.begin(), action.attempts.end(),
                                          [](const Attempt& attempt) { return !attempt.end || attempt.end->bytesTaken > 0; }));
}

bool isFinal(State state)
{
    return state == State::Paid || state == State::Declined || state == State::NotCharged || state == State::Cancelled;
}

const char* nameOf(State state)
{
    switch (state) {
    case State::Editing: return "Editing";
    case State::Saving: return "Saving";
    case State::NotStarted: return "NotStarted";
    case State::Sending: return "Sending";
    case State::Confirming: return "Confirming";
    case State::ServerWorking: return "ServerWorking";
    case State::RetryWait: return "RetryWait";
    case State::Offline: return "Offline";
    case State::OfflineUnknown: return "OfflineUnknown";
    case State::Paid: return "Paid";
    case State::Declined: return "Declined";
    case State::NotCharged: return "NotCharged";
    case State::Fencing: return "Fencing";
    case State::Cancelled: return "Cancelled";
    case State::Unresolved: return "Unresolved";
    case State::Conflict: return "Conflict";
    }
    return "";
}

const char* nameOf(Cause cause)
{
    switch (cause) {
    case Cause::None: return "none";
    case Cause::DiskRefused: return "disk_refused";
    case Cause::ShopUnreachable: return "shop_unreachable";
    case Cause::CardRefused: return "card_refused";
    case Cause::CartHeld: return "cart_held";
    case Cause::LeftUnsent: return "left_unsent";
    case Cause::Expired: return "expired";
    case Cause::ClockWrong: return "clock_wrong";
    case Cause::Closed: return "closed";
    case Cause::NeverSent: return "never_sent";
    case Cause::AttemptsSpent: return "attempts_spent";
    case Cause::Late: return "late";
    case Cause::PastValidity: return "past_validity";
    case Cause::Refused: return "refused";
    case Cause::SignInNeeded: return "sign_in_needed";
    case Cause::ByPerson: return "by_person";
    case Cause::CartTaken: return "cart_taken";
    case Cause::OtherServer: return "other_server";
    case Cause::OtherOwner: return "other_owner";
    case Cause::KeyReused: return "key_reused";
    case Cause::WrongAmount: return "wrong_amount";
    case Cause::ContraryAnswer: return "contrary_answer";
    case Cause::Discrepancy: return "discrepancy";
    case Cause::TooOld: return "too_old";
    }
    return "";
}

const char* nameOf(EndReason reason)
{
    switch (reason) {
    case EndReason::Finished: return "finished";
    case EndReason::User: return "user";
    case EndReason::SoftDeadline: return "soft_deadline";
    case EndReason::HardDeadline: return "hard_deadline";
    case EndReason::FrozenPost: return "frozen_post";
    case EndReason::Shutdown: return "shutdown";
    }
    return "";
}

const char* nameOf(TransportError error)
{
    switch (error) {
    case TransportError::None: return "none";
    case TransportError::ConnectionRefused: return "connection_refused";
    case TransportError::HostNotFound: return "host_not_found";
    case TransportError::RemoteClosed: return "remote_closed";
    case TransportError::Timeout: return "timeout";
    case TransportError::TlsFailed: return "tls_failed";
    case TransportError::NetworkDown: return "network_down";
    case TransportError::ResendBlocked: return "resend_blocked";
    case TransportError::Protocol: return "protocol";
    case TransportError::Cancelled: return "cancelled";
    case TransportError::RedirectRefused: return "redirect_refused";
    case TransportError::Proxy: return "proxy";
    case TransportError::Other: return "other";
    }
    return "";
}

const char* nameOf(Kind kind)
{
    switch (kind) {
    case Kind::Payment: return "payment";
    case Kind::Account: return "account";
    case Kind::Other: return "other";
    }
    return "";
}

} // namespace payonce::retry
