// Every number of the client's retry rules, in one struct (docs/client.md, Numbers).
#pragma once

#include <array>
#include <chrono>

namespace payonce::retry {

struct Numbers
{
    using ms = std::chrono::milliseconds;

    /// Delays before the second, third and fourth POST; each is drawn from [backoffFloor, delay].
    std::array<ms, 3> backoff = {ms(300), ms(1000), ms(2000)};
    ms backoffFloor{100};
    /// After two attempts in a row that are proven not sent; the last one repeats.
    std::array<ms, 4> offlineRetry = {ms(2000), ms(5000), ms(15000), ms(30000)};
    /// Not-sent attempts in a row that mean Offline.
    int notSentUntilOffline = 2;

    /// Delays between probes after an unknown outcome; each is drawn from [delay / 2, delay); the last one repeats.
    std::array<ms, 7> probe = {ms(0), ms(500), ms(1000), ms(2000), ms(4000), ms(8000), ms(15000)};
    ms probeLimit{5000};
    /// Delays between probes while Unresolved; the last one repeats.
    std::array<ms, 5> unresolvedProbe = {ms(5000), ms(15000), ms(30000), ms(60000), ms(300000)};

    /// The probe begins beside the POST after this.
    ms softDeadline{1000};
    /// One POST may take this long.
    ms hardLimit{30000};
    ms connectLimit{10000};
    /// Two "not found" at least this far apart with the POST still hanging: abort it.
    ms frozenAfter{2000};
    /// Confirming and ServerWorking become Unresolved this long after the first byte left.
    ms unresolvedAfter{60000};

    /// Server advice is obeyed exactly; the jitter on top of it is 0 to 10 %, of this at most. Longer advice is shown as a
    /// clock time, advice above adviceMost is nonsense and taken as absent.
    ms retryAfterLimit{300000};
    ms adviceMost{std::chrono::hours(24)};

    /// Confirming offers to cancel, and Fencing says more, after this.
    ms longWait{10000};
    /// Unreachable probes in a row, with bytes sent, that mean OfflineUnknown.
    int unreachableUntilOffline = 2;

    /// After so many actions in a row that became Unresolved, the next waits for one answered probe before its second POST.
    int unresolvedUntilCareful = 3;

    /// Delays between saves of a final answer while the disk refuses them; the last one repeats.
    std::array<ms, 3> saveAgain = {ms(1000), ms(5000), ms(30000)};
    /// IDs tried for save 1 while their references are taken (one in 2^32 each).
    int mintTries = 5;

    /// `valid_until` = click + this.
    ms validFor{std::chrono::minutes(15)};
    /// Clocks may differ by this before a wrong one is blamed.
    ms clockTolerance{60000};
    /// The app fences by itself this long after `valid_until`, when late copies have had their time.
    ms fenceAfter{30000};
    /// An action without any attempt row is sent by itself after a restart only if younger than this.
    ms freshFor{60000};

    /// Several processes on one journal: how often each looks at the others and says that it lives, and how long that holds.
    ms lookEvery{250};
    ms heartbeat{1000};
    ms ownerLasts{5000};

    int tokeniseTries = 3;
    ms tokeniseLimit{5000};
    /// `Prefer: wait=N` on POSTs and probes, in seconds.
    int postWaitSeconds = 25;
    int probeWaitSeconds = 4;
};

} // namespace payonce::retry
