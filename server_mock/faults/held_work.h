// Work that does not go on for now: delayed, paused until somebody releases it, and connections that are silent for ever.
#pragma once

#include "console/fault_point.h"
#include "http/exchange.h"

#include <QtCore/QObject>

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace payonce::faults {

/// Requests delayed at once; beyond, a delay is skipped.
inline constexpr int kMostSleepers = 4'096;
/// Requests paused at once; beyond, a pause is skipped.
inline constexpr std::size_t kMostPaused = 1'000;
/// Hung connections kept for letGo(); beyond, the oldest is ended.
inline constexpr std::size_t kMostSilent = 1'000;
/// Slow answers known to letGo(), the newest, through or not.
inline constexpr std::size_t kMostSlow = 1'000;

/// Runs the last argument after that time, unless the context is gone by then.
using After = std::function<void(std::chrono::milliseconds, QObject*, std::function<void()>)>;
/// By the machine's clock.
[[nodiscard]] After afterOnThisMachine();

/// What is paused, and where.
struct PausedWork
{
    console::Point point = console::Point::Received;
    std::string account;
    std::string actionId;
    int nth = 0;
};

class HeldWork final : public QObject
{
    Q_OBJECT

public:
    using Proceed = std::function<void()>;
    using Token = std::uint64_t;

    void setAfter(After after) { m_after = std::move(after); }

    void sleep(std::chrono::milliseconds time, Proceed proceed);
    void pause(PausedWork what, Proceed proceed);
    /// False: nothing is paused under this token.
    [[nodiscard]] bool release(Token token);
    /// The oldest first.
    [[nodiscard]] std::map<Token, PausedWork> paused() const;
    void keepSilent(const std::shared_ptr<http::Exchange>& exchange);
    /// Its answer leaves bit by bit.
    void keepSlow(const std::shared_ptr<http::Exchange>& exchange);
    [[nodiscard]] int sleeping() const { return m_sleepers; }
    [[nodiscard]] std::size_t silent() const { return m_silent.size(); }
    /// What is delayed or paused never goes on; silent connections end, and slow ones whose answer is not through.
    void letGo();

Q_SIGNALS:
    void hasPaused(Token token);

private:
    struct Paused
    {
        PausedWork what;
        Proceed proceed;
    };

    After m_after = afterOnThisMachine();
    std::unique_ptr<QObject> m_sleep = std::make_unique<QObject>(); // context of all delays; replaced to end them
    int m_sleepers = 0;
    std::map<Token, Paused> m_paused;
    Token m_lastToken = 0;
    std::deque<std::shared_ptr<http::Exchange>> m_silent;
    std::deque<std::shared_ptr<http::Exchange>> m_slow;
};

} // namespace payonce::faults
