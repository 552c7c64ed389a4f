// CaseShop: a shop on a raw socket that goes wrong as told, and a real client before it.
#pragma once

#include "core/runner/runner_bench.h"
#include "core/transport/raw_server.h"
#include "transport/http_transport.h"

#include <deque>
#include <memory>
#include <set>
#include <vector>

namespace payonce::wiretest {

/// Answers of the shop about the action that asks, whole and authentic.
struct ShopAnswer
{
    int status = 0;
    QByteArray members; ///< of the body, besides `action_id`
    QByteArray fields{};
};

[[nodiscard]] ShopAnswer paidAnswer();
[[nodiscard]] ShopAnswer stateAnswer(const QByteArray& state);
[[nodiscard]] ShopAnswer problemAnswer(int status, const QByteArray& code, const QByteArray& fields = {});

/// What becomes of one request: an answer of the shop, or bytes and endings of something in between.
struct Turn
{
    Turn(ShopAnswer said) : answer(std::move(said)) {}
    Turn(Reaction reaction) : bare(std::move(reaction)) {}

    std::optional<ShopAnswer> answer;
    Reaction bare;
};

/// Exchanges every card. POSTs and probes follow their plans; a spent plan pays, or tells that it was paid
/// once a POST has come.
class CaseShop
{
public:
    CaseShop();

    std::deque<Turn> posts;
    std::deque<Turn> probes;

    [[nodiscard]] QUrl url() const { return m_server.url(); }
    [[nodiscard]] int postCount() const { return m_posts; }
    [[nodiscard]] int probeCount() const { return m_probes; }
    /// Different keys of all POSTs: more than one could be more than one charge.
    [[nodiscard]] std::size_t keyCount() const { return m_keys.size(); }
    /// Requests for what a client has no business with, or without what the contract asks of every request.
    [[nodiscard]] int strayCount() const { return m_strays; }
    /// From the arrival of the first POST to that of the second.
    [[nodiscard]] std::chrono::nanoseconds gapOfPosts() const { return m_postTimes.at(1) - m_postTimes.at(0); }

private:
    [[nodiscard]] Reaction react(const Arrival& arrival);
    [[nodiscard]] static Reaction next(std::deque<Turn>& plan, const ShopAnswer& spent, const QByteArray& id);

    RawServer m_server;
    int m_posts = 0;
    int m_probes = 0;
    int m_strays = 0;
    std::set<QByteArray> m_keys;
    std::vector<std::chrono::steady_clock::time_point> m_postTimes;
};

/// A client with quick numbers and the states it has shown.
class CaseClient
{
public:
    explicit CaseClient(const CaseShop& shop, const retry::Numbers& numbers = runnertest::quickNumbers());

    /// Presses Pay as soon as it can be pressed. False: it never could.
    [[nodiscard]] bool pay();
    [[nodiscard]] retry::State state() const { return m_runner.snapshot().state; }
    /// It may still send by itself.
    [[nodiscard]] bool isUnderWay() const;
    [[nodiscard]] bool hasShown(retry::State state) const { return m_shown.count(state) == 1; }
    /// A state that says "not charged" or "nothing was sent".
    [[nodiscard]] bool hasDenied() const;

private:
    transport::HttpTransport m_transport;
    runnertest::JumpingEnvironment m_environment;
    runner::ActionRunner m_runner; // ends before the transport it uses
    std::set<retry::State> m_shown;
    bool m_isReady = false;
};

} // namespace payonce::wiretest
