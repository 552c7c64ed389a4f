#include "console/timeline_marks.h"

#include "values/record_state.h"

#include <algorithm>
#include <array>
#include <optional>

namespace payonce::console {

namespace {

constexpr std::array<std::string_view, 13> kPlain = {"claimed", "replay",     "mismatch",  "charged", "declined",
                                                     "fenced",  "reply lost", "not found", "abandon", "webhook",
                                                     "mail",    "crash",      "staff"};
constexpr std::array<std::string_view, 3> kNumbered = {"post ", "never arrived ", "probe "};
constexpr std::array<std::string_view, 2> kOfAState = {"settled ", "found "};
constexpr std::size_t kMostDigits = 3;

/// The rest behind one of the beginnings; empty if it has none of them.
template <std::size_t Count>
std::string_view behind(std::string_view text, const std::array<std::string_view, Count>& beginnings)
{
    for (const auto beginning : beginnings)
        if (text.substr(0, beginning.size()) == beginning)
            return text.substr(beginning.size());
    return {};
}

bool isNumber(std::string_view text)
{
    return !text.empty() && text.size() <= kMostDigits && text.front() != '0' &&
           text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool isOneOf(std::string_view kind, std::initializer_list<std::string_view> kinds)
{
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

std::string_view idOf(const TimelineRow& row, std::string_view name)
{
    for (const auto& [known, value] : row.ids)
        if (known == name)
            return value;
    return {};
}

/// `succeeded`, … where the row is the end of the record.
std::string_view settledState(const TimelineRow& row)
{
    if (row.source != Teller::Record)
        return {};
    if (row.kind == "paid" || row.kind == "sign_up")
        return "succeeded";
    if (row.kind == "declined")
        return "failed";
    return isOneOf(row.kind, {"closed", "closed_unsent"}) ? "abandoned" : "";
}

class Marker
{
public:
    std::vector<std::string> mark(const std::vector<TimelineRow>& rows)
    {
        for (const auto& row : rows)
            markRow(row);
        for (int open = m_openProbes; open > 0; --open)
            add("found in_progress");
        return std::move(m_marks);
    }

private:
    void add(std::string_view mark) { m_marks.emplace_back(mark); }
    void add(std::string_view mark, int number) { m_marks.push_back(std::string(mark).append(std::to_string(number))); }

    void markRow(const TimelineRow& row)
    {
        switch (row.source) {
        case Teller::Client: return markAttempt(row);
        case Teller::Arrival: return markArrival(row);
        case Teller::Record: return markRecord(row);
        case Teller::Bank: return add(row.kind);
        case Teller::Webhook: return add("webhook");
        case Teller::Mail:
            if (row.kind != "mail_sent") // one mark a mail
                add("mail");
            return;
        case Teller::Staff: return add("staff");
        }
    }

    void markAttempt(const TimelineRow& row)
    {
        if (row.kind != "attempt")
            add("never arrived ", row.attempt.value_or(1));
    }

    void markArrival(const TimelineRow& row)
    {
        const auto operation = idOf(row, "op");
        const bool isPayment = operation == "pay" || operation == "sign_up";
        if (isPayment && isOneOf(row.kind, {"payment", "payment_again", "not_read"}))
            add("post ", row.attempt.value_or(1));
        if (row.kind == "payment_again")
            add("replay");
        if (row.kind == "mismatch")
            add("mismatch");
        if (row.kind == "asked")
            markProbe();
        if (row.kind == "abandon")
            add("abandon");
        const auto end = idOf(row, "end");
        if (end == "crash")
            add("crash");
        else if (isPayment && !end.empty())
            add("reply lost");
    }

    void markProbe()
    {
        add("probe ", ++m_probes);
        if (!m_state.empty())
            add("found " + m_state);
        else if (m_claimed)
            ++m_openProbes; // the shop may hold it until the end
        else
            add("not found");
    }

    void markRecord(const TimelineRow& row)
    {
        if (row.kind == "claimed") {
            m_claimed = true;
            add("claimed");
        }
        const auto state = settledState(row);
        if (state.empty())
            return;
        m_state = state;
        add("settled " + m_state);
        for (; m_openProbes > 0; --m_openProbes)
            add("found " + m_state);
    }

    std::vector<std::string> m_marks;
    std::string m_state;
    bool m_claimed = false;
    int m_probes = 0;
    int m_openProbes = 0;
};

} // namespace

bool isTimelineMark(std::string_view text)
{
    if (std::find(kPlain.begin(), kPlain.end(), text) != kPlain.end())
        return true;
    return isNumber(behind(text, kNumbered)) || values::recordStateOf(behind(text, kOfAState)).has_value();
}

std::vector<std::string> marksOf(const std::vector<TimelineRow>& rows)
{
    return Marker().mark(rows);
}

std::string firstMissing(const std::vector<std::string>& wanted, const std::vector<std::string>& marks)
{
    auto from = marks.begin();
    for (const auto& mark : wanted) {
        from = std::find(from, marks.end(), mark);
        if (from == marks.end())
            return mark;
        ++from;
    }
    return {};
}

} // namespace payonce::console
