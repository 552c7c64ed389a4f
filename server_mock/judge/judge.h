// Waits for a client, watches it, and says what it did once it has been quiet for a while.
#pragma once

#include "faults/scenario_engine.h"
#include "judge/judgement.h"
#include "judge/witness.h"

#include <QtCore/QObject>
#include <QtCore/QTimer>

#include <chrono>

namespace payonce::judge {

struct JudgeSettings
{
    std::chrono::seconds quiet{10};     ///< without a request, and with none waiting for its answer, until the verdict
    std::chrono::seconds patience{300}; ///< for the first request
    KeyLayer keys = KeyLayer::On;
};

/// Lives on the main thread. decided() comes once.
class Judge final : public QObject
{
    Q_OBJECT

public:
    /// All of them outlive it; a ledger that answers after its end is not heard.
    struct Parts
    {
        faults::LedgerSource& ledger;
        const faults::ArrivalJournal& journal;
        const faults::ScenarioEngine& engine;
        const shop::Accounts& accounts;
    };

    Judge(const JudgeSettings& settings, const Parts& parts, std::unique_ptr<Notes> notes, QObject* parent = nullptr);

    /// What the shop is given in the place of `exchange`.
    [[nodiscard]] std::shared_ptr<http::Exchange> watched(std::shared_ptr<http::Exchange> exchange);
    /// What the simulator is given at the gates of the listener, in the place of a connection and of a request whose head was
    /// read.
    [[nodiscard]] std::shared_ptr<http::Exchange> watchedConnection(std::shared_ptr<http::Exchange> exchange);
    [[nodiscard]] std::shared_ptr<http::Exchange> watchedHead(std::shared_ptr<http::Exchange> exchange);
    /// From now on the client is waited for; one that was seen before it was killed only for the quiet time.
    void start();
    /// The verdict on what was seen so far, without waiting any longer.
    void conclude();

Q_SIGNALS:
    void decided(const payonce::judge::Judgement& judgement);

private:
    void moved();
    void quietPassed();

    JudgeSettings m_settings;
    Parts m_parts;
    QTimer m_timer;
    Witness m_witness;
    bool m_isConcluded = false;
};

} // namespace payonce::judge
