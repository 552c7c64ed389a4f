// The body of POST /v1/payments: built by the client, read by the server, fingerprinted by both rules and ledger.
#pragma once

#include "idempotency/key_record.h"
#include "protocol/body_problem.h"
#include "protocol/email_address.h"
#include "retry/action.h"
#include "values/result.h"

#include <string>
#include <string_view>

namespace payonce::protocol {

/// Longest cart_id and payment_method, in bytes.
inline constexpr std::size_t kLongestName = 128;

/// `canonicalBody` is the whole body in canonical form (RFC 8785), members this version does not read included.
struct ParsedPayment
{
    idempotency::PaymentTerms terms;
    std::string canonicalBody;
};

/// Server side. Checks the form only: nothing that changes with time, data or configuration.
[[nodiscard]] values::Result<ParsedPayment, BodyProblem> parsePayment(std::string_view body);

/// Client side: the exact bytes to send and save, and their SHA-256 in hex.
[[nodiscard]] retry::PreparedRequest buildPayment(const retry::Purchase& purchase, const retry::CardToken& card,
                                                  values::WallTime validUntil);

/// Bytes that are there already, as save 2 keeps them.
[[nodiscard]] retry::PreparedRequest prepared(const retry::CardToken& card, std::string body);

/// The bytes are those the fingerprint was taken of: a damaged journal row is seen before it is sent.
[[nodiscard]] bool isIntact(const retry::PreparedRequest& request);

/// SHA-256 over policy id, kind, route and canonical body, each preceded by its length, so that no two lists of parts
/// give the same bytes.
[[nodiscard]] idempotency::Fingerprint fingerprintOf(std::string_view policyId, std::string_view kind, std::string_view route,
                                                     std::string_view canonicalBody);

} // namespace payonce::protocol
