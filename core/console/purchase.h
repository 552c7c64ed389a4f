// Which requests of a judged client belong together, so that a retry under a fresh key is seen as one (docs/faults.md,
// Judging a client).
#pragma once

#include "console/sighting.h"

#include <string>
#include <vector>

namespace payonce::console {

/// One thing that somebody wanted to pay once. Its sightings are owned by whoever was asked; oldest first.
struct Purchase
{
    std::vector<const Sighting*> posts; ///< payments
    std::vector<const Sighting*> looks; ///< whatever else asked about one of its keys, or was told its order
    std::vector<SightedCharge> charges;

    /// In the order they first came, each once; empty ones are left out.
    [[nodiscard]] std::vector<std::string> keys() const;
    /// The first payment whose body was read, or the first.
    [[nodiscard]] const Sighting& described() const;
};

/// It ended at `when` or before.
[[nodiscard]] bool isOver(const Sighting& sighting, values::MonotonicTime when);
/// The shop's answer to it settles nothing: lost, cut, silent, left, or "not known".
[[nodiscard]] bool isDoubtful(const Sighting& post);
/// The newest payment under `key` at `when` that is over and doubtful, if nothing before `when` told what became of the key.
[[nodiscard]] const Sighting* openQuestion(const Purchase& purchase, const std::string& key, values::MonotonicTime when);

/// One account's payments belong together if they have the key or the cart in common. So do two of one e-mail and amount where
/// nobody had told the client what became of the first when the second came, and nobody asked about the first afterwards: a
/// client that takes a fresh cart for its retry. `sightings` outlive the result.
[[nodiscard]] std::vector<Purchase> purchasesOf(const std::vector<Sighting>& sightings,
                                                const std::vector<SightedCharge>& charges);

} // namespace payonce::console
