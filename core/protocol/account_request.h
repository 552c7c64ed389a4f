// The body of POST /v1/accounts and the two answers that are kept (docs/contract.md, Sign-up).
#pragma once

#include "idempotency/key_record.h"
#include "protocol/body_problem.h"
#include "values/result.h"

#include <string>
#include <string_view>

namespace payonce::protocol {

/// In code points.
inline constexpr std::size_t kLongestPersonName = 200;

/// `canonicalBody` is the whole body in canonical form (RFC 8785), members this version does not read included.
struct ParsedSignUp
{
    std::string email; ///< as it was written
    std::string name;
    values::WallTime validUntil;
    std::string canonicalBody;
};

/// Checks the form only: nothing that changes with time, data or configuration.
[[nodiscard]] values::Result<ParsedSignUp, BodyProblem> parseSignUp(std::string_view body);

/// 201 with the account that was made.
[[nodiscard]] idempotency::StoredAnswer renderSignedUp(const values::ActionId& action, const std::string& accountId,
                                                       const std::string& email);
/// 201 too: the address has an account, and nothing of it is shown.
[[nodiscard]] idempotency::StoredAnswer renderAlreadyRegistered(const values::ActionId& action);

} // namespace payonce::protocol
