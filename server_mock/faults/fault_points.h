// The seam between the shop's work and the simulator: the shop says where it is, the simulator says what happens.
#pragma once

#include "console/fault_point.h"
#include "http/exchange.h"

#include <functional>
#include <memory>
#include <string>

namespace payonce::faults {

/// What is known of a request when it reaches a point; grows on the way.
struct Arrival
{
    std::shared_ptr<http::Exchange> exchange; ///< none of a mail: there a rule that ends the connection only sets isHit
    console::Operation operation = console::Operation::Pay;
    std::string account;
    std::string actionId;  ///< empty if the request names none
    std::string attempt;   ///< the number in `Action-Attempt`, or empty
    int nth = 0;           ///< set where it arrives: the how-many-th of this action and operation
    int epoch = 0;         ///< set where it arrives; after a reset, an arrival of an older epoch is dropped at its next point
    std::string refusal{}; ///< set by the shop: code of the problem it refuses a payment or sign-up itself with
    bool isHit = false;    ///< set by the simulator: it ended, silenced or answered this connection
    std::string stream{};  ///< set by the simulator for random rules, see Streams
    int drawNth = 0;
    bool failsSave = false; ///< set by the simulator: its next save fails
};

/// Called by the shop on the server's main thread.
class FaultPoints
{
public:
    using Proceed = std::function<void()>;

    FaultPoints() = default;
    FaultPoints(const FaultPoints&) = delete;
    FaultPoints& operator=(const FaultPoints&) = delete;
    FaultPoints(FaultPoints&&) = delete;
    FaultPoints& operator=(FaultPoints&&) = delete;
    virtual ~FaultPoints() = default;

    /// Writes the journal row (where something arrives always, elsewhere where a rule fires), carries out the rule if one
    /// fires, and calls `proceed` when the work goes on: at once without a rule, later after a delay, never where the rule ends
    /// it. `proceed` keeps the arrival alive.
    virtual void reach(console::Point point, Arrival& arrival, Proceed proceed) = 0;
    /// Passes ReplyBuilt (with a journal row where the request is refused), then writes the answer with the faults of
    /// ReplyHead, ReplyBody and ReplyFlushed.
    virtual void answer(Arrival& arrival, const http::Response& response) = 0;

    /// What the bank does inside its transaction, on its own thread; false: its save fails. Empty: nothing.
    using InsideBank = std::function<bool()>;
    /// The point BankInside: asked when the charge is handed to the bank.
    [[nodiscard]] virtual InsideBank insideBank(Arrival& /*arrival*/) { return {}; }
    /// Asked at each save of the shop: does this one fail, as with a full disk?
    [[nodiscard]] virtual bool failsSave() { return false; }
};

} // namespace payonce::faults
