#include "faults/fault_bytes.h"

#include "http/listener.h"
#include "http/response_writer.h"
#include "values/overloaded.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace payonce::faults {

namespace {

using console::ConnectionEnd;
using http::ByteFault;

/// Every `Date` has the same length.
constexpr values::WallTime kAnyDate{};

http::Afterwards afterwardsOf(const http::Request& request)
{
    return request.keepsConnection ? http::Afterwards::KeepOpen : http::Afterwards::Close;
}

RowEnd rowEndOf(ConnectionEnd end)
{
    return end == ConnectionEnd::Fin ? RowEnd::Fin : RowEnd::Rst;
}

RowEnd rowEndOf(console::Meanwhile meanwhile)
{
    switch (meanwhile) {
    case console::Meanwhile::Hang: return RowEnd::Silence;
    case console::Meanwhile::Fin: return RowEnd::Fin;
    case console::Meanwhile::Rst: return RowEnd::Rst;
    }
    return RowEnd::None;
}

void endBy(ConnectionEnd end, ByteFault& fault)
{
    fault.kind = ByteFault::Kind::End;
    fault.end = end == ConnectionEnd::Fin ? http::End::Fin : http::End::Rst;
}

/// Another digit of the same kind at the end: a well-formed ID stays one.
std::string otherId(std::string id)
{
    id.back() = id.back() == '0' ? '1' : '0';
    return id;
}

} // namespace

http::Response responseOf(const console::Reply& reply)
{
    http::Response response;
    response.status = reply.status;
    response.body = QByteArray::fromStdString(reply.body);
    for (const auto& [name, value] : reply.headers) {
        const auto line = QByteArray::fromStdString(name);
        if (line.compare("Content-Type", Qt::CaseInsensitive) == 0)
            response.contentType = QByteArray::fromStdString(value);
        else
            response.headers.emplaceBack(line, QByteArray::fromStdString(value));
    }
    return response;
}

http::Response responseOf(const console::Redirect& redirect, const http::Request& request)
{
    http::Response response;
    response.status = redirect.status;
    response.contentType = "text/plain";
    response.headers.emplaceBack("Location",
                                 redirect.location.empty() ? request.path : QByteArray::fromStdString(redirect.location));
    return response;
}

http::Response underAnotherId(http::Response response, const std::string& actionId)
{
    if (actionId.empty())
        return response;
    const auto own = QByteArray::fromStdString(actionId);
    const auto other = QByteArray::fromStdString(otherId(actionId));
    response.body.replace(own, other);
    for (auto& [name, value] : response.headers)
        value.replace(own, other);
    return response;
}

http::Response unknownAction(const Arrival& arrival)
{
    protocol::Problem problem{idempotency::ProblemCode::ActionUnknown, "This shop has never seen this action."};
    problem.actionId = values::ActionId::parseAnyForm(arrival.actionId);
    return http::responseOf(problem);
}

QByteArray garbage()
{
    return QByteArrayLiteral("\x16\x03\x01\x00\xFF\x00 this is no HTTP\r\n\r\n{\"state\":");
}

QByteArray encoded(const http::Response& response, const http::Request& request, values::WallTime date)
{
    return http::encodeHead(response, date, afterwardsOf(request)) +
           (http::mayHaveBody(response) ? response.body : QByteArray());
}

qsizetype encodedSize(const http::Response& response, const http::Request& request)
{
    const auto head = http::encodeHead(response, kAnyDate, afterwardsOf(request)).size();
    return http::mayHaveBody(response) ? head + response.body.size() : head;
}

ByteFault faultOf(const console::Rule& rule, std::function<void()> reached)
{
    ByteFault fault;
    fault.part = rule.point == console::Point::ReplyBody ? ByteFault::Part::Body : ByteFault::Part::Head;
    fault.offset = rule.offset;
    std::visit(values::Overloaded{[&](const console::Delay& delay) {
                                      fault.kind = ByteFault::Kind::Pause;
                                      fault.pause = delay.time;
                                  },
                                  [&](const console::Hang&) { fault.kind = ByteFault::Kind::Silence; },
                                  [&](const console::HalfClose&) { fault.kind = ByteFault::Kind::HalfClose; },
                                  [&](const console::Fin&) { endBy(ConnectionEnd::Fin, fault); },
                                  [&](const console::Rst&) { endBy(ConnectionEnd::Rst, fault); },
                                  [&](const console::Cut& cut) { endBy(cut.end, fault); },
                                  [&](const console::ChunkedCut& cut) {
                                      endBy(cut.end, fault);
                                      fault.framing = ByteFault::Framing::Chunked;
                                  },
                                  [&](const console::Drip& drip) {
                                      fault.kind = ByteFault::Kind::Drip;
                                      fault.piece = drip.bytes;
                                      fault.pause = drip.every;
                                  },
                                  [&](const auto& /*pause, clock_step, crash*/) {
                                      fault.kind = ByteFault::Kind::Hold;
                                      fault.reached = std::move(reached);
                                  }},
               rule.action);
    return fault;
}

std::int64_t bytesBefore(const ByteFault& fault, const http::Request& request, const http::Response& response)
{
    const auto head = http::encodeHead(response, kAnyDate, afterwardsOf(request), fault.framing).size();
    if (fault.part == ByteFault::Part::Head)
        return std::min<std::int64_t>(fault.offset, head);
    const auto body = std::min<std::int64_t>(fault.offset, response.body.size());
    return fault.framing == ByteFault::Framing::Length ? head + body : head + http::chunkOf(response.body.first(body)).size();
}

RowEnd rowEndOf(const console::FaultAction& action)
{
    return std::visit(
        values::Overloaded{
            [](const console::Hang&) { return RowEnd::Silence; }, [](const console::Fin&) { return RowEnd::Fin; },
            [](const console::HalfClose&) { return RowEnd::Fin; }, [](const console::Rst&) { return RowEnd::Rst; },
            [](const console::Cut& cut) { return rowEndOf(cut.end); },
            [](const console::ChunkedCut& cut) { return rowEndOf(cut.end); },
            [](const console::HoldThenProcess& hold) { return rowEndOf(hold.meanwhile); },
            [](const console::Reply&) { return RowEnd::Answer; }, [](const console::Redirect&) { return RowEnd::Answer; },
            [](const console::Garbage&) { return RowEnd::Answer; }, [](const console::Swap&) { return RowEnd::Answer; },
            [](const console::Stale&) { return RowEnd::Answer; }, [](const console::Crash&) { return RowEnd::Crash; },
            [](const auto& /*the connection goes on*/) { return RowEnd::None; }},
        action);
}

} // namespace payonce::faults
