#include "protocol/request_reader.h"

#include <algorithm>

namespace payonce::protocol {

void RequestReader::refuse(std::string_view name, std::string_view rule)
{
    if (m_problem)
        return;
    std::string detail = "`" + m_where;
    detail += name;
    detail += "` ";
    detail += rule;
    detail += '.';
    m_problem = BodyProblem{idempotency::ProblemCode::MemberInvalid, std::move(detail)};
}

const Json* RequestReader::present(std::string_view name)
{
    const auto* member = memberOf(m_object, name);
    if (member == nullptr)
        refuse(name, "is missing");
    return member;
}

std::optional<std::string> RequestReader::text(std::string_view name, TextBounds bounds)
{
    const auto* member = present(name);
    if (member == nullptr)
        return {};
    const auto* text = member->get_ptr<const std::string*>();
    const auto isControl = [](char c) { return static_cast<unsigned char>(c) < 0x20U || c == '\x7F'; };
    if (text == nullptr)
        refuse(name, "must be a string");
    else if (text->empty() || text->size() > bounds.longest)
        refuse(name, "must be 1 to " + std::to_string(bounds.longest) + " bytes long");
    else if (std::any_of(text->begin(), text->end(), isControl))
        refuse(name, "has a control character");
    else
        return *text;
    return {};
}

std::optional<std::int64_t> RequestReader::integer(std::string_view name, IntegerBounds bounds)
{
    const auto* member = present(name);
    if (member == nullptr)
        return {};
    const auto value = integerOf(*member);
    if (value && *value >= bounds.smallest && *value <= bounds.largest)
        return value;
    refuse(name, "must be an integer without fraction or exponent, from " + std::to_string(bounds.smallest) + " to " +
                     std::to_string(bounds.largest));
    return {};
}

std::optional<values::WallTime> RequestReader::time(std::string_view name)
{
    const auto* member = present(name);
    if (member == nullptr)
        return {};
    const auto* text = member->get_ptr<const std::string*>();
    const auto time = text == nullptr ? std::nullopt : values::fromRfc3339(*text);
    if (!time)
        refuse(name, "must be a date and time of RFC 3339");
    return time;
}

const Json* RequestReader::object(std::string_view name)
{
    const auto* member = present(name);
    if (member == nullptr || member->is_object())
        return member;
    refuse(name, "must be an object");
    return nullptr;
}

values::Result<Json, BodyProblem> parseBody(std::string_view body)
{
    auto json = parseStrict(body);
    if (!json)
        return values::Failure(BodyProblem{idempotency::ProblemCode::BodyInvalid,
                                           "The body is not I-JSON (RFC 7493): " + wordsOf(json.error()) + '.'});
    if (!json->is_object())
        return values::Failure(BodyProblem{idempotency::ProblemCode::MemberInvalid, "The body must be an object."});
    return std::move(*json);
}

} // namespace payonce::protocol
