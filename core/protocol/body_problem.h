// Why a request's body was refused.
#pragma once

#include "idempotency/problem.h"

#include <string>

namespace payonce::protocol {

/// `code` is BodyInvalid (400: not I-JSON) or MemberInvalid (422: a member missing, of a wrong type or out of range).
struct BodyProblem
{
    idempotency::ProblemCode code = idempotency::ProblemCode::BodyInvalid;
    std::string detail; ///< names the member; never repeats card data
};

} // namespace payonce::protocol
