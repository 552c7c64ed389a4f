// Port: the wire of the client. Implemented by core/transport; asynchronous, on the caller's thread.
#pragma once

#include "retry/wire_result.h"

#include <functional>
#include <string>

namespace payonce::retry {

/// How the attempt before this one ended, told to the server as evidence (`Action-Attempt`).
enum class PreviousEnd { None, NotSent, Timeout, Closed, BadAnswer, Http5xx };

/// `Action-Attempt: 2;prev=timeout;presses=3;state=confirming`.
struct AttemptNote
{
    int number = 1;
    PreviousEnd previous = PreviousEnd::None;
    int presses = 1;
    State state = State::Sending;
};

struct PostRequest
{
    values::ActionId id;
    std::string body;
    AttemptNote note;
    std::string path = "/v1/payments";
};

struct ProbeRequest
{
    /// Ask reads; Fence asks the shop to close the action for good (`POST /v1/actions/{id}/abandon`).
    enum class Purpose { Ask, Fence };

    values::ActionId id;
    AttemptNote note;
    Kind kind = Kind::Payment;
    Purpose purpose = Purpose::Ask;
};

/// A card on its way to the token exchange. Lives in memory only, and only until the exchange ends.
struct Card
{
    std::string number;
    int expiryMonth = 0;
    int expiryYear = 0;
    std::string securityCode;
};

/// The end of one try at the exchange of a card for a token.
struct ExchangeResult
{
    enum class Kind { Exchanged, Refused, Failed };
    Kind kind = Kind::Failed;
    CardToken token;    ///< of Exchanged
    std::string detail; ///< of Refused: the server's sentence
};

/// At most one POST and one probe are in flight, on separate connections. Each call's `done` runs exactly once,
/// later than the call, on the caller's thread; after an abort too.
class Transport
{
public:
    virtual ~Transport() = default;

    /// Exactly one POST on the wire, or none.
    virtual void post(const PostRequest& request, std::function<void(WireResult)> done) = 0;
    /// Ends the POST now; its `done` reports `reason`.
    virtual void abortPost(EndReason reason) = 0;
    /// Asks, or fences, on its own connection, opened fresh.
    virtual void probe(const ProbeRequest& request, std::function<void(WireResult)> done) = 0;
    virtual void abortProbe(EndReason reason) = 0;
    /// One try; the caller repeats.
    virtual void exchangeCard(const Card& card, std::function<void(ExchangeResult)> done) = 0;
};

} // namespace payonce::retry
