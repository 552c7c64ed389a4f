#include "protocol/answer_reader.h"

#include "idempotency/problem.h"
#include "protocol/money_json.h"

#include <array>
#include <utility>

namespace payonce::protocol {

namespace {

/// Reads members into an answer; `ok` turns false at the first deciding member of a wrong form.
class Reader
{
public:
    explicit Reader(const Json& json) : m_json(json) {}

    [[nodiscard]] bool ok() const { return m_ok; }

    void text(const char* name, std::string& target)
    {
        const auto* member = memberOf(m_json, name);
        if (member == nullptr)
            return;
        if (member->is_string())
            target = member->get<std::string>();
        else
            m_ok = false;
    }

    void flag(const char* name, bool& target)
    {
        const auto* member = memberOf(m_json, name);
        if (member == nullptr)
            return;
        if (member->is_boolean())
            target = member->get<bool>();
        else
            m_ok = false;
    }

    void actionId(std::optional<values::ActionId>& target)
    {
        if (memberOf(m_json, "action_id") != nullptr)
            keep(values::ActionId::parse(textMember(m_json, "action_id").value_or("")), target);
    }

    void state(std::optional<values::RecordState>& target)
    {
        if (memberOf(m_json, "state") != nullptr)
            keep(values::recordStateOf(textMember(m_json, "state").value_or("")), target);
    }

    void amount(std::optional<values::Money>& target)
    {
        if (const auto* member = memberOf(m_json, "amount"))
            keep(moneyOf(*member), target);
    }

    /// The member object; the answer is no known form if it is something else.
    const Json* object(const char* name)
    {
        const auto* member = memberOf(m_json, name);
        if (member != nullptr && !member->is_object())
            m_ok = false;
        return m_ok ? member : nullptr;
    }

    void include(const Reader& inner) { m_ok = m_ok && inner.ok(); }

private:
    template <class T> void keep(std::optional<T> value, std::optional<T>& target)
    {
        if (value)
            target = std::move(value);
        else
            m_ok = false;
    }

    const Json& m_json;
    bool m_ok = true;
};

/// An advice that is not known is none.
retry::RetryAdvice adviceOf(const std::string& name)
{
    using Known = std::pair<idempotency::RetryAdvice, retry::RetryAdvice>;
    constexpr std::array kKnown = {
        Known{idempotency::RetryAdvice::Never, retry::RetryAdvice::Never},
        Known{idempotency::RetryAdvice::SameKey, retry::RetryAdvice::SameKey},
        Known{idempotency::RetryAdvice::AfterCheck, retry::RetryAdvice::AfterCheck},
        Known{idempotency::RetryAdvice::NewKey, retry::RetryAdvice::NewKey},
    };
    for (const auto& [word, advice] : kKnown)
        if (name == idempotency::nameOf(word))
            return advice;
    return retry::RetryAdvice::None;
}

/// What the answer to a POST and the stored answer inside a status answer have in common.
void readOutcome(Reader& reader, retry::AnswerBody& answer)
{
    reader.text("detail", answer.detail);
    reader.text("decline_code", answer.declineCode);
    reader.amount(answer.amount);
    if (const auto* payment = reader.object("payment")) {
        Reader inner(*payment);
        inner.text("charge_id", answer.chargeId);
        inner.amount(answer.amount);
        reader.include(inner);
    }
    if (const auto* order = reader.object("order")) {
        Reader inner(*order);
        inner.text("number", answer.orderNumber);
        reader.include(inner);
    }
}

/// `result.body`, which must be about the same action and its end.
void readResult(Reader& reader, retry::AnswerBody& answer)
{
    const auto* result = reader.object("result");
    if (result == nullptr)
        return;
    Reader outer(*result);
    if (const auto* body = outer.object("body")) {
        Reader inner(*body);
        auto id = answer.actionId;
        auto state = answer.state;
        inner.actionId(id);
        inner.state(state);
        readOutcome(inner, answer);
        outer.include(inner);
        answer.json = body->dump();
        if (id != answer.actionId || state != answer.state)
            answer.actionId.reset();
    }
    reader.include(outer);
}

} // namespace

std::optional<retry::AnswerBody> parseAnswer(std::string_view body)
{
    const auto json = parseStrict(body);
    if (!json || !json->is_object())
        return {};
    Reader reader(*json);
    retry::AnswerBody answer;
    answer.json = body;
    reader.actionId(answer.actionId);
    reader.state(answer.state);
    reader.text("code", answer.code);
    reader.text("reason", answer.reason);
    reader.text("held_by", answer.heldBy);
    reader.flag("discrepancy", answer.discrepancy);
    answer.retry = adviceOf(textMember(*json, "retry").value_or(""));
    readOutcome(reader, answer);
    readResult(reader, answer);
    const bool aboutSomething = answer.actionId.has_value() || !answer.code.empty();
    if (!reader.ok() || !aboutSomething)
        return {};
    return answer;
}

} // namespace payonce::protocol
