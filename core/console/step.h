// The steps of a scenario: what the person does, and what else happens while it is played (docs/faults.md, Steps).
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace payonce::console {

enum class Cable { Out, In };

// A table, one step a line.
// clang-format off

/// Fills in the card and presses Pay.
struct PayStep { std::string card; };
/// Presses the widget of this object name.
struct PressStep { std::string name; };
/// Presses the quiet link that cancels.
struct CancelStep {};
/// Takes the offer of another card, fills it in and presses Pay.
struct OtherCardStep { std::string card; };
/// Until the client is in this state.
struct WaitStep { std::string state; };
/// Ends the client at once.
struct KillAppStep {};
/// Starts the client again; where it is to end by a fault of its own, only after that.
struct StartAppStep {};
/// Starts the client once more beside the first.
struct SecondWindowStep {};
/// Ends the server at once. The client starts it again.
struct KillServerStep {};
/// Until the server answers again.
struct StartServerStep {};
/// Nothing goes between client and shop while it is out.
struct CableStep { Cable position = Cable::Out; };
/// Moves the server's clocks forward.
struct MoveClockStep { std::chrono::milliseconds by{0}; };
/// Sends this body as a payment under the key of the client's newest action; `status` is what must come back.
struct PostStep { std::string body; std::optional<int> status{}; };

// clang-format on

using Step = std::variant<PayStep, PressStep, CancelStep, OtherCardStep, WaitStep, KillAppStep, StartAppStep, SecondWindowStep,
                          KillServerStep, StartServerStep, CableStep, MoveClockStep, PostStep>;

/// `pay`, `kill_app`, `clock`, …
[[nodiscard]] std::string_view nameOf(const Step& step);

} // namespace payonce::console
