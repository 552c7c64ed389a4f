// Reads the members of a request's body and remembers the first thing that is wrong. Internal to core/protocol.
#pragma once

#include "protocol/body_problem.h"
#include "protocol/json_member.h"
#include "values/result.h"
#include "values/time.h"

#include <optional>
#include <string>

namespace payonce::protocol {

/// How long a text may be, in bytes; it is never empty.
struct TextBounds
{
    std::size_t longest;
};

struct IntegerBounds
{
    std::int64_t smallest;
    std::int64_t largest;
};

/// Every read gives a value of the right form or nothing; after the last one, `problem` tells the first fault.
/// `where` names the object in the details: `card.` for members of `card`.
class RequestReader
{
public:
    RequestReader(const Json& object, std::string where, std::optional<BodyProblem>& problem)
        : m_object(object), m_where(std::move(where)), m_problem(problem)
    {
    }

    /// Text without control characters.
    [[nodiscard]] std::optional<std::string> text(std::string_view name, TextBounds bounds);
    [[nodiscard]] std::optional<std::int64_t> integer(std::string_view name, IntegerBounds bounds);
    [[nodiscard]] std::optional<values::WallTime> time(std::string_view name);
    /// Null after a fault.
    [[nodiscard]] const Json* object(std::string_view name);
    /// Remembers `name` as wrong: "`where.name` RULE".
    void refuse(std::string_view name, std::string_view rule);

private:
    [[nodiscard]] const Json* present(std::string_view name);

    const Json& m_object;
    std::string m_where;
    std::optional<BodyProblem>& m_problem;
};

/// The whole body as an object: strict JSON, else BodyInvalid; an object, else MemberInvalid.
[[nodiscard]] values::Result<Json, BodyProblem> parseBody(std::string_view body);

} // namespace payonce::protocol
