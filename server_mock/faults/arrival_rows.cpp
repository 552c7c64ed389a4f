#include "faults/arrival_rows.h"

#include "faults/fault_bytes.h"

namespace payonce::faults {

ArrivalRow rowFor(console::Point point, const Arrival& arrival)
{
    ArrivalRow row;
    row.account = arrival.account;
    row.actionId = arrival.actionId;
    row.attempt = arrival.attempt;
    row.operation = arrival.operation;
    row.point = point;
    if (!arrival.exchange)
        return row;
    const auto& request = arrival.exchange->request();
    row.connection = request.connection;
    row.request = request.number;
    row.bytesIn = request.bytesIn;
    return row;
}

ArrivalRow rowFor(const console::Rule& rule, const Arrival& arrival)
{
    auto row = rowFor(rule.point, arrival);
    row.offset = rule.offset;
    row.rule = rule.id;
    row.end = rowEndOf(rule.action);
    return row;
}

} // namespace payonce::faults
