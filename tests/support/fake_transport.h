// FakeTransport: a small shop at the far end of the transport port. It checks what it is sent, answers later than the
// call, and can lose, delay, repeat and break answers.
#pragma once

#include "retry/transport.h"

#include <QtCore/QObject>

#include <deque>
#include <map>
#include <vector>

namespace payonce::support {

/// What becomes of one request.
enum class Fate {
    Answer,      ///< processed and answered
    Decline,     ///< a POST: processed, the card is declined
    NotSent,     ///< connection refused, no byte taken
    LoseRequest, ///< bytes taken, never processed, closed
    LoseReply,   ///< processed, closed without an answer
    Break,       ///< processed, the answer arrives damaged
    Hang,        ///< processed, no answer until aborted
    Freeze,      ///< never processed, no answer until aborted
    Repeat,      ///< processed and answered twice
};

/// "Charges" once an ID, like the real shop, and counts what would be a second charge as a broken rule.
class FakeTransport : public retry::Transport
{
public:
    /// Fates of the next POSTs and probes, in order; Answer when the plan is spent.
    std::deque<Fate> postPlan;
    std::deque<Fate> probePlan;
    /// Ends of the next exchanges; a good token when spent.
    std::deque<retry::ExchangeResult> exchangePlan;
    /// Every answer is this late.
    std::chrono::milliseconds delay{0};
    /// Runs inside post(), before anything is decided.
    std::function<void(const retry::PostRequest&)> onPost;

    void post(const retry::PostRequest& request, std::function<void(retry::WireResult)> done) override;
    void abortPost(retry::EndReason reason) override;
    void probe(const retry::ProbeRequest& request, std::function<void(retry::WireResult)> done) override;
    void abortProbe(retry::EndReason reason) override;
    void exchangeCard(const retry::Card& card, std::function<void(retry::ExchangeResult)> done) override;

    [[nodiscard]] const std::vector<retry::PostRequest>& posts() const { return m_posts; }
    [[nodiscard]] const std::vector<retry::ProbeRequest>& probes() const { return m_probes; }
    [[nodiscard]] const std::vector<retry::Card>& exchanges() const { return m_exchanges; }
    [[nodiscard]] const std::vector<retry::EndReason>& aborts() const { return m_aborts; }
    [[nodiscard]] std::size_t charges() const;
    /// Rules of the port or the shop that the caller broke; empty in a good run.
    [[nodiscard]] const std::vector<std::string>& brokenRules() const { return m_brokenRules; }

private:
    using Done = std::function<void(retry::WireResult)>;

    /// One request in flight; a late answer to an earlier one knows it by its number.
    struct Slot
    {
        Done done;
        int number = 0;
    };

    struct Charge
    {
        std::string body;
        retry::WireResult answer;
        bool approved = true;
    };

    void process(const retry::PostRequest& request, Fate fate);
    void checkPost(const retry::PostRequest& request);
    void answerPost(Fate fate, const retry::WireResult& charged);
    void answerLater(Slot& slot, const retry::WireResult& result, int times = 1);

    std::map<std::string, Charge> m_ledger;
    std::vector<retry::PostRequest> m_posts;
    std::vector<retry::ProbeRequest> m_probes;
    std::vector<retry::Card> m_exchanges;
    std::vector<retry::EndReason> m_aborts;
    std::vector<std::string> m_brokenRules;
    Slot m_post;
    Slot m_probe;
    std::int64_t m_postSize = 0;
    QObject m_context; // last: its timers die first
};

} // namespace payonce::support
