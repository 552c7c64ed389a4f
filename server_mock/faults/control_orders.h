// What the control API is told, in the bodies of its POST requests.
#pragma once

#include "console/fault_point.h"
#include "faults/held_work.h"
#include "values/result.h"
#include "values/time.h"

#include <QtCore/QByteArray>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace payonce::faults {

/// A point of the server by its name, with `@N` where it is a part of the reply; N itself says nothing here.
[[nodiscard]] std::optional<console::Point> serverPointIn(std::string_view text);

/// POST /await: what to wait for.
struct AwaitOrder
{
    console::Point point = console::Point::Received;
    std::string actionId;   ///< empty: any
    std::optional<int> nth; ///< any, if empty
    std::chrono::milliseconds timeout{0};
};
inline constexpr std::chrono::milliseconds kUsualAwait{5'000};
inline constexpr std::chrono::milliseconds kLongestAwait{25'000};
/// A failure says what is wrong with the body, for people.
[[nodiscard]] values::Result<AwaitOrder, std::string> awaitOrderOf(const QByteArray& body);
/// `{"token":"7"}`, of POST /release; and as POST /await answers it.
[[nodiscard]] values::Result<HeldWork::Token, std::string> tokenOf(const QByteArray& body);
[[nodiscard]] QByteArray tokenBody(HeldWork::Token token);
/// `{"advance_ms":N}`, of POST /clock.
[[nodiscard]] values::Result<std::chrono::milliseconds, std::string> advanceOf(const QByteArray& body);
/// `{"time":"…"}`.
[[nodiscard]] QByteArray timeBody(values::WallTime time);

} // namespace payonce::faults
